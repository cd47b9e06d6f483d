/** A line of `npm run bench`: a measurement and its limit, from the same run on the same machine. */
export interface BenchRow {
  id: string;
  what: string;
  /** In the unit of the row. */
  limit: number;
  measured: number;
  unit: 'ratio' | 'MB' | 'ms' | 'statements' | 'firings';
  /** The goal in words: `≤ 2.0 × JSON.parse`. */
  goal: string;
  passed: boolean;
  note?: string;
}

export interface Ratio {
  id: string;
  what: string;
  ratio: number;
  /** The largest ratio that passes. */
  limit: number;
  /** What the figure is divided by, in words: `JSON.parse`. */
  comparison: string;
  note?: string;
}

/** The row of a figure that is a ratio of two measurements and has an upper limit. */
export function toRatioRow({ id, what, ratio, limit, comparison, note }: Ratio): BenchRow {
  return {
    ...{ id, what, limit, measured: ratio, unit: 'ratio', goal: `≤ ${limit} × ${comparison}`, passed: ratio <= limit },
    ...(note !== undefined && { note }),
  };
}
