/** The verdict of our own engine. */
import { documentParsers } from '../../engine/documents/index.ts';
import {
  analyzePlan,
  type Change,
  type PlanAnalysis,
  PlanError,
  renderMarkdown,
  renderText,
} from '../../engine/index.ts';
import type { RatedChange, Verdict } from './verdict.ts';

export function rateWithEngine(bytes: Buffer): Verdict {
  const analysis = analyze(bytes);
  return 'refusal' in analysis ? analysis : toVerdict(analysis);
}

/** @returns the verdict if the engine refuses the plan */
export function analyze(bytes: Buffer): PlanAnalysis | Verdict {
  try {
    return analyzePlan(bytes, { max_changes: Number.POSITIVE_INFINITY, parsers: () => documentParsers });
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { level: null, refusal: error.message, changes: new Map(), shown: error.message, reasons: [] };
  }
}

/** The level is the one that a check compares with its limit. */
export function toVerdict(analysis: PlanAnalysis): Verdict {
  return {
    level: analysis.risk.check_level ?? analysis.risk_level,
    refusal: null,
    changes: new Map(analysis.changes.map((change) => [change.address, rateChange(change)])),
    shown: renderEverything(analysis),
    reasons: describeReasons(analysis),
  };
}

function rateChange({ risk, noise }: Change): RatedChange {
  return { level: risk.level, noise: noise.classification === 'novel' ? 'novel' : 'benign' };
}

function renderEverything(analysis: PlanAnalysis): string {
  return [
    JSON.stringify(analysis),
    renderMarkdown(analysis, { top: 50 }),
    renderText(analysis, { top: 50, color: false }),
  ].join('\n');
}

function describeReasons({ changes, risk, concerns = [] }: PlanAnalysis): string[] {
  const escalations = risk.escalations.map(({ rule_id, level }) => `${level} ${rule_id}`);
  const top = changes.slice(0, 4).map(({ address, action, risk: { level, reasons } }) => {
    const why = reasons.slice(0, 4).map((reason) => `${reason.rule_id}(${reason.path ?? ''})=${reason.level}`);
    return `${level} ${action} ${address.slice(0, 80)}: ${why.join(' ')}`;
  });
  const concerned = concerns.map(({ address, path, level, category }) => `${level} ${category} ${address}: ${path}`);
  return [...escalations, ...concerned, ...top];
}
