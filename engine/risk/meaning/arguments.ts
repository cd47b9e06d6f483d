import { type PathTemplate, toPathNode } from '../../changes/path-node.ts';
import { createPathTree, createTouchTest, touchesPath } from '../../changes/path-tree.ts';
import type { ResourceChange } from '../../changes/types.ts';
import { isEqual, type MaybeJson } from '../../changes/values.ts';
import { type Effect, isComputedArgument } from '../../effects/index.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { looksLikeJson } from '../../lib/json-text.ts';
import { isAtLeast, minLevel } from '../../model/levels.ts';
import type { AttributeDiff, RiskLevel } from '../../model/result.ts';
import { isSecretName } from '../../redact/secrets.ts';
import { reportGeneralMove, reportOuterMove } from '../attributes/moves/index.ts';
import type { Subject } from '../attributes/subject.ts';
import type { Path } from '../attributes/types.ts';
import { member, text } from '../attributes/values.ts';
import type { Pair } from '../attributes/walk.ts';
import { findPurpose, rateDestination } from '../destinations/index.ts';
import { isAnonymousHost, readPlace } from '../destinations/places.ts';
import { judgeSetting } from '../documents/settings.ts';
import { COMPUTED, isEveryday } from '../leaves.ts';
import { lookUpTraits, type Traits } from '../traits.ts';
import { findMove } from './direction.ts';
import { findEffectLevel } from './levels.ts';
import { readMagnitude } from './magnitude.ts';
import { describeConsequence, effectRuleId } from './reasons.ts';
import type { KnownEffect, Move } from './types.ts';
import { type Argument, createArgumentReader, judgeValue, type ValueFinding } from './values/index.ts';

/** A name alone is a hint: it never says that data is gone, or that anyone gets in. */
const MOST_INFERRED: RiskLevel = 'high';
/** A plan that changes more arguments of one resource is judged by the rules alone. */
const MAX_ARGUMENTS = 500;
const UNCLEAR: Move = { direction: 'neutral', degree: 'part' };

/** Effects whose directions are those of a protection. */
const PROTECTS: ReadonlySet<KnownEffect> = new Set<KnownEffect>([
  ...(['guard', 'exposure', 'identity', 'encryption'] as const),
  ...(['retention', 'observability', 'destructive'] as const),
]);

/** A changed argument with the names that tell whether its value is secret. */
interface Named extends Pair {
  names: readonly string[];
}

interface Judged extends Named {
  effect: KnownEffect;
  inferred: boolean;
  move: Move;
  level: RiskLevel;
}

/**
 * Adds a reason for each effect that an updated argument weakens, unless a rule already judged the argument.
 *
 * @param judged paths that rules have judged
 * @param isWatched whether a rule reads an argument; a policy that its rules accept is not judged again
 * @returns whether the effects of all other arguments are known from documentation, and none is above low
 */
export function findEffectReasons(
  subject: Subject,
  judged: readonly Path[],
  isWatched: (diff: AttributeDiff) => boolean,
): boolean {
  const tree = createPathTree(judged);
  const isTouched = createTouchTest(tree);
  const { type, before, after } = subject;
  const traits = lookUpTraits(type);
  const readArgument = createArgumentReader({ type, traits, before, after });
  // A policy that its rules accept can still grant more than before.
  const isAccepted = (diff: AttributeDiff) => isPolicy(diff) && isWatched(diff) && !isTouched(toPathNode(diff));
  let harmless = !subject.change.diffs.some((diff) => !isNoise(diff) && isAccepted(diff));
  let count = 0;
  const isLeft = (diff: AttributeDiff) =>
    !isTouched(toPathNode(diff)) && !(isPolicy(diff) && isWatched(diff)) && !isEveryday(diff, subject.type);
  for (const { pattern, left } of listArguments(subject.change, isLeft)) {
    for (const pair of subject.pairs(pattern)) {
      if (!pair.unknown && isEqual(pair.before ?? null, pair.after ?? null)) continue;
      const by_rule = !left || touchesPath(tree, findBlock(pair.path));
      harmless = judgePair(subject, readArgument(pair), { pair, traits, by_rule }) && harmless;
      // An argument of a block that goes away says nothing about the block.
      if (pair.after === undefined && !pair.unknown && findBlock(pair.path).length < pair.path.length) harmless = false;
      count += 1;
    }
  }
  return harmless && count > 0;
}

