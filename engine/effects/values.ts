import type { EffectName, ValueKind } from './types.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

let ranks: Map<string, Map<string, number>> | undefined;

/**
 * Strength of a value of an enumeration for an effect, 0 for the weakest: `Disabled` before `Enabled`, `public` before
 * `private`. Undefined if the vocabulary does not have the value.
 */
export function rankValue(effect: EffectName, value: string): number | undefined {
  ranks ??= readRanks();
  return ranks.get(effect)?.get(value.toLowerCase());
}

function readRanks(): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const { effects, ranks } of vocabulary.values) {
    const byValue = new Map(ranks.flatMap((values, rank) => values.split(', ').map((value) => [value, rank] as const)));
    for (const effect of effects.split(' ')) found.set(effect, byValue);
  }
  return found;
}

/** Position of a TLS or SSL version or policy on one scale, from the numbers in its name: `TLSv1.2_2021`, `tls1_2`. */
export function rankTls(value: string): number | undefined {
  const match = /(tls|ssl)[a-z]{0,8}[-_ ]?v?[-_ ]?(\d)(?:[._-]?(\d))?/i.exec(value);
  if (match === null) return undefined;
  const [, protocol, major, minor] = match;
  return (protocol!.toLowerCase() === 'tls' ? 100 : 0) + Number(major) * 10 + Number(minor ?? 0);
}

/** Kind of a value from a plan; undefined for null and unknown values. */
export function findKind(value: unknown): ValueKind | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'boolean' || value === 'true' || value === 'false') return 'bool';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return isRecord(value[0]) ? 'block' : 'list';
  return 'block';
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
