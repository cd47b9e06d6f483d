import { Command, InvalidArgumentError, Option } from 'commander';
import { declareAccounts } from './commands/accounts-arguments.ts';
import { declareDrift } from './commands/drift-arguments.ts';
import { declareFirstSteps } from './commands/first-steps-arguments.ts';
import { declareNoise } from './commands/noise-arguments.ts';
import { declareOwners } from './commands/owners-arguments.ts';
import { declarePacks } from './commands/packs-arguments.ts';
import { declareResources } from './commands/resources-arguments.ts';
import { declareScans } from './commands/scans-arguments.ts';
import { declareSchedules } from './commands/schedules-arguments.ts';
import { declareStateSources } from './commands/state-sources-arguments.ts';
import { reportFailure } from './failure.ts';
import { readManifest } from './manifest.ts';
import { declareServiceCommands } from './service-commands.ts';

/** Loads only the argument parser: each command imports the modules that it needs when it runs. */
const program = new Command('dpa')
  .description('Drift & Plan Analysis: shows what a Terraform or OpenTofu plan will do before you apply it.')
  .version(readManifest().version, '-V, --version')
  .showHelpAfterError('(dpa --help lists the commands)');

program
  .command('analyze')
  .description('analyze plans on this machine, without a server or network access')
  .argument(
    '<plan...>',
    'plan as JSON from `terraform show -json tfplan`, or a folder of such files; - reads standard input',
  )
  .addOption(new Option('--format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'))
  .addOption(
    new Option('--fail-on <level>', 'exit with 2 if the risk has this level or above').choices([
      'low',
      'medium',
      'high',
      'critical',
    ]),
  )
  .option('--top <n>', 'number of changes to show in each part of text and markdown', parseWholeNumber, 20)
  .option('--report <file>', 'also write the result to a file, .json or .md; repeatable', appendValue, [])
  .option('--rules <file>', 'file with your own rules and a risk policy, YAML or JSON; see docs/rules.md')
  .option('--repo <owner/name>', 'repository of the plan, for rules that match on it; detected in CI')
  .option('--branch <name>', 'branch of the plan, for rules that match on it; detected in CI')
  .action(async (plans, options) => (await import('./commands/analyze.ts')).analyze(plans, options));

program
  .command('pr-preview')
  .description('preview the comment on a pull request with these plans, without a server or network access')
  .argument('<plan...>', 'plan as JSON from `terraform show -json tfplan`; one for each root module')
  .option(
    '--previous <plan>',
    'plan of the previous push, to compare with; repeatable, in the order of the plans',
    appendValue,
    [],
  )
  .option('--gitlab', 'format the comment for GitLab')
  .option('--check', 'print the check run and its machine-readable result instead')
  .option('--html', 'print an HTML page that looks like the comment on GitHub')
  .addHelpText(
    'after',
    '\nExits with 3 if a file is not a plan (the comment then says so), and with 1 if a file cannot be read.',
  )
  .action(async (plans, options) => (await import('./commands/pr-preview.ts')).previewPullRequest(plans, options));

program
  .command('submit')
  .description('send plans to the service, which analyzes them with the rules of the organization')
  .argument(
    '<plan...>',
    'plan as JSON from `terraform show -json tfplan`; one for each root module; - reads standard input',
  )
  .option('--org <org>', 'slug or ID of the organization (DPA_ORG)')
  .option('--url <url>', 'address of the service (DPA_URL)')
  .option('--wait', 'wait for the verdicts')
  .addOption(
    new Option('--fail-on <level>', 'wait, and exit with 2 if the risk has this level or above').choices([
      'low',
      'medium',
      'high',
      'critical',
    ]),
  )
  .addOption(new Option('--format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'))
  .option('--top <n>', 'number of changes to show in each part of text and markdown', parseWholeNumber, 20)
  .option('--report <file>', 'also write the result to a file, .json or .md; repeatable', appendValue, [])
  .option('--timeout <seconds>', 'time limit for each verdict', parseWholeNumber, 600)
  .option('--repo <owner/name>', 'repository of the plans; CI jobs detect this and the next three options')
  .option('--pr <n>', 'number of the pull request or merge request', parseWholeNumber)
  .option('--commit <sha>', 'commit that was planned')
  .option('--branch <name>', 'branch of the plans')
  .addHelpText(
    'after',
    `
Exits with 2 if a plan reaches --fail-on or a rule of the organization blocks it, and with 1 if a plan was not analyzed.
If the service rejects a plan because of a quota, a rate limit or its size (402, 429, 413), the command analyzes it on this
machine with the rules, policy and suppressions of the organization. That verdict counts; only the explanation of a
language model is missing. If the command cannot read those rules, the plan is not analyzed.

Credential: DPA_TOKEN; otherwise, in CI, a key in exchange for the token of the job; otherwise the login of dpa login.`,
  )
  .action(async (plans, options) => (await import('./commands/submit.ts')).submit(plans, options));

program
  .command('jobs')
  .description('show one job, or list the newest analyses')
  .argument('[job]', 'job ID, from `dpa submit` or from the list')
  .option('--org <org>', 'slug or ID of the organization (DPA_ORG)')
  .option('--url <url>', 'address of the service (DPA_URL)')
  .option('--wait', 'wait until the job ends')
  .addOption(new Option('--format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'))
  .option('--top <n>', 'number of changes to show in each part of text and markdown', parseWholeNumber, 20)
  .option('--timeout <seconds>', 'time limit for --wait', parseWholeNumber, 600)
  .option('--limit <n>', 'number of analyses to list', parseWholeNumber, 20)
  .option('--repo <owner/name>', 'list only analyses of this repository')
  .option('--pr <n>', 'list only analyses of this pull request or merge request', parseWholeNumber)
  .action(async (job, options) => (await import('./commands/jobs.ts')).jobs(job, options));

