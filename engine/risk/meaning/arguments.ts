import { type PathTemplate, toPathNode } from '../../changes/path-node.ts';
import { createPathTree, createTouchTest, touchesPath } from '../../changes/path-tree.ts';
import type { ResourceChange } from '../../changes/types.ts';
import { isEqual } from '../../changes/values.ts';
import { isComputedArgument } from '../../effects/index.ts';
import { looksLikeJson } from '../../lib/json-text.ts';
import { isAtLeast } from '../../model/levels.ts';
import type { AttributeDiff } from '../../model/result.ts';
import { reportGeneralMove, reportOuterMove } from '../attributes/moves/index.ts';
import type { Subject } from '../attributes/subject.ts';
import type { Path } from '../attributes/types.ts';
import type { Pair } from '../attributes/walk.ts';
import { judgeSetting } from '../documents/settings.ts';
import { COMPUTED, isEveryday } from '../leaves.ts';
import { lookUpTraits, type Traits } from '../traits.ts';
import { judgeArgument } from './argument-level.ts';
import { report, reportValue } from './argument-reports.ts';
import { type Argument, createArgumentReader, judgeValue, type ValueFinding } from './values/index.ts';

/** A plan that changes more arguments of one resource is judged by the rules alone. */
const MAX_ARGUMENTS = 500;

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
