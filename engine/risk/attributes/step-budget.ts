/**
 * Limits the cost of a comparison. Rules that compare each pair of two lists count their steps; when the budget is
 * exhausted, they assume the riskier result.
 */
export class StepBudget {
  private left: number;

  constructor(limit: number) {
    this.left = limit;
  }

  get exhausted(): boolean {
    return this.left <= 0;
  }

  /** Returns true when the test passes for any item; false when none passes or the budget is exhausted. */
  some<T>(items: Iterable<T>, test: (item: T) => boolean): boolean {
    for (const item of items) {
      if (!this.take()) return false;
      if (test(item)) return true;
    }
    return false;
  }

  /** Takes the steps for matching a text against a pattern, which depend on the lengths of both. */
  takeMatch(pattern: string, text: string): boolean {
    return this.take(1 + ((pattern.length * text.length) >>> 12));
  }

  /** @returns false when the budget is exhausted */
  take(count = 1): boolean {
    this.left -= count;
    return this.left > 0;
  }
}
