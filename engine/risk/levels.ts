import { RISK_LEVELS, type RiskLevel } from '../result.ts';

const RANK: Record<RiskLevel, number> = { none: 0, low: 1, medium: 2, high: 3, critical: 4 };

/** Negative when `a` is the lower level, 0 when equal, positive when `a` is the higher one. */
export function compareLevels(a: RiskLevel, b: RiskLevel): number {
  return RANK[a] - RANK[b];
}

export function isAtLeast(level: RiskLevel, floor: RiskLevel): boolean {
  return RANK[level] >= RANK[floor];
}

/** The highest of the levels; `none` for an empty list. */
export function maxLevel(...levels: RiskLevel[]): RiskLevel {
  let highest: RiskLevel = 'none';
  for (const level of levels) if (RANK[level] > RANK[highest]) highest = level;
  return highest;
}

export function minLevel(a: RiskLevel, b: RiskLevel): RiskLevel {
  return RANK[a] <= RANK[b] ? a : b;
}

/** One level lower; `none` stays. */
export function stepDown(level: RiskLevel): RiskLevel {
  return RISK_LEVELS[RANK[level] - 1] ?? 'none';
}

/** One level higher; `critical` stays. */
export function stepUp(level: RiskLevel): RiskLevel {
  return RISK_LEVELS[RANK[level] + 1] ?? 'critical';
}
