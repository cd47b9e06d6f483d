import { isAtLeast } from '../model/levels.ts';
import type { Action, PlanAnalysis } from '../model/result.ts';
import type { PlanSnapshot } from './types.ts';

const MAX_NOTABLE = 500;
const COUNTED = ['delete', 'replace', 'update', 'create', 'forget', 'import', 'move'] as const;

/** Summary of an analysis for the comparison with the next push. */
export function toSnapshot({ risk_level, summary, plan_noise, changes }: PlanAnalysis): PlanSnapshot {
  const by_action: Partial<Record<Action, number>> = {};
  for (const action of COUNTED) if (summary[action] > 0) by_action[action] = summary[action];
  const notable = changes
    .filter(({ action, risk }) => action === 'delete' || action === 'replace' || isAtLeast(risk.level, 'high'))
    .slice(0, MAX_NOTABLE)
    .map(({ address, action, risk }) => ({ address, action, level: risk.level }));
  return { risk_level, total: summary.total, by_action, known_noise: plan_noise.known_benign, notable };
}

/** Difference between two pushes: `medium → high (+1 replace, −3 noise)`, and new notable changes. */
export interface PushDelta {
  text: string;
  /** Addresses of notable changes that are new or have a different action. */
  appeared: string[];
}

/** @returns null if counts, levels and notable changes are the same */
export function compareSnapshots(before: PlanSnapshot, after: PlanSnapshot): PushDelta | null {
  const counts = COUNTED.flatMap((action) =>
    signed((after.by_action[action] ?? 0) - (before.by_action[action] ?? 0), action),
  );
  counts.push(...signed(after.known_noise - before.known_noise, 'noise'));
  const known = new Set(before.notable.map(({ address, action }) => `${action} ${address}`));
  const appeared = after.notable
    .filter(({ address, action }) => !known.has(`${action} ${address}`))
    .map(({ address }) => address);
  const moved = before.risk_level !== after.risk_level;
  if (!moved && counts.length === 0 && appeared.length === 0) return null;
  const level = moved ? `${before.risk_level} → ${after.risk_level}` : `still ${after.risk_level}`;
  return { text: counts.length > 0 ? `${level} (${counts.join(', ')})` : level, appeared };
}

function signed(difference: number, what: string): string[] {
  if (difference === 0) return [];
  return [`${difference > 0 ? '+' : '−'}${Math.abs(difference)} ${what}`];
}
