/** A line of `npm run bench`: a measurement and its limit, from the same run on the same machine. */
export interface BenchRow {
  id: string;
  what: string;
  /** In the unit of the row; 1 for a ratio. */
  limit: number;
  measured: number;
  unit: 'ratio' | 'MB' | 'ms';
  /** The goal in words: `≤ 2.0 × JSON.parse`. */
  goal: string;
  passed: boolean;
  note?: string;
}