program
  .command('login')
  .description('log in with a code that you confirm in a browser, or with an API key')
  .option('--url <url>', 'address of the service (DPA_URL)')
  .option('--org <org>', 'slug or ID of the default organization (DPA_ORG)')
  .option(
    '--issuer <url>',
    'OpenID Connect provider of the service (DPA_OIDC_ISSUER); without it, the command asks for an API key',
  )
  .option('--client-id <id>', 'client ID at the provider, with device codes enabled (DPA_OIDC_CLIENT_ID)')
  .option('--scope <scopes>', 'scopes to request', 'openid email profile offline_access')
  .option('--resource <uri>', 'resource of the access token, if the provider requires it')
  .option('--audience <text>', 'audience of the access token, if the provider requires it')
  .option('--token-stdin', 'read an API key from standard input')
  .action(async (options) => (await import('./commands/login.ts')).login(options));

program
  .command('logout')
  .description('delete the login, and revoke it at the provider')
  .action(async () => (await import('./commands/login.ts')).logout());

const { keys } = declareFirstSteps(program);

declareNoise(program, parseWholeNumber);
declareOwners(program);
declareAccounts(program);
declareResources(program, parseWholeNumber);
declareScans(program);
declareSchedules(program);
declarePacks(program);

const state = program.command('state').description('states of Terraform and OpenTofu');
declareStateSources(state);

state
  .command('inspect')
  .description('show what a state contains, without any value, on this machine and without network access')
  .argument(
    '<state>',
    'state file from `terraform state pull`, or the output of `terraform show -json`; - reads standard input',
  )
  .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
  .option('--json', 'short for --format json')
  .addHelpText(
    'after',
    '\nExits with 1 if the file is not a state that can be read, and with 3 if a part of it could not be read.',
  )
  .action(async (state, options) => (await import('./commands/state-inspect.ts')).inspectState(state, options));

declareDrift(program, parseWholeNumber);

program
  .command('inventory')
  .description('show what files with the resources of a cloud contain, on this machine and without network access')
  .argument(
    '<file...>',
    'JSON that a command of aws, gcloud or az printed, or a folder of such files or of a recorded account; - reads standard input',
  )
  .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
  .addHelpText(
    'after',
    `
docs/inventory-files.md lists the commands to run. Exits with 1 if no file could be read, and with 3 if some files or
entries could not be read.`,
  )
  .action(async (files, options) => (await import('./commands/inventory.ts')).showInventory(files, options));

const VERIFIER_KEY = 'verifier key of the log, as the checkpoint settings of the organization show it';
const audit = program.command('audit').description('the tamper-evident audit log');

audit
  .command('verify')
  .description('verify a dump of the audit log or a Compliance Pack on this machine, without network access')
  .argument('[dump]', 'one row per line as JSON, see docs/audit-log.md; - reads standard input')
  .option(
    '--expect <chain=seq[:hash]>',
    'a head that you stored earlier: <org id>=<seq> or platform=<seq>, preferably with its hash; repeatable',
    appendValue,
  )
  .option('--anchors <file>', 'file with heads that the service wrote to audit-anchors/; repeatable', appendValue)
  .option('--pack <file>', 'Compliance Pack to verify; with a dump, also that the log has the entry that it names')
  .option('--checksum <sha256>', 'checksum of the pack that its download gave')
  .option('--checkpoint <file>', 'signed checkpoint to verify; with a dump or a pack, also that it is of the same log')
  .option('--key <key>', VERIFIER_KEY)
  .option('--since <file>', 'earlier checkpoint; with --proof, that the later one only appends entries to it')
  .option('--proof <file>', 'proof by `dpa audit prove`, to compare with the pack or the checkpoint')
  .option('--live', 'also ask the service whether its log has the entry that the pack names')
  .option('--url <url>', 'address of the service for --live (DPA_URL)')
  .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
  .addHelpText(
    'after',
    '\nExits with 0 if all is intact, 2 if a chain, the pack or a proof is not, and 1 if it could not be verified.',
  )
  .action(async (dump, options) => (await import('./commands/audit-verify.ts')).verifyAudit(dump, options));

audit
  .command('prove')
  .description('prove from a dump that one entry is in the audit log, or that the log was only appended to')
  .argument('<dump>', 'one row per line as JSON, see docs/audit-log.md; - reads standard input')
  .option('--entry <org id=seq>', 'the entry to prove: ID of its organization, and its number')
  .option('--since <file>', 'earlier checkpoint: prove that --checkpoint only appends entries to it')
  .option('--pack <file>', 'Compliance Pack that attests the log')
  .option('--checkpoint <file>', 'signed checkpoint that attests the log')
  .option('--key <key>', VERIFIER_KEY)
  .action(async (dump, options) => (await import('./commands/audit-proof.ts')).proveFromDump(dump, options));

declareServiceCommands({ program, audit, keys }, parseWholeNumber);

// A reader that closes the pipe early (`dpa analyze … | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

program.parseAsync().catch(reportFailure);

function appendValue(text: string, before: string[] = []): string[] {
  return [...before, text];
}

function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
