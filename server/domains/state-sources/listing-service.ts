import type { StateBackend } from '../../adapters/state-backend/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { newId } from '../../lib/ids.ts';
import { createLookupCache } from '../../lib/lookup-cache.ts';
import type { Orgs } from '../orgs/index.ts';
import type { StateAccessService } from './access-service.ts';
import { childName, childSource, hashLocation, toFolder } from './config.ts';
import { backendError, describeFailure } from './failure.ts';
import { MOST_CHILDREN } from './rescan.ts';
import { sealConfig } from './seals.ts';
import type { NewSource } from './store.ts';
import type { GlobPlace } from './types.ts';

/** The listing of a bucket ends after so many matches. */
const MOST_LISTED = 10_000;
const LIST_TIMEOUT_MS = 60_000;
const TOO_LATE = 'the bucket was not listed within 60 seconds; choose a longer prefix, or try again later';
/** The key of an organization never changes. */
const CACHED_KEYS = { max: 1_000, ttl_ms: 600_000 };

/** The states below a prefix, in byte order of their keys. */
export interface FoundStates {
  kind: NewSource['kind'];
  keys: readonly string[];
  /** Of the same order. */
  location_keys: readonly Buffer[];
  /** At most 10,000. */
  total: number;
  /** There are more than can be registered. */
  truncated: boolean;
  /** Nothing was left out of `keys`. */
  is_complete: boolean;
}

export interface ListingDeps extends Pick<ServiceDeps, 'sealer' | 'now'> {
  orgs: Pick<Orgs, 'noiseKey'>;
  access: Pick<StateAccessService, 'open'>;
  backend: Pick<StateBackend, 'list'>;
}

/** Finds the states of a glob in its bucket, and makes sources of them. */
export function createListing({ sealer, orgs, access, backend, now }: ListingDeps) {
  const keys_of_orgs = createLookupCache<Buffer>(CACHED_KEYS);

  /** @throws ServiceError 502 `state_backend_error` */
  async function list(org_id: string, place: GlobPlace, account_id: string): Promise<FoundStates> {
    const key = await keys_of_orgs.get(org_id, () => orgs.noiseKey(org_id));
    const opened = await access.open(org_id, place.provider, account_id);
    const options = { max: MOST_LISTED, signal: AbortSignal.timeout(LIST_TIMEOUT_MS) };
    const found = await backend.list(toFolder(place), opened, options).catch(explain);
    const keys = found.slice(0, MOST_LISTED);
    return {
      kind: childSource(place, '').kind,
      keys,
      location_keys: keys.map((one) => hash(key, place, one)),
      total: keys.length,
      truncated: keys.length > MOST_CHILDREN,
      is_complete: found.length <= MOST_LISTED,
    };
  }

  /** The rows of new sources, for the keys at these places. */
  function toRows(
    glob: GlobPlace & { org_id: string; id: string; cloud_account_id: string },
    { keys, location_keys }: FoundStates,
    places: readonly number[],
  ): NewSource[] {
    const { org_id, id: parent_glob_id, cloud_account_id } = glob;
    return places.map((place) => {
      const key = keys[place] ?? '';
      const id = newId();
      const { kind, config } = childSource(glob, key);
      const config_ct = sealConfig(sealer, { org_id, id }, config);
      const location_key = location_keys[place] ?? Buffer.alloc(0);
      const display_name = childName(glob, key);
      return { id, cloud_account_id, kind, display_name, config_ct, location_key, parent_glob_id, created_at: now() };
    });
  }

  return { list, toRows };
}

export type Listing = ReturnType<typeof createListing>;

function hash(key: Uint8Array, place: GlobPlace, object_key: string): Buffer {
  const { kind, config } = childSource(place, object_key);
  return hashLocation(key, kind, config, '');
}

function explain(error: unknown): never {
  const failure = describeFailure(error, TOO_LATE);
  throw failure === undefined ? error : backendError(failure.message, error);
}
