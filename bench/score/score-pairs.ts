/** Pairs of plans that differ in one detail: a tool must rate the risky plan above the safe one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compareLevels, type RiskLevel } from '../../engine/index.ts';
import type { Label } from './score-labels.ts';
import type { PlanScore } from './score-plan.ts';
import { readTsv } from './tsv.ts';

export interface Pair {
  /** Names of plan files. */
  risky: string;
  safe: string;
  why: string;
}

export interface PairScore extends Pair {
  /** null if the tool refused the plan. */
  risky_level: RiskLevel | null;
  safe_level: RiskLevel | null;
  /** Whether the level of the risky plan is above the level of the safe plan. */
  ranked: boolean;
}

/**
 * Reads `PAIRS.tsv`.
 *
 * @returns empty if the folder has no such file
 * @throws ScoreError if a pair names a plan without a label, or the same plan twice
 */
export function readPairs(folder: string, labels: readonly Label[]): Pair[] {
  const path = join(folder, 'PAIRS.tsv');
  if (!existsSync(path)) return [];
  const files = new Set(labels.map(({ file }) => file));
  return readTsv(path, ['risky', 'safe']).map((row) => {
    const pair = { risky: row.cell('risky'), safe: row.cell('safe'), why: row.cell('why') };
    for (const file of [pair.risky, pair.safe]) {
      if (!files.has(file)) throw row.error(`"${file}" has no label. Add it to LABELS.tsv.`);
    }
    if (pair.risky === pair.safe) throw row.error(`"${pair.risky}" is compared with itself.`);
    return pair;
  });
}

/** Compares the levels of the two plans of each pair. A refused plan has no level, so its pair counts as a miss. */
export function scorePairs(pairs: readonly Pair[], scores: readonly PlanScore[]): PairScore[] {
  const levels = new Map(scores.map(({ label, level }) => [label.file, level]));
  return pairs.map((pair) => {
    const [risky_level, safe_level] = [levels.get(pair.risky) ?? null, levels.get(pair.safe) ?? null];
    const ranked = risky_level !== null && safe_level !== null && compareLevels(risky_level, safe_level) > 0;
    return { ...pair, risky_level, safe_level, ranked };
  });
}