/** The block that contains an argument: a rule that judged a part of a block has judged the block. */
function findBlock(path: Path): Path {
  const index = path.findLastIndex((segment) => typeof segment === 'number');
  return index < 0 ? path : path.slice(0, index + 1);
}

/** @returns whether the argument is known to be harmless, or a rule has judged it */
function judgePair(
  subject: Subject,
  argument: Argument,
  { pair, traits, by_rule }: { pair: Pair; traits: Traits; by_rule: boolean },
): boolean {
  const value = pair.unknown ? null : judgeValue(argument);
  // That a value changes without a direction says less than a table that knows the argument.
  const is_vague = value?.direction === 'neutral' && value.level === 'medium';
  if (is_vague && !by_rule && reportGeneralMove(subject, pair)) return false;
  const named = value !== null || by_rule || pair.unknown ? null : judgeName(argument);
  if (named !== null) {
    reportValue(subject, { ...pair, names: argument.names }, named);
    return false;
  }
  if (value !== null && (!by_rule || (value.beyond_rules === true && isAtLeast(value.level, 'medium')))) {
    reportValue(subject, { ...pair, names: argument.names }, value);
    return !isAtLeast(value.level, 'medium');
  }
  if (by_rule) return true;
  if (!pair.unknown && reportGeneralMove(subject, pair)) return false;
  const found = judgeArgument(subject, argument, pair, traits);
  const is_quiet = found === null || (found.move.direction === 'neutral' && !isAtLeast(found.level, 'medium'));
  if (is_quiet && !pair.unknown && reportOuterMove(subject, pair)) return false;
  if (found !== null) report(subject, found);
  return found !== null && !found.inferred && !isAtLeast(found.level, 'medium');
}

/** A switch that nobody has documented is judged like one of a program: by its name, where that leaves no doubt. */
function judgeName({ names, before, after, effect }: Argument): ValueFinding | null {
  if (!effect.inferred || typeof before !== 'boolean' || typeof after !== 'boolean') return null;
  const found = judgeSetting({ names, before, after });
  if (found === null || found.direction !== 'weakening' || !isAtLeast(found.level, 'high')) return null;
  return { rule: 'R-VAL-WORDS', ...found };
}

/** One or more changed arguments; `left`: no rule has judged one of them. */
interface ArgumentPattern {
  pattern: string[];
  left: boolean;
}

/** The changed arguments as patterns: list items belong to their list, and `*` stands for an index. */
function listArguments(
  { diffs, type }: ResourceChange,
  isLeft: (diff: AttributeDiff) => boolean,
): Iterable<ArgumentPattern> {
  const patterns = new Map<string, ArgumentPattern>();
  const by_template = new Map<PathTemplate, ArgumentPattern>();
  for (const diff of diffs) {
    if (isNoise(diff) || isComputed(diff, type)) continue;
    const { template } = toPathNode(diff);
    const known = by_template.get(template);
    if (known?.left) continue;
    const left = isLeft(diff);
    if (known !== undefined) {
      known.left = left;
      continue;
    }
    const segments = diff.path_segments;
    const end = segments.findLastIndex((segment) => typeof segment === 'string') + 1;
    const pattern = segments.slice(0, end).map((segment) => (typeof segment === 'number' ? '*' : segment));
    const key = pattern.join('\n');
    const entry = patterns.get(key) ?? { pattern, left };
    entry.left ||= left;
    patterns.set(key, entry);
    by_template.set(template, entry);
    if (patterns.size >= MAX_ARGUMENTS) break;
  }
  return patterns.values();
}

/** Proven or known by a rule. What a model believes does not count. */
function isNoise({ noise, same }: AttributeDiff): boolean {
  return noise === 'known_benign' || same !== undefined;
}

function isPolicy({ after }: AttributeDiff): boolean {
  return typeof after === 'string' && looksLikeJson(after);
}

