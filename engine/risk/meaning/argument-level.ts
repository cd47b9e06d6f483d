/** How much a changed argument matters, by its effect, its move, and the places that it names. */
import type { MaybeJson } from '../../changes/values.ts';
import type { Effect } from '../../effects/index.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { minLevel } from '../../model/levels.ts';
import type { RiskLevel } from '../../model/result.ts';
import type { Subject } from '../attributes/subject.ts';
import type { Path } from '../attributes/types.ts';
import { member, text } from '../attributes/values.ts';
import type { Pair } from '../attributes/walk.ts';
import { findPurpose, rateDestination } from '../destinations/index.ts';
import { isAnonymousHost, readPlace } from '../destinations/places.ts';
import type { Traits } from '../traits.ts';
import type { Judged } from './argument-reports.ts';
import { findMove } from './direction.ts';
import { findEffectLevel } from './levels.ts';
import { isSmallStep, isTiny, isTuned, keepsHalf } from './steps.ts';
import type { KnownEffect, Move } from './types.ts';
import type { Argument } from './values/index.ts';

/** A name alone is a hint: it never says that data is gone, or that anyone gets in. */
const MOST_INFERRED: RiskLevel = 'high';
const UNCLEAR: Move = { direction: 'neutral', degree: 'part' };

/** @returns null if nobody knows what the argument does */
export function judgeArgument(
  subject: Subject,
  { effect: found, names }: Argument,
  pair: Pair,
  traits: Traits,
): Judged | null {
  const { path, before, after, unknown } = pair;
  const { effect, inferred } = found;
  if (effect === 'unknown') return null;
  const move =
    unknown || (effect === 'exposure' && refuses(subject.after))
      ? UNCLEAR
      : isAddition(subject, pair, names, effect)
        ? ADDS
        : findMove(found, before, after);
  const level = unknown ? 'low' : findLevel(subject, { found, effect, move, pair, traits });
  const is_anonymous = isAnonymousHost(after) && !isAnonymousHost(before);
  const is_great =
    effect === 'identity' && move.direction === 'neutral' && isAdministrator(after) && !isAdministrator(before);
  const notifies =
    effect === 'observability' &&
    move.degree === 'all' &&
    move.direction === 'weakening' &&
    NOTIFIED.test(names.at(-1) ?? '');
  const rated = inferred ? capInferred(level, move, names) : is_great || notifies ? 'high' : level;
  const level_found = is_anonymous ? 'high' : rated;
  return { path, before, after, unknown, names, effect, inferred, move, level: level_found };
}

/** Names of roles and accounts with all rights, as the end of an ARN or of an address. */
const ADMINISTRATOR =
  /(?:^|[/:_.-])(?:[a-z]{0,20}[_-]?admin(?:istrator)?(?:s|access)?|poweruser(?:access)?|root|superuser|cluster-admin|break-?glass)(?:$|[@_.-](?![a-z]{0,20}(?:read|view|audit)))/i;

function isAdministrator(value: MaybeJson): boolean {
  return typeof value === 'string' && value.length <= 300 && ADMINISTRATOR.test(value);
}

/** Lists of those who are notified. */
const NOTIFIED =
  /^(?:notify|notifications?|notified|receivers?|recipients?|responders?|contacts?|contact_points?|escalation_targets?|subscribers?|channels?)(?:_ids|_names|_emails)?$/i;

const REFUSES = /^(?:deny|block|drop|reject)/i;

/** Whether an object is a rule that refuses, of which a longer list is the safer one. */
function refuses(object: MaybeJson): boolean {
  const blocks = member(object, 'deny');
  if (Array.isArray(blocks) && blocks.length > 0) return true;
  return ['action', 'access'].some((name) => REFUSES.test(text(member(object, name))));
}

const ADDS: Move = { direction: 'strengthening', degree: 'part' };
/** Blocks of which each entry asks for more: checks, reviewers, approvals. */
const REQUIRES = /require|mandatory|reviewer|approver|approval|protected/;
const EXEMPTS = /bypass|exclu|exempt|except|skip|ignore|allow|dismiss/;

