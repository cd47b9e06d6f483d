import { type PathTemplate, toPathNode } from '../../changes/path-node.ts';
import { createPathTree, createTouchTest, touchesPath } from '../../changes/path-tree.ts';
import { isEqual, type MaybeJson } from '../../changes/values.ts';
import { type Effect, findEffect, inferEffect } from '../../effects/index.ts';
import { looksLikeJson } from '../../lib/json-text.ts';
import { isAtLeast, minLevel } from '../../model/levels.ts';
import type { AttributeDiff, RiskLevel } from '../../model/result.ts';
import type { Subject } from '../attributes/subject.ts';
import type { Path } from '../attributes/types.ts';
import type { Pair } from '../attributes/walk.ts';
import { COMPUTED } from '../leaves.ts';
import { lookUpTraits, type Traits } from '../traits.ts';
import { findMove } from './direction.ts';
import { findEffectLevel } from './levels.ts';
import { isAnonymousHost, readPlace } from './places.ts';
import { describeConsequence, effectRuleId } from './reasons.ts';
import type { KnownEffect, Move } from './types.ts';

/** A name alone is a hint: it raises a level, but not to the levels of what is known. */
const MOST_INFERRED: RiskLevel = 'medium';
/** A plan that changes more arguments of one resource is judged by the rules alone. */
const MAX_ARGUMENTS = 500;
const UNCLEAR: Move = { direction: 'neutral', degree: 'part' };

/** Effects whose directions are those of a protection. */
const PROTECTS: ReadonlySet<KnownEffect> = new Set<KnownEffect>([
  ...(['guard', 'exposure', 'identity', 'encryption'] as const),
  ...(['retention', 'observability', 'destructive'] as const),
]);

interface Judged extends Pair {
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
  const traits = lookUpTraits(subject.type);
  let harmless = true;
  let count = 0;
  for (const pattern of listArguments(subject.change.diffs, (diff) => {
    return isTouched(toPathNode(diff)) || (isPolicy(diff) && isWatched(diff));
  })) {
    for (const pair of subject.pairs(pattern)) {
      if (touchesPath(tree, pair.path) || (!pair.unknown && isEqual(pair.before ?? null, pair.after ?? null))) continue;
      const found = judgeArgument(subject, pair, traits);
      count += 1;
      harmless &&= found !== null && !found.inferred && !isAtLeast(found.level, 'medium');
      if (found !== null) report(subject, found);
    }
  }
  return harmless && count > 0;
}

/** The changed arguments as patterns: list items belong to their list, and `*` stands for an index. */
function listArguments(diffs: readonly AttributeDiff[], isJudged: (diff: AttributeDiff) => boolean): string[][] {
  const templates = new Set<PathTemplate>();
  const patterns = new Map<string, string[]>();
  for (const diff of diffs) {
    const { template } = toPathNode(diff);
    if (templates.has(template) || isNoise(diff) || isComputed(diff) || isJudged(diff)) continue;
    templates.add(template);
    const segments = diff.path_segments;
    const end = segments.findLastIndex((segment) => typeof segment === 'string') + 1;
    const pattern = segments.slice(0, end).map((segment) => (typeof segment === 'number' ? '*' : segment));
    patterns.set(pattern.join('\n'), pattern);
    if (patterns.size >= MAX_ARGUMENTS) break;
  }
  return [...patterns.values()];
}

/** Proven or known by a rule. What a model believes does not count. */
function isNoise({ noise, same }: AttributeDiff): boolean {
  return noise === 'known_benign' || same !== undefined;
}

function isPolicy({ after }: AttributeDiff): boolean {
  return typeof after === 'string' && looksLikeJson(after);
}

function isComputed(diff: AttributeDiff): boolean {
  const { first } = toPathNode(diff);
  return typeof first === 'string' && (COMPUTED.has(first) || first.endsWith('_revision'));
}

function judgeArgument(subject: Subject, pair: Pair, traits: Traits): Judged | null {
  const { path, before, after, unknown } = pair;
  const found = findEffect(subject.type, path) ?? inferEffect(subject.type, path, after ?? before);
  const { effect, inferred } = found;
  if (effect === 'unknown') return null;
  const move = unknown ? UNCLEAR : findMove(found, before, after);
  const level = unknown ? findEffectLevel(effect, move, traits) : levelOf(found, effect, move, pair, traits);
  const is_anonymous = isAnonymousHost(after) && !isAnonymousHost(before);
  return {
    ...pair,
    effect,
    inferred,
    move,
    level: is_anonymous ? 'high' : inferred ? capInferred(level, move) : level,
  };
}

/** Without a direction, the words of a name say nothing about the risk. */
function capInferred(level: RiskLevel, { direction }: Move): RiskLevel {
  return minLevel(level, direction === 'weakening' ? MOST_INFERRED : 'low');
}

/** Arguments that name a place are judged by whether the place changes, and by who owns the new one. */
function levelOf(found: Effect, effect: KnownEffect, move: Move, { before, after }: Pair, traits: Traits): RiskLevel {
  const level = findEffectLevel(effect, move, traits);
  // Another size or type of a data store usually restarts it.
  if (effect === 'capacity' && move.direction === 'neutral' && traits.kind !== null) return 'medium';
  if (effect !== 'data_path' || move.direction !== 'neutral') return level;
  const [from, to] = [readPlace(before), readPlace(after)];
  if (from === null || to === null) return found.inferred || !namesPlace(before, after) ? 'low' : level;
  return from.whole === to.whole || from.owner === to.owner ? 'low' : level;
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

function formatChange(subject: Subject, { path, before, after, unknown }: Judged): string {
  if (unknown) return 'changes to a value that is unknown until apply';
  if (subject.isHidden(path)) return 'changes (values withheld)';
  return `changes from ${subject.quote(path, before)} to ${subject.quote(path, after)}`;
}
