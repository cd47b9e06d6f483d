import type { ResourceChange } from '../changes/types.ts';
import { isAtLeast, maxLevel, minLevel } from '../model/levels.ts';
import type { Change, PlanAnalysis, Reason, RiskLevel, Summary } from '../model/result.ts';
import type { RuleBook } from '../model/rule-book.ts';
import type { PlanHeader } from '../plan/types.ts';
import { findDiscount } from '../risk/discount.ts';
import { computeBase } from '../risk/judge.ts';
import { applyPolicy, applyRiskRules } from '../risk/org-rules.ts';
import { createOverall } from '../risk/overall.ts';
import { lookUpTraits } from '../risk/traits.ts';
import type { Judgement } from '../risk/types.ts';
import { compileRules } from './book.ts';
import { reviveChange } from './revive.ts';
import { reclassifyNoise } from './stored-noise.ts';
import type { OrgRules, RunContext } from './types.ts';

/** Effect of other rules on an analysis. */
export interface Preview {
  before: RiskLevel;
  after: RiskLevel;
  changed: { address: string; before: RiskLevel; after: RiskLevel }[];
}

export type ProposedRules = Pick<OrgRules, 'noise_rules' | 'risk_rules' | 'policy'>;

/** Kinds of reasons that depend only on the plan, not on the organization's rules. */
const PLAN_REASON_KINDS: ReadonlySet<Reason['kind']> = new Set(['base', 'attribute', 'exposure']);

/**
 * Evaluates a stored analysis again with other rules of the organization: keeps built-in reasons and recomputes custom
 * rules and policy. A stored result contains only differences, so conditions on unchanged attributes do not match; of a
 * truncated result, only the listed changes are evaluated.
 */
export function previewRules(stored: PlanAnalysis, rules: ProposedRules, context: RunContext): Preview {
  const book = compileRules({ ...rules, disabled: { noise: [], risk: [] }, suppressions: [], owners: [] }, context);
  const overall = createOverall();
  const changed: Preview['changed'] = [];
  for (const shown of stored.changes) {
    const change = reviveChange(shown);
    const judgement = rejudge(shown, change, book);
    overall.observe(change, judgement);
    const { address, risk } = shown;
    if (judgement.level !== risk.level) changed.push({ address, before: risk.level, after: judgement.level });
  }
  overall.observeIdle(stored.summary.no_op + stored.changes_total - stored.changes.length);
  const { level } = overall.result(toHeader(stored.summary));
  return { before: stored.risk_level, after: maxLevel(level, stored.risk.plan_level ?? 'none'), changed };
}

function rejudge(shown: Change, change: ResourceChange, book: RuleBook): Judgement {
  const traits = lookUpTraits(shown.type);
  const reasons = shown.risk.reasons.filter((reason) => PLAN_REASON_KINDS.has(reason.kind));
  const { guarded } = shown.risk;
  const weakens_high = guarded && reasons.some((reason) => reason.kind !== 'base' && isAtLeast(reason.level, 'high'));
  const raised = maxLevel(...reasons.map((reason) => reason.level));
  const base = computeBase(change, traits);
  const discount = findDiscount(change, traits, reclassifyNoise(shown, change, book), raised, weakens_high);
  const built_in = discount === null ? raised : minLevel(raised, discount.level);
  const own = applyRiskRules(change, book, built_in, guarded);
  const proposals = shown.risk.reasons.filter((reason) => reason.kind === 'llm');
  const { level } = applyPolicy(change, book, maxLevel(own.level, ...proposals.map((reason) => reason.level)));
  return {
    level,
    categories: shown.categories,
    reasons,
    destructive: base?.destructive === true && level !== 'none',
    guarded,
    weakens_high: weakens_high && isAtLeast(level, 'high'),
  };
}

function toHeader(summary: Summary): PlanHeader {
  return {
    format_version: summary.format_version,
    terraform_version: summary.terraform_version,
    complete: summary.plan_complete,
    errored: summary.plan_errored,
    applyable: summary.plan_applyable,
    redacted: false,
    deferred_count: summary.deferred,
    deferred: [],
    checks: summary.checks,
    check_findings: [],
  };
}
