/** Writes one plan for each labeled change, with their LABELS.tsv and PAIRS.tsv. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LabeledResource {
  type: string;
  name: string;
  provider?: string;
  mode?: string;
  actions: string[];
  before: unknown;
  after: unknown;
  after_unknown?: unknown;
  replace_paths?: (string | (string | number)[])[];
  /** Members of the entry that say where the object was before, and why it changes. */
  entry?: { index?: string | number; deposed?: string; previous_address?: string; action_reason?: string };
  importing?: { id: string };
}

export interface LabeledChange extends LabeledResource {
  id: string;
  /** Other resources of the same plan, which give the change its meaning. */
  context?: LabeledResource[];
  provider_config?: unknown;
  /** Other members of the plan, such as `checks` or `output_changes`. */
  plan?: Readonly<Record<string, unknown>>;
  /** A level, or the lowest and the highest acceptable one: `high-critical`. */
  band: string;
  noise?: 'benign' | 'novel';
  /** Id of the twin that must be rated lower. */
  pair?: string;
  why: string;
}

/** Reads one change from each line. */
export function readChanges(text: string): LabeledChange[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LabeledChange);
}

/** The expected level of each band. */
const EXPECTED: Readonly<Record<string, string>> = {
  'none-low': 'low',
  'low-medium': 'low',
  'none-medium': 'low',
  'medium-high': 'medium',
  'low-high': 'medium',
  'high-critical': 'high',
  'medium-critical': 'high',
};
const RISKY = /^(?:medium|high|critical)/;

export function writeChanges(folder: string, changes: readonly LabeledChange[]): void {
  const labels = ['file\texpected\tacceptable\treason\tkey_addresses\tnoise_expected'];
  const pairs = ['risky\tsafe\twhy'];
  for (const change of changes) {
    const { id, band, noise, pair, why } = change;
    const plan = toPlan(change);
    const address = plan.resource_changes[0]!.address;
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(plan));
    const noise_expected = noise === undefined ? '' : `${address}=${noise}`;
    // Where the rest of the plan decides, the level of the change is not the band.
    const key_addresses = change.plan === undefined ? `${address}=${band}` : '';
    labels.push([`${id}.json`, EXPECTED[band] ?? band, band, why, key_addresses, noise_expected].join('\t'));
    if (pair !== undefined && RISKY.test(band)) pairs.push([`${id}.json`, `${pair}.json`, why].join('\t'));
  }
  writeFileSync(join(folder, 'LABELS.tsv'), `${labels.join('\n')}\n`);
  writeFileSync(join(folder, 'PAIRS.tsv'), `${pairs.join('\n')}\n`);
}

function toPlan(change: LabeledChange) {
  const addresses = new Set<string>();
  const resource_changes = [change, ...(change.context ?? [])].map((resource, at) => {
    const entry = toEntry(resource, '');
    const unique = addresses.has(entry.address) ? toEntry(resource, `_${at}`) : entry;
    addresses.add(unique.address);
    return unique;
  });
  return {
    format_version: '1.2',
    terraform_version: '1.11.4',
    resource_changes,
    configuration: { provider_config: change.provider_config ?? {}, root_module: {} },
    timestamp: '2026-11-20T10:00:00Z',
    errored: false,
    applyable: true,
    complete: true,
    ...change.plan,
  };
}

function toEntry(resource: LabeledResource, suffix: string) {
  const { type, before, after, actions, after_unknown = {}, mode = 'managed', replace_paths } = resource;
  const { entry = {}, importing } = resource;
  const name = `${resource.name}${suffix}`;
  const sensitive = (side: unknown) => (side === null || side === undefined ? false : {});
  return {
    address: `${mode === 'data' ? 'data.' : ''}${type}.${name}${formatIndex(entry.index)}`,
    ...{ mode, type, name, ...entry },
    provider_name: resource.provider ?? `registry.terraform.io/hashicorp/${type.split('_')[0]}`,
    change: {
      ...{ actions, before: before ?? null, after: after ?? null, after_unknown },
      before_sensitive: sensitive(before),
      after_sensitive: sensitive(after),
      ...(importing && { importing }),
      ...(replace_paths && { replace_paths: replace_paths.map((path) => (Array.isArray(path) ? path : [path])) }),
    },
  };
}

function formatIndex(index: string | number | undefined): string {
  return index === undefined ? '' : `[${JSON.stringify(index)}]`;
}
