/** Reasons about arguments, in plain sentences. */
import { isEqual, type MaybeJson } from '../../changes/values.ts';
import { isAtLeast } from '../../model/levels.ts';
import type { RiskLevel } from '../../model/result.ts';
import { isSecretName } from '../../redact/secrets.ts';
import type { Subject } from '../attributes/subject.ts';
import type { Pair } from '../attributes/walk.ts';
import { describeConsequence, effectRuleId } from './reasons.ts';
import type { KnownEffect, Move } from './types.ts';
import type { ValueFinding } from './values/index.ts';

/** A changed argument with the names that tell whether its value is secret. */
export interface Named extends Pair {
  names: readonly string[];
}

/** An argument with what its effect and its move are worth. */
export interface Judged extends Named {
  effect: KnownEffect;
  inferred: boolean;
  move: Move;
  level: RiskLevel;
}

/** Effects whose directions are those of a protection. */
const PROTECTS: ReadonlySet<KnownEffect> = new Set<KnownEffect>([
  ...(['guard', 'exposure', 'identity', 'encryption'] as const),
  ...(['retention', 'observability', 'destructive'] as const),
]);

/** Adds the reason for an effect that is weakened or changed. */
export function report(subject: Subject, judged: Judged): void {
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

/** Adds the reason for what a value means. */
export function reportValue(
  subject: Subject,
  pair: Named,
  { rule, level, direction, consequence }: ValueFinding,
): void {
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
