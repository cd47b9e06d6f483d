import { DAY, readSeconds } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const DNS = listWords('dns record recordset zone');
/** Resolvers keep answers at most about this long. */
const LONG_SECONDS = 2 * DAY;

/** Judges how long resolvers keep a DNS answer: answers do not change, but a long time delays every correction. */
export function judgeDnsLifetime({ words, type, before, after }: Argument): ValueFinding | null {
  if (!words.has('ttl') || !hasAny(type, DNS)) return null;
  const [from, to] = [readSeconds(before, words, 1), readSeconds(after, words, 1)];
  if (to === null) return null;
  const grows = to > LONG_SECONDS && (from === null || to >= from * 10);
  return {
    rule: 'R-VAL-DNSTTL',
    level: grows ? 'medium' : 'low',
    direction: 'neutral',
    consequence: 'Resolvers keep the answers for days, so that an error or a failover takes days to reach clients',
  };
}
