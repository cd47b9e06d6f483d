/** The resources of the states, found by the types and names of live resources. */
import type { StateInstance } from '../state/types.ts';
import type { HeldValues } from './compare.ts';
import { isUniqueName } from './identifiers.ts';
import type { JoinRule } from './type-rules.ts';
import type { CloudProvider } from './types.ts';

type Held = Pick<StateInstance, 'address' | 'type' | 'name' | 'index' | 'module_address' | 'deposed' | 'provider_name'>;

/** One resource of a state that may be in the account. Flat, because a million of them stay in memory. */
export interface Entry extends Held, HeldValues {
  rule: JoinRule | null;
  /** Null if the state does not tell. */
  region: string | null;
  source: string | null;
}

/** Several entries with the same name. */
interface Crowd {
  entries: Entry[];
  /** How often a list of many entries was read. */
  reads: number;
}

/** A list of entries with the same name is read this often at most, if it is longer: nobody names thousands alike. */
const MAX_ALIKE = 100;

/** The entries by type of the cloud and name. Most names have one entry, so only several are put into a list. */
export class StateIndex {
  private readonly types = new Map<string, Map<string, Entry | Crowd>>();
  private readonly provider: CloudProvider;

  constructor(provider: CloudProvider) {
    this.provider = provider;
  }

  /** @param type as `toTypeKey` writes it */
  add(entry: Entry, type: string, names: readonly string[]): void {
    let places = this.types.get(type);
    if (places === undefined) {
      places = new Map();
      this.types.set(type, places);
    }
    for (const name of names) {
      const known = places.get(name);
      if (known === undefined) places.set(name, entry);
      else if ('reads' in known) addTo(known, entry);
      else if (known !== entry) places.set(name, { entries: [known, entry], reads: 0 });
    }
  }

  /** The entries that name a resource; those of another region only if the name is unique. */
  find(type: string, names: readonly string[], region: string | null): Entry[] {
    const places = this.types.get(type);
    const found: Entry[] = [];
    if (places === undefined) return found;
    let place_count = 0;
    for (const name of names) {
      const place = places.get(name);
      if (place === undefined) continue;
      place_count += 1;
      for (const entry of read(place)) {
        const is_near = entry.region === null || region === null || entry.region === region;
        if (is_near || isUniqueName(this.provider, type, name)) found.push(entry);
      }
    }
    return place_count > 1 ? [...new Set(found)] : found;
  }
}

function addTo({ entries }: Crowd, entry: Entry): void {
  if (entries.at(-1) !== entry) entries.push(entry);
}

function read(place: Entry | Crowd): readonly Entry[] {
  if (!('reads' in place)) return [place];
  place.reads += 1;
  return place.entries.length > MAX_ALIKE && place.reads > MAX_ALIKE ? [] : place.entries;
}
