import { compareJudged } from '../analysis/ranking.ts';
import { compareLevels, maxLevel, minLevel, stepUp } from '../model/levels.ts';
import type { Change, PlanAnalysis, Reason, RiskLevel, Summary } from '../model/result.ts';
import { formatHeadline } from '../narrative/summary.ts';
import { compareReasons } from '../risk/judge.ts';
import { createOverall } from '../risk/overall.ts';
import { lookUpTraits } from '../risk/traits.ts';
import type { Proposal, Reading } from './types.ts';

const RULE = 'R-LLM';

/** Applies the policy to a raised level; returns the level and the policy's reasons. */
export type PolicyAdjuster = (change: Change, level: RiskLevel) => { level: RiskLevel; reasons: Reason[] };

/**
 * Applies a model's proposals and returns a new analysis. A change rises by at most one level; then escalations are
 * recomputed and the plan rises by at most one level. Nothing is lowered.
 *
 * The policy takes precedence. A change that already has a policy reason stays unchanged; `adjustByPolicy` applies the
 * policy to the other raised changes.
 */
export function applyProposals(
  analysis: PlanAnalysis,
  proposals: readonly Proposal[],
  overall: Reading['overall'],
  adjustByPolicy: PolicyAdjuster = (_, level) => ({ level, reasons: [] }),
): PlanAnalysis {
  const requested = new Map(proposals.map((proposal) => [proposal.address, proposal]));
  const changes = analysis.changes.map((change) => {
    const proposal = change.deposed === null ? requested.get(change.address) : undefined;
    return proposal === undefined ? change : raiseChange(change, proposal, adjustByPolicy);
  });
  const after_changes = recount(analysis, changes);
  const level = raiseOverall(after_changes.level, overall, analysis.summary.total);
  const escalations = [...after_changes.escalations];
  if (overall !== null && level !== after_changes.level) escalations.push(buildReason(level, overall.reason));
  const summary = { ...analysis.summary, by_risk: shiftLevels(analysis.summary.by_risk, analysis.changes, changes) };
  return {
    ...analysis,
    risk_level: level,
    risk: { ...analysis.risk, llm_level: level, escalations: escalations.sort(compareReasons) },
    changes: changes.sort((a, b) => compareJudged(toRanked(a), toRanked(b))),
    summary: { ...summary, headline: formatHeadline(level, summary) },
  };
}

export function toRanked(change: Change): Parameters<typeof compareJudged>[0] {
  return { change, judgement: change.risk };
}

function raiseChange(change: Change, { level: requested, reason }: Proposal, adjustByPolicy: PolicyAdjuster): Change {
  const { risk } = change;
  if (risk.reasons.some(({ kind }) => kind === 'policy')) return change;
  const proposed = minLevel(requested, stepUp(risk.level));
  if (compareLevels(proposed, risk.level) <= 0) return change;
  const policy = adjustByPolicy(change, proposed);
  // If the policy reverts the step, the change keeps its previous level.
  if (compareLevels(policy.level, risk.level) <= 0) return change;
  const reasons = [...risk.reasons, buildReason(proposed, reason), ...policy.reasons].sort(compareReasons);
  return { ...change, risk: { ...risk, level: policy.level, raised_by: 'llm', reasons } };
}

function buildReason(level: RiskLevel, reason: string): Reason {
  return {
    rule_id: RULE,
    kind: 'llm',
    effect: 'raise',
    level,
    path: null,
    message: `Raised by the language model: ${reason}`,
  };
}

/** Raises the plan by one level; a plan without changes is never raised. */
function raiseOverall(level: RiskLevel, overall: Reading['overall'], total: number): RiskLevel {
  if (overall === null || total === 0 || compareLevels(overall.level, level) <= 0) return level;
  return stepUp(level);
}

/**
 * Recomputes the plan's level from its raised changes. An escalation is added only if it does not already apply with
 * the old levels, because a truncated result does not contain everything that the rules counted.
 */
function recount(analysis: PlanAnalysis, changes: readonly Change[]): { level: RiskLevel; escalations: Reason[] } {
  const { escalations } = analysis.risk;
  const highest = maxLevel(analysis.risk_level, ...changes.map(({ risk }) => risk.level));
  if (changes.every((change, i) => change === analysis.changes[i])) return { level: highest, escalations };
  const known = new Set([...escalations, ...escalationsOver(analysis, analysis.changes)].map(({ rule_id }) => rule_id));
  const found = escalationsOver(analysis, changes)
    .filter(({ rule_id, level }) => !known.has(rule_id) && compareLevels(level, highest) > 0)
    .map((reason) => ({ ...reason, raised_by: 'llm' as const }));
  return { level: maxLevel(highest, ...found.map(({ level }) => level)), escalations: [...escalations, ...found] };
}

function escalationsOver({ summary, ...analysis }: PlanAnalysis, changes: readonly Change[]): Reason[] {
  const overall = createOverall();
  for (const change of changes) {
    const { level } = change.risk;
    overall.observe(change, { level, destructive: level !== 'none' && isDestructive(change), weakens_high: false });
  }
  overall.observeIdle(summary.no_op + analysis.changes_total - changes.length);
  return overall.result({ errored: null, complete: null, deferred_count: 0 }).escalations;
}

/** Approximates the rules: treats every `R-ACT-LINK` type as a link. */
function isDestructive({ action, actions, deposed, type, risk }: Change): boolean {
  if (deposed !== null || (action !== 'delete' && action !== 'replace') || actions.includes('forget')) return false;
  const traits = lookUpTraits(type);
  return traits.versioned === null && !traits.link && !risk.reasons.some(({ rule_id }) => rule_id === 'R-ACT-LINK');
}

function shiftLevels(
  by_risk: Summary['by_risk'],
  before: readonly Change[],
  after: readonly Change[],
): Summary['by_risk'] {
  const shifted = { ...by_risk };
  for (const { risk } of before) shifted[risk.level] -= 1;
  for (const { risk } of after) shifted[risk.level] += 1;
  return shifted;
}
