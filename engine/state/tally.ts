import type { StateCount, StateFailure, StateInstance, StateSummary } from './types.ts';

const MAX_FAILURES = 100;
/** Real states have a few hundred types and modules. Beyond these limits, names are counted together. */
const MAX_NAMES = 5000;
const OTHER_NAMES = '(other)';
const MAX_MODULES = 200_000;

type Counts = Omit<StateSummary, 'format' | 'format_version' | 'terraform_version' | 'serial' | 'lineage'>;

/** Counts the instances of a state and keeps the first failures. */
export class Tally {
  private readonly counts = {
    instance_count: 0,
    managed_count: 0,
    data_count: 0,
    deposed_count: 0,
    tainted_count: 0,
    output_count: 0,
    sensitive_count: 0,
    parse_failure_count: 0,
  };
  private readonly modules = new Set<string>();
  private readonly providers = new Map<string, StateCount>();
  private readonly types = new Map<string, StateCount>();
  private readonly failures: StateFailure[] = [];

  add({ module_address, mode, type, deposed, tainted, provider_name, sensitive_count }: StateInstance): void {
    const { counts } = this;
    counts.instance_count += 1;
    counts.sensitive_count += sensitive_count;
    if (tainted) counts.tainted_count += 1;
    if (module_address !== null && this.modules.size < MAX_MODULES) this.modules.add(module_address);
    if (deposed !== null) {
      counts.deposed_count += 1;
      return;
    }
    counts[mode === 'data' ? 'data_count' : 'managed_count'] += 1;
    count(this.providers, provider_name, mode);
    count(this.types, type, mode);
  }

  addOutput(sensitive: boolean): void {
    this.counts.output_count += 1;
    if (sensitive) this.counts.sensitive_count += 1;
  }

  fail(address: string, reason: string): void {
    this.counts.parse_failure_count += 1;
    if (this.failures.length < MAX_FAILURES) this.failures.push({ address, reason });
  }

  result(): Counts {
    return {
      ...this.counts,
      module_count: this.modules.size,
      by_provider: sortCounts(this.providers),
      by_type: sortCounts(this.types),
      parse_failures: this.failures,
    };
  }
}

function count(counts: Map<string, StateCount>, name: string, mode: 'managed' | 'data'): void {
  const key = counts.has(name) || counts.size < MAX_NAMES ? name : OTHER_NAMES;
  const known = counts.get(key);
  if (known === undefined) counts.set(key, { name: key, managed: 0, data: 0, [mode]: 1 });
  else known[mode] += 1;
}

function sortCounts(counts: Map<string, StateCount>): StateCount[] {
  return [...counts.values()].sort(
    (a, b) => b.managed + b.data - (a.managed + a.data) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}
