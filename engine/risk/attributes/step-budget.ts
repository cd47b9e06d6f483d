/**
 * What a comparison may still cost. Rules that would look at each pair of two long lists count their steps, and take what
 * they did not get to look at for the worse.
 */
export class StepBudget {
  private left: number;

  constructor(limit: number) {
    this.left = limit;
  }

  get exhausted(): boolean {
    return this.left <= 0;
  }

  /** Whether a test holds of any of these, as far as there are steps left to ask; false for the rest. */
  some<T>(items: Iterable<T>, test: (item: T) => boolean): boolean {
    for (const item of items) {
      if (!this.take()) return false;
      if (test(item)) return true;
    }
    return false;
  }

  /** The same for holding a text against a pattern, which takes long where both are. */
  takeMatch(pattern: string, text: string): boolean {
    return this.take(1 + ((pattern.length * text.length) >>> 12));
  }

  /** @returns false when there was nothing left */
  take(count = 1): boolean {
    this.left -= count;
    return this.left > 0;
  }
}
