import { lowestVersion, type ProviderVersions } from '../noise/fixed-version.ts';
import type { UnknownLeaf } from '../noise/unknown.ts';
import { compareText, type JudgedChange } from './ranking.ts';

/** A difference that no rule matches, described by its shape without values. */
export interface UnknownPattern extends UnknownLeaf {
  /** Source address without the registry host: `hashicorp/aws`. */
  provider: string;
  /** Lowest version that the plan allows, such as `5.31`; null if the plan does not contain it. */
  provider_version: string | null;
  resource_type: string;
}

interface Counted extends Omit<UnknownPattern, 'provider_version'> {
  count: number;
}

const MAX_LISTED = 50;
/** Maximum number of distinct patterns; later ones are not counted. */
const MAX_KEPT = 2000;
const MAX_ATTRIBUTE = 160;
/** Format of a provider address in registries. */
const PROVIDER = /^[a-z0-9][a-z0-9_-]{0,62}(\/[a-z0-9][a-z0-9_-]{0,62})?$/;

/** Counts unclassified patterns. */
export class UnknownPatterns {
  private readonly kept = new Map<string, Counted>();

  add({ change, unknown }: Pick<JudgedChange, 'change' | 'unknown'>): void {
    const { provider_name: provider, type: resource_type } = change;
    if (unknown.length === 0 || !PROVIDER.test(provider)) return;
    for (const leaf of unknown) {
      if (leaf.attribute.length > MAX_ATTRIBUTE) continue;
      const key = `${leaf.fingerprint} ${provider}`;
      const known = this.kept.get(key);
      if (known !== undefined) known.count += 1;
      else if (this.kept.size < MAX_KEPT) this.kept.set(key, { ...leaf, provider, resource_type, count: 1 });
    }
  }

  /** At most 50, most frequent first, without names that contain a secret. */
  list(redactText: (text: string) => string, versions: ProviderVersions): UnknownPattern[] {
    return [...this.kept.values()]
      .filter(
        ({ attribute, resource_type }) =>
          redactText(attribute) === attribute && redactText(resource_type) === resource_type,
      )
      .sort(compareCounted)
      .slice(0, MAX_LISTED)
      .map(({ count: _, ...pattern }) => ({ ...pattern, provider_version: lowestVersion(pattern.provider, versions) }));
  }
}

function compareCounted(a: Counted, b: Counted): number {
  return b.count - a.count || compareText(a.fingerprint, b.fingerprint) || compareText(a.provider, b.provider);
}
