import type { RiskLevel } from '../../engine/index.ts';

/** What a tool says about one plan. */
export interface Verdict {
  /** null if the tool refused the plan or failed. */
  level: RiskLevel | null;
  /** Why the tool gave no level; null if it gave one. */
  refusal: string | null;
  /** By address; null if the tool does not rate changes. */
  changes: ReadonlyMap<string, RatedChange> | null;
  /** Every text that the tool shows, searched for secrets. */
  shown: string;
  /** The reasons of the tool, printed next to a miss. */
  reasons: string[];
}

export interface RatedChange {
  level: RiskLevel;
  /** null if the tool does not say. */
  noise: 'benign' | 'novel' | null;
}
