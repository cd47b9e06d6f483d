/** Objects that several resources of the states claim to manage. */
import type { Entry } from './state-index.ts';
import type { DriftReport, LiveResource } from './types.ts';

const MAX_CLAIMS = 100;
const MAX_ADDRESSES = 10;

export class Claims {
  private readonly found = new Map<string, string[]>();

  /** @param entries the entries that name the object */
  observe(live: LiveResource, entries: readonly Entry[]): void {
    const whole = entries.filter(({ rule }) => rule?.part === null);
    if (whole.length < 2) return;
    const addresses = whole.map(describe).sort().slice(0, MAX_ADDRESSES);
    this.found.set(live.provider_resource_id, addresses);
  }

  list(): DriftReport['claimed_twice'] {
    return [...this.found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, MAX_CLAIMS)
      .map(([provider_resource_id, addresses]) => ({ provider_resource_id, addresses }));
  }
}

function describe({ address, source }: Entry): string {
  return source === null ? address : `${address} (${source})`;
}