/** Whether a protection only gains entries in the list of blocks that contains an argument. */
function isAddition(subject: Subject, { path }: Pair, names: readonly string[], effect: KnownEffect): boolean {
  if (effect !== 'guard') return false;
  const end = path.findLastIndex((segment) => typeof segment === 'number');
  const name = names.join(' ');
  if (end < 1 || !REQUIRES.test(name) || EXEMPTS.test(name)) return false;
  const [before, after] = [subject.before, subject.after].map((side) => readAt(side, path.slice(0, end)));
  if (!Array.isArray(before) || !Array.isArray(after) || after.length <= before.length) return false;
  const known = new Set(after.map((entry) => canonicalJson(entry)));
  return before.every((entry) => known.has(canonicalJson(entry)));
}

function readAt(side: MaybeJson, path: Path): MaybeJson {
  let at: MaybeJson = side;
  for (const segment of path) at = Array.isArray(at) ? at[Number(segment)] : member(at, String(segment));
  return at;
}

/** Pages of other sites can read answers, but only with what their browsers send. */
const BROWSERS = /cors/i;

/** Without a direction, the words of a name say nothing about the risk. */
function capInferred(level: RiskLevel, { direction }: Move, names: readonly string[]): RiskLevel {
  if (direction !== 'weakening') return minLevel(level, 'low');
  return minLevel(level, names.some((name) => BROWSERS.test(name)) ? 'medium' : MOST_INFERRED);
}

interface Known {
  found: Effect;
  effect: KnownEffect;
  move: Move;
  pair: Pair;
  traits: Traits;
}

/** Effects that are those of the places that an argument names. */
const POINTS: ReadonlySet<KnownEffect> = new Set(['data_path', 'identity', 'exposure'] as const);

/** Arguments that name a place are judged by whether the place changes, and by who owns the new one. */
function findLevel(subject: Subject, { found, effect, move, pair, traits }: Known): RiskLevel {
  const { path, before, after } = pair;
  if (traits.dns_record && path.at(-1) === 'ttl') return 'low';
  // How long browsers remember the answer to a preflight request.
  if (CORS_AGE.test(path.join('.'))) return 'low';
  const level = findEffectLevel(effect, move, traits);
  if (effect === 'capacity' && traits.kind === null && keepsHalf(before, after)) return 'low';
  if (effect === 'guard' && move.direction === 'neutral' && isSmallStep(pair)) return 'low';
  if (FINE.has(effect) && isTiny(pair)) return 'low';
  if (found.inferred && STEPS.has(effect) && isTuned(pair)) return 'low';
  // Another size or type of a data store usually restarts it.
  if (effect === 'capacity' && move.direction === 'neutral' && traits.kind !== null) return 'medium';
  if (effect === 'routing' && SPREADS.test(String(path.at(-1))) && onlyGains(before, after)) return 'low';
  if (POINTS.has(effect) && staysOurs(subject, pair, effect)) return 'low';
  if (effect !== 'data_path' || move.direction !== 'neutral') return level;
  const [from, to] = [readPlace(before), readPlace(after)];
  if (from === null || to === null) return found.inferred || !namesPlace(before, after) ? 'low' : level;
  return from.whole === to.whole || findPurpose(subject.type, path) === 'text' ? 'low' : level;
}

const CORS_AGE = /cors.{0,60}max_?age/i;
/** Places over which something is spread: more of them take nothing away. */
const SPREADS = /subnet|route_table|zone|region/;

function onlyGains(before: MaybeJson, after: MaybeJson): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const kept = new Set(after.map((entry) => canonicalJson(entry)));
  return before.every((entry) => kept.has(canonicalJson(entry)));
}

/** Effects of which the words of a name do not tell how much a step matters. */
const STEPS: ReadonlySet<KnownEffect> = new Set(['guard', 'retention'] as const);
/** Effects of which shares and great numbers are tuned in small steps. */
const FINE: ReadonlySet<KnownEffect> = new Set(['guard', 'routing'] as const);
/** Whether every added entry is a URL or a host of an owner that the plan already uses. */
function staysOurs(subject: Subject, { path, before, after }: Pair, effect: KnownEffect): boolean {
  const added = Array.isArray(after) ? after : [after];
  if (!added.some((entry) => typeof entry === 'string' && /\.|:\/\//.test(entry) && !entry.includes('@'))) return false;
  // Another object of ours can still be reachable by others, or allow more.
  if (effect !== 'data_path' && added.some((entry) => readPlace(entry)?.owner.includes(':'))) return false;
  const found = rateDestination(before, after, subject.facts.owned, findPurpose(subject.type, path));
  return found !== null && (found.relation === 'ours' || found.relation === 'same');
}

function namesPlace(before: MaybeJson, after: MaybeJson): boolean {
  return readPlace(before) !== null || readPlace(after) !== null;
}
