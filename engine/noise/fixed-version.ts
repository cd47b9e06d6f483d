import { readProvider } from '../changes/provider.ts';
import type { RawProviderConfig } from '../plan/types.ts';

/** Version components, most significant first; missing ones are zero. */
type Version = readonly number[];

/** Lowest version that each provider can have, by `namespace/name`, or by short name in old plans. */
export type ProviderVersions = ReadonlyMap<string, Version>;

const TERM = /^(>=|<=|!=|~>|=|>|<)?\s*v?(\d+(?:\.\d+)*)/;

/**
 * Collects the provider versions that a plan allows. All modules share one provider version, so the highest lower bound
 * applies.
 *
 * `versions` is live; it is complete after the last provider was observed.
 */
export function createProviderVersions(): { observe(provider: RawProviderConfig): void; versions: ProviderVersions } {
  const versions = new Map<string, Version>();

  function observe({ full_name, name, version_constraint }: RawProviderConfig): void {
    const { provider_name } = readProvider(full_name ?? name, '');
    const lowest = findLowestBound(version_constraint ?? '');
    if (lowest === null || provider_name === '') return;
    const known = versions.get(provider_name);
    if (known === undefined || compareVersions(lowest, known) > 0) versions.set(provider_name, lowest);
  }

  return { observe, versions };
}

/**
 * Whether the provider version already contains the fix for a noise rule. If so, a matching difference is a real
 * change.
 *
 * @param fixed_in_version first release with the fix; null if unknown
 * @param provider_name as in `ResourceChange`
 */
export function isFixed(fixed_in_version: string | null, provider_name: string, versions: ProviderVersions): boolean {
  if (fixed_in_version === null || versions.size === 0) return false;
  const fixed = parseVersion(fixed_in_version);
  return lowestVersions(provider_name, versions).some((lowest) => compareVersions(lowest, fixed) >= 0);
}

/** Lowest version that a provider can have, such as `5.31`; null if the plan does not contain it. */
export function lowestVersion(provider_name: string, versions: ProviderVersions): string | null {
  return lowestVersions(provider_name, versions)[0]?.slice(0, 3).join('.') ?? null;
}

function lowestVersions(provider_name: string, versions: ProviderVersions): Version[] {
  const names = [provider_name, provider_name.slice(provider_name.lastIndexOf('/') + 1)];
  return names.flatMap((name) => {
    const lowest = versions.get(name);
    return lowest === undefined ? [] : [lowest];
  });
}

/** Highest lower bound of all terms; null if there are only upper bounds and exclusions. */
function findLowestBound(constraint: string): Version | null {
  let lowest: Version | null = null;
  for (const term of constraint.split(',')) {
    const bound = readLowerBound(term);
    if (bound !== null && (lowest === null || compareVersions(bound, lowest) > 0)) lowest = bound;
  }
  return lowest;
}

/** A pre-release counts as its release, because it may already contain the fix. */
function readLowerBound(term: string): Version | null {
  const [, operator = '=', text] = TERM.exec(term.trimStart()) ?? [];
  if (text === undefined || operator === '<' || operator === '<=' || operator === '!=') return null;
  const version = parseVersion(text);
  if (operator !== '>') return version;
  return [version[0] ?? 0, version[1] ?? 0, (version[2] ?? 0) + 1];
}

function parseVersion(text: string): Version {
  return text.split('.').map((part) => Number.parseInt(part, 10));
}

function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
