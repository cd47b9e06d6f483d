import { StateError, type StateErrorClass } from './errors.ts';

const PULL = '`terraform state pull > state.json`';
const OLD_UPGRADE =
  'Terraform 0.12 and later upgrade it: run `terraform state pull > state.json` in its working directory, which writes format 4 and changes nothing else';

interface OtherDocument {
  all: string[];
  error_class?: StateErrorClass;
  what: string;
  instead: string;
}

/** Documents that are not a readable state, and the members that identify them. The first match wins. */
const OTHER_DOCUMENTS: OtherDocument[] = [
  ...[['encrypted_data'], ['encryption_version']].map(
    (all): OtherDocument => ({
      all,
      error_class: 'encrypted_state',
      what: 'a state that OpenTofu encrypted',
      instead:
        'Decrypt it where its keys are configured: run `tofu state pull > state.json` in the working directory, and delete the file after use',
    }),
  ),
  {
    all: ['version', 'backend'],
    what: 'the file `.terraform/terraform.tfstate`, which only says where the state is stored',
    instead: `Read the state itself: run ${PULL} in the working directory`,
  },
  ...[['resource_changes'], ['planned_values'], ['output_changes'], ['prior_state'], ['plan_format_version']].map(
    (all): OtherDocument => ({
      all,
      what: 'a plan',
      instead: `Analyze it with \`dpa analyze plan.json\`; for the state, run ${PULL}`,
    }),
  ),
  {
    all: ['provider_schemas'],
    what: 'the output of `terraform providers schema -json`',
    instead: `For the state, run ${PULL}`,
  },
  { all: ['ID', 'Operation'], what: 'the information about a lock of a state', instead: lockAdvice() },
  {
    all: ['deployment', 'version'],
    what: 'a state of Pulumi',
    instead: 'dpa reads the state of Terraform and OpenTofu',
  },
  { all: ['valid', 'diagnostics'], what: 'the output of `terraform validate -json`', instead: `Run ${PULL}` },
  { all: ['@level', '@message'], what: 'a log of Terraform', instead: `For the state, run ${PULL}` },
  {
    all: ['errors'],
    what: 'an error response of a server',
    instead: `Check the address and your permission, or run ${PULL}`,
  },
  {
    all: ['error'],
    what: 'an error response of a server',
    instead: `Check the address and your permission, or run ${PULL}`,
  },
  {
    all: ['data'],
    what: 'a description of a state by HCP Terraform',
    instead: 'Download the state from the address in its `hosted-state-download-url`',
  },
];

function lockAdvice(): string {
  return `The state has the same name without \`.lock.info\`; or run ${PULL} when the lock is released`;
}

/**
 * Checks which format the members of a document have.
 *
 * @param members the names of its top-level members
 * @param version the value of `version`
 * @throws StateError that names the document, if it is not a state that can be read
 */
export function recognizeFormat(members: ReadonlySet<string>, version: unknown): 'state' | 'show' {
  const other = OTHER_DOCUMENTS.find(({ all }) => all.every((name) => members.has(name)));
  if (other !== undefined) {
    const { error_class = 'not_a_state', what, instead } = other;
    throw new StateError(
      error_class,
      `This is ${what}${error_class === 'not_a_state' ? ', not a state' : ''}. ${instead}.`,
    );
  }
  if (members.has('format_version') && !members.has('version')) return 'show';
  if (members.has('version')) {
    assertVersion(version, members);
    return 'state';
  }
  throw new StateError(
    'not_a_state',
    `This JSON is not a state: it has neither the member version nor format_version. Write the state with ${PULL}.`,
  );
}

function assertVersion(version: unknown, members: ReadonlySet<string>): void {
  if (version === 4) {
    if (members.has('resources')) return;
    throw new StateError(
      'invalid_state_json',
      `The state has no member "resources", which Terraform always writes. Write it again with ${PULL}.`,
    );
  }
  if (!['resources', 'modules', 'lineage', 'serial', 'terraform_version'].some((name) => members.has(name))) {
    throw new StateError('not_a_state', `This JSON has a version, but is not a state. Write the state with ${PULL}.`);
  }
  if (version === 1 || version === 2 || version === 3) {
    const writer = version === 3 ? 'Terraform 0.7 to 0.11' : 'Terraform before 0.7';
    throw new StateError(
      'unsupported_state_version',
      `This state has format ${version}, which ${writer} wrote; dpa reads format 4. ${OLD_UPGRADE}.`,
    );
  }
  const shown = typeof version === 'number' ? ` ${version}` : '';
  throw new StateError(
    'unsupported_state_version',
    `This state has an unknown format${shown}; dpa reads format 4. Update dpa, or use the output of \`terraform show -json > state.json\`.`,
  );
}

/** @throws StateError if the major version of `terraform show -json` is not supported */
export function assertShowVersion(version: string): void {
  if (/^[01](?:\.\d{1,6}){0,2}$/.test(version)) return;
  throw new StateError(
    'unsupported_state_version',
    'The format_version of this output of `terraform show -json` is not supported: dpa reads 0.x and 1.x. Update dpa, or use `terraform state pull > state.json`.',
  );
}
