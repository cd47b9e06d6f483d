import type { PlanNoiseCounts } from '../result.ts';
import { compareText, type JudgedChange } from './ranking.ts';

const MAX_ADDRESSES = 200;

/**
 * Counts which changes are known plan noise: every difference is, and no rule says that the change must be looked at.
 *
 * @see openapi.yaml, PlanNoiseCounts
 */
export class NoiseCounter {
  private total = 0;
  private known_benign = 0;
  private addresses: string[] = [];

  add({ change, noise }: JudgedChange): void {
    this.total += 1;
    if (noise.classification === 'novel' || noise.overridden) return;
    this.known_benign += 1;
    this.addresses.push(change.address);
    if (this.addresses.length > 2 * MAX_ADDRESSES) this.addresses = this.first();
  }

  counts(redactText: (text: string) => string): PlanNoiseCounts {
    return {
      known_benign: this.known_benign,
      novel: this.total - this.known_benign,
      suppressed: 0,
      total: this.total,
      addresses: { known_benign: this.first().map(redactText), suppressed: [] },
    };
  }

  private first(): string[] {
    return this.addresses.sort(compareText).slice(0, MAX_ADDRESSES);
  }
}
