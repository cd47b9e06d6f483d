import { RISK_LEVELS, type RiskLevel } from './result.ts';

const RANK: Record<RiskLevel, number> = { none: 0, low: 1, medium: 2, high: 3, critical: 4 };

/** Returns a negative number when `a` is lower than `b`, 0 when they are equal, and a positive number otherwise. */
export function compareLevels(a: RiskLevel, b: RiskLevel): number {
  return RANK[a] - RANK[b];
}

export function isAtLeast(level: RiskLevel, floor: RiskLevel): boolean {
  return RANK[level] >= RANK[floor];
}

/** Returns the highest level; `none` for an empty list. */
export function maxLevel(...levels: RiskLevel[]): RiskLevel {
  let highest: RiskLevel = 'none';
  for (const level of levels) if (RANK[level] > RANK[highest]) highest = level;
  return highest;
}

export function minLevel(a: RiskLevel, b: RiskLevel): RiskLevel {
  return RANK[a] <= RANK[b] ? a : b;
}

/** Returns the next lower level; `none` stays `none`. */
export function stepDown(level: RiskLevel): RiskLevel {
  return RISK_LEVELS[RANK[level] - 1] ?? 'none';
}

/** Returns the next higher level; `critical` stays `critical`. */
export function stepUp(level: RiskLevel): RiskLevel {
  return RISK_LEVELS[RANK[level] + 1] ?? 'critical';
}
