/** The resources of the states, found by the keys of live resources. */
import type { StateInstance } from '../state/types.ts';
import type { HeldValues } from './compare.ts';
import { isUniqueKey } from './identifiers.ts';
import type { JoinRule } from './type-rules.ts';
import type { CloudProvider } from './types.ts';

/** One resource of a state that may be in the account. */
export interface Entry {
  instance: Pick<StateInstance, 'address' | 'type' | 'name' | 'index' | 'module_address' | 'deposed' | 'provider_name'>;
  values: HeldValues;
  rule: JoinRule | null;
  /** Null if the state does not tell. */
  region: string | null;
  source: string | null;
}

interface Place {
  entries: Entry[];
  is_unique: boolean;
  /** How often a list of many entries was read. */
  reads: number;
}

/** A list of entries with the same key is read this often at most, if it is longer: nobody names thousands alike. */
const MAX_ALIKE = 100;

export class StateIndex {
  private readonly places = new Map<string, Place>();
  private readonly provider: CloudProvider;

  constructor(provider: CloudProvider) {
    this.provider = provider;
  }

  add(entry: Entry, keys: readonly string[]): void {
    for (const key of keys) {
      const place = this.places.get(key);
      if (place === undefined)
        this.places.set(key, { entries: [entry], is_unique: isUniqueKey(this.provider, key), reads: 0 });
      else place.entries.push(entry);
    }
  }

  /** The entries that name a resource; those of another region only if the name is unique. */
  find(keys: readonly string[], region: string | null): Entry[] {
    const found = new Set<Entry>();
    for (const key of keys) {
      const place = this.places.get(key);
      if (place === undefined) continue;
      place.reads += 1;
      if (place.entries.length > MAX_ALIKE && place.reads > MAX_ALIKE) continue;
      for (const entry of place.entries) {
        if (place.is_unique || entry.region === null || region === null || entry.region === region) found.add(entry);
      }
    }
    return [...found];
  }
}
