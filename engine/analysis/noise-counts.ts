import type { PlanNoiseCounts } from '../model/result.ts';
import { compareText, type JudgedChange } from './ranking.ts';

const MAX_ADDRESSES = 200;

/**
 * Counts changes that are noise: every difference is noise, and the change is not guarded.
 *
 * @see openapi.yaml, PlanNoiseCounts
 */
export class NoiseCounter {
  private total = 0;
  private readonly known_benign = new Addresses();
  private readonly suppressed = new Addresses();

  add({ change, noise }: Pick<JudgedChange, 'change' | 'noise'>): void {
    this.total += 1;
    if (noise.classification === 'novel' || noise.overridden) return;
    this.known_benign.add(change.address);
    if (noise.suppression_id !== null) this.suppressed.add(change.address);
  }

  counts(redactText: (text: string) => string): PlanNoiseCounts {
    const { known_benign, suppressed, total } = this;
    return {
      known_benign: known_benign.count,
      novel: total - known_benign.count,
      suppressed: suppressed.count,
      total,
      addresses: {
        known_benign: known_benign.first().map(redactText),
        suppressed: suppressed.first().map(redactText),
      },
    };
  }
}

/** Counts addresses and keeps the first ones in sort order, in bounded memory. */
class Addresses {
  count = 0;
  private kept: string[] = [];

  add(address: string): void {
    this.count += 1;
    this.kept.push(address);
    if (this.kept.length > 2 * MAX_ADDRESSES) this.kept = this.first();
  }

  first(): string[] {
    return this.kept.sort(compareText).slice(0, MAX_ADDRESSES);
  }
}