function isComputed(diff: AttributeDiff, type: string): boolean {
  const { first } = toPathNode(diff);
  if (diff.after_unknown && typeof first === 'string' && isComputedArgument(type, first)) return true;
  // Cloud Run computes `conditions`; alarms are configured by an argument of this name.
  if (first === 'conditions') return diff.after_unknown;
  return typeof first === 'string' && (COMPUTED.has(first) || first.endsWith('_revision'));
}

function judgeArgument(
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
  const rated = inferred ? capInferred(level, move, names) : level;
  const level_found = is_anonymous ? 'high' : rated;
  return { path, before, after, unknown, names, effect, inferred, move, level: level_found };
}

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
/** Of fewer things, one more or less matters. */
const FEW = 8;

/** A number that keeps more than two thirds of its size. */
function isTuned({ path, before, after }: Pair): boolean {
  if (PLACES.test(String(path.at(-1))) || typeof before !== 'number' || typeof after !== 'number') return false;
  const [less, more] = before < after ? [before, after] : [after, before];
  return less >= FEW && less * 3 > more * 2;
}

/** Numbers that order or address something, of which every step counts. */
const PLACES = /priority|order|position|rank|index|port|protocol|id$/;

/** Effects of which shares and great numbers are tuned in small steps. */
const FINE: ReadonlySet<KnownEffect> = new Set(['guard', 'routing'] as const);
/** Smaller numbers count something of which one more or less matters. */
const GREAT = 50;

/** A step by less than a third of a great number, or of a share below one. */
function isTiny({ path, before, after }: Pair): boolean {
  if (PLACES.test(String(path.at(-1))) || typeof before !== 'number' || typeof after !== 'number') return false;
  const [less, more] = before < after ? [before, after] : [after, before];
  const is_share = less > 0 && more <= 1 && !(Number.isInteger(less) && Number.isInteger(more));
  return (is_share || less >= GREAT) && more * 3 <= less * 4;
}

function isSmallStep({ path, before, after }: Pair): boolean {
  return !PLACES.test(String(path.at(-1))) && keepsHalf(before, after) && keepsHalf(after, before);
}

/** Whether an amount keeps at least half of its size. */
function keepsHalf(before: MaybeJson, after: MaybeJson): boolean {
  const [from, to] = [readMagnitude(before), readMagnitude(after)];
  return from !== null && to !== null && to.amount > 0 && to.amount * 2 >= from.amount;
}

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

function report(subject: Subject, judged: Judged): void {
  const { path, effect, move, level } = judged;
  if (move.direction !== 'neutral' && PROTECTS.has(effect)) subject.setDirection(path, move.direction);
  if (!isAtLeast(level, 'medium')) return;
  const origin = judged.inferred ? ' (inferred from its name)' : '';
  subject.add({
    rule: effectRuleId(effect),
    level,
    path,
    message: `${describeConsequence(effect, move)}: ${subject.formatPath(path)}${origin} ${formatChange(subject, judged)}.`,
    states_values: true,
    neutral: move.direction === 'neutral',
  });
}

function reportValue(subject: Subject, pair: Named, { rule, level, direction, consequence }: ValueFinding): void {
  if (direction !== 'neutral') subject.setDirection(pair.path, direction);
  if (!isAtLeast(level, 'medium')) return;
  subject.add({
    rule,
    level,
    path: pair.path,
    message: `${consequence}: ${subject.formatPath(pair.path)} ${formatChange(subject, pair)}.`,
    states_values: true,
    neutral: direction === 'neutral',
  });
}

function formatChange(subject: Subject, { path, names, before, after, unknown }: Named): string {
  if (unknown) return 'changes to a value that is unknown until apply';
  if (subject.isHidden(path) || isSecretName(names)) return 'changes (values withheld)';
  const [from, to] = [subject.quote(path, before), subject.quote(path, after)];
  // Blocks have no short text of their own.
  if (from === to) return isReordered(before, after) ? 'has its blocks in another order' : 'changes';
  return `changes from ${from} to ${to}`;
}

function isReordered(before: MaybeJson, after: MaybeJson): boolean {
  const sort = (list: readonly MaybeJson[]) => list.map((item) => JSON.stringify(item)).sort();
  return Array.isArray(before) && Array.isArray(after) && isEqual(sort(before), sort(after));
}
