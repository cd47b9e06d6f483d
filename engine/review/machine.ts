import { findCheckLevel } from '../model/check-level.ts';
import type { PlanAnalysis, RiskLevel } from '../model/result.ts';
import type { Review, ReviewedPlan } from './types.ts';
import { isJudged } from './weights.ts';

/** The machine-readable result of a pull request; see docs/check-result.schema.json. */
export interface MachineResult {
  schema_version: 1;
  risk_level: RiskLevel | null;
  blocked: boolean;
  plans: MachinePlan[];
  plans_total: number;
  plans_truncated: boolean;
}

interface MachinePlan {
  key: string;
  sha: string;
  state: 'analyzed' | 'deferred' | 'waiting' | 'failed';
  level: RiskLevel | null;
  check_level: RiskLevel | null;
  blocked: boolean;
  counts: Record<'total' | 'create' | 'update' | 'replace' | 'delete' | 'forget' | 'import' | 'move', number> | null;
  /** Addresses that the plan deletes or replaces, riskiest first. */
  destroyed: string[];
  destroyed_total: number;
  destroyed_truncated: boolean;
  noise: { known_benign: number; suppressed: number; novel: number } | null;
}

const NOTHING = { level: null, check_level: null, blocked: false, counts: null, noise: null };
/** Invisible and bidirectional characters in JSON.stringify's output, which already escapes lone surrogates. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f\u115f\u1160\u2800\u3164\uffa0]/gu;
const MAX_KEY = 300;
/** A comma, and the extra character of `false` over `true`. */
const FLAG_BYTES = 2;

/**
 * The result as a fenced block of JSON.
 *
 * @param limit UTF-8 bytes; addresses and plans that do not fit are omitted, and the `…_truncated` flags are set
 */
export function machineText({ plans }: Pick<Review, 'plans'>, level: RiskLevel | null, limit: number): string {
  const all = plans.map(machinePlan);
  const head = JSON.stringify(toMachineResult(level, plans)).length + 100;
  const room = { left: limit - head };
  const shown = all.filter((plan) => spend(room, Buffer.byteLength(text({ ...plan, destroyed: [] })) + FLAG_BYTES));
  for (const plan of shown) {
    const kept = plan.destroyed.filter((address) => spend(room, Buffer.byteLength(text(address)) + 2));
    plan.destroyed_truncated = kept.length < plan.destroyed_total;
    plan.destroyed = kept;
  }
  const result = { ...toMachineResult(level, plans), plans: shown, plans_truncated: shown.length < all.length };
  return `\`\`\`json\n${text(result)}\n\`\`\`\n`;
}

function toMachineResult(risk_level: RiskLevel | null, plans: readonly ReviewedPlan[]): MachineResult {
  const blocked = plans.some((plan) => isJudged(plan) && plan.outcome.analysis.risk.blocked);
  return { schema_version: 1, risk_level, blocked, plans: [], plans_total: plans.length, plans_truncated: true };
}

function machinePlan(plan: ReviewedPlan): MachinePlan {
  const common = { key: plan.key.slice(0, MAX_KEY), sha: plan.head_sha, state: plan.outcome.state };
  if (!isJudged(plan)) return { ...common, ...NOTHING, destroyed: [], destroyed_total: 0, destroyed_truncated: false };
  return { ...common, ...toJudgedFields(plan.outcome.analysis) };
}

function toJudgedFields(analysis: PlanAnalysis) {
  const { risk_level, risk, summary, changes, plan_noise } = analysis;
  const { total, create, update, replace, forget, move } = summary;
  const { known_benign, suppressed, novel } = plan_noise;
  const destroyed = changes.filter(({ action }) => action === 'delete' || action === 'replace');
  return {
    level: risk_level,
    check_level: findCheckLevel(analysis),
    blocked: risk.blocked,
    counts: { total, create, update, replace, delete: summary.delete, forget, import: summary.import, move },
    destroyed: destroyed.map(({ address }) => address),
    destroyed_total: Math.max(summary.delete + replace, destroyed.length),
    destroyed_truncated: false,
    noise: { known_benign, suppressed, novel },
  };
}

function spend(room: { left: number }, bytes: number): boolean {
  if (bytes > room.left) return false;
  room.left -= bytes;
  return true;
}

function text(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
