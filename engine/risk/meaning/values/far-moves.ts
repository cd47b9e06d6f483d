/** Judges numbers of unknown services that move so far that the argument no longer does what it was set for. */
import { isUnlimited, readNumber } from './numbers.ts';
import { hasStakes } from './stakes.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** What a greater number weakens: it stops, tells or ends later. */
const CEILINGS = listWords(
  'max maximum limit cap ceiling delay window lifetime deviation above over tolerance interval expiry expiration age high ' +
    'threshold after tripping trip lag drift until lock logout lockdown',
);
/** What a smaller number weakens: it lets more in, or comes again sooner. */
const FLOORS = listWords(
  'min minimum floor least below low score threshold lockout cooldown confidence similarity match quorum distance age length',
);
/** Numbers that size, tune or address something. */
const SIZES = listWords(
  'size connection connections memory cpu core item upload capacity instance node replica partition worker thread task ' +
    'buffer batch byte mb gb kb message request concurrency parallelism depth port id version priority weight index retry ' +
    'page cache ttl backoff attempt idle keepalive pool scale scaling warm start day_of hour_of position order width height ' +
    'quality bitrate fps budget spend cost quota count column row record iops throughput bandwidth session file',
);
/** Without another word, a name does not say what it limits. */
const BARE = listWords('max maximum min minimum limit value cap floor ceiling number');
const PERCENT = listWords('percent percentage pct');
const FAR = 50;
/** Limits that are named as such are raised in small steps. */
const HARD = listWords('max maximum limit cap ceiling');
const FAR_LIMIT = 10;
/** So many digits, signs or people that one is no longer the same. */
const SEVERAL = 4;
/** The part of its scale by which a share moves when it no longer separates anything. */
const HALF = 0.5;

export function judgeFarMove(argument: Argument): ValueFinding | null {
  const { words, outer, effect, before, after } = argument;
  if (!effect.inferred || hasAny(words, SIZES) || hasAny(outer, SIZES)) return null;
  const [from, to] = [readNumber(before), readNumber(after)];
  if (from === null || to === null || from <= 0 || from === to || isUnlimited(after)) return null;
  const [stops, lets] = [hasAny(words, CEILINGS), hasAny(words, FLOORS)];
  if ((!stops && !lets) || ![...words].some((word) => !BARE.has(word)) || !hasStakes(argument)) return null;
  const scale = findScale(words, from);
  if (scale !== null && Math.abs(to - from) >= scale * HALF) return FINDING;
  if (stops && to >= from * (hasAny(words, HARD) ? FAR_LIMIT : FAR)) return FINDING;
  return lets && (to <= 0 || to <= from / FAR || (to <= 1 && from >= SEVERAL)) ? FINDING : null;
}

const FINDING: ValueFinding = {
  rule: 'R-VAL-THRESHOLD',
  level: 'high',
  direction: 'weakening',
  consequence: 'The limit moves so far that it hardly stops, tells or separates anything any more',
};

/** The greatest value of a share; null for other numbers. */
function findScale(words: ReadonlySet<string>, from: number): number | null {
  if (hasAny(words, PERCENT)) return from <= 100 ? 100 : null;
  return from < 1 ? 1 : null;
}
