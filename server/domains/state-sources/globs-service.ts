import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { cleanName, type Orgs } from '../orgs/index.ts';
import type { StateAccessService } from './access-service.ts';
import { childSource, toLocation, toPlace } from './config.ts';
import * as globsStore from './globs-store.ts';
import type { FoundStates, Listing } from './listing-service.ts';
import { MOST_CHILDREN } from './rescan.ts';
import * as store from './store.ts';
import type { AssertAllowed, CreatedGlob, Glob, GlobInput, GlobPlace, GlobPreview } from './types.ts';

const FEATURE = 'glob_state_sources';
/** Globs of one organization, because a list shows all of them. */
const MOST_GLOBS = 500;

export interface GlobsDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  orgs: Pick<Orgs, 'assertRoom' | 'getRoom' | 'assertFeature'>;
  audit: Pick<AuditWriter, 'record'>;
  access: Pick<StateAccessService, 'assertUsable'>;
  listing: Listing;
  assertAllowed: AssertAllowed;
}

/** Bucket prefixes whose states are registered as sources. */
export function createGlobs({ db, orgs, audit, access, listing, assertAllowed, now }: GlobsDeps) {
  /** All globs, newest first. */
  async function list(orgId: string): Promise<Glob[]> {
    return db.readInOrg(orgId, (read) => globsStore.listGlobs(read, orgId));
  }

  /**
   * Creates a glob and its sources together: at most 500, the first in byte order of their keys.
   *
   * @throws PaymentRequired `plan_feature_required`, or `plan_limit_exceeded` if not all fit; Conflict `glob_exists` or
   *   `too_many_globs`; InvalidInput; ServiceError 502 `state_backend_error`
   */
  async function create(
    principal: Principal,
    orgId: string,
    input: GlobInput,
    keep?: Keep<CreatedGlob>,
  ): Promise<CreatedGlob> {
    const place = toPlace(input);
    const { cloud_account_id } = input;
    const display_name = cleanName(input.display_name, 'display_name');
    const found = await find(orgId, place, cloud_account_id, assertCreatable);
    const row = { ...place, id: newId(), cloud_account_id, display_name, created_at: now() };
    const created = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      await assertCreatable(trx, orgId, place);
      const places = await findNew(trx, orgId, found);
      await orgs.assertRoom(trx, orgId, 'state_sources', places.length);
      await globsStore.insertGlob(trx, orgId, row);
      const added = await store.insertSources(trx, orgId, listing.toRows({ ...row, org_id: orgId }, found, places));
      const glob = assertFound(await globsStore.findGlob(trx, orgId, row.id));
      const { total: total_matches, truncated } = found;
      const result = { glob, added, total_matches, truncated };
      await keep?.(trx, result);
      return result;
    });
    const { provider, bucket, prefix } = place;
    const { added: child_count, truncated } = created;
    const detail = { glob_id: row.id, provider, bucket, prefix: prefix || null, child_count, truncated };
    const actor_email = principal.user.email;
    await audit.record({ action: 'state_source_glob.created', org_id: orgId, actor_email, detail });
    return created;
  }

  /** What `create` would add, also for an existing glob; writes nothing. @throws as `create`, except for limits and Conflict */
  async function preview(orgId: string, input: GlobInput): Promise<GlobPreview> {
    const place = toPlace(input);
    const found = await find(orgId, place, input.cloud_account_id, assertFeature);
    return db.inOrg(orgId, async (trx) => {
      const would_add = (await findNew(trx, orgId, found)).length;
      const plan_remaining = await orgs.getRoom(trx, orgId, 'state_sources');
      const would_exceed_plan = plan_remaining !== -1 && would_add > plan_remaining;
      const { total: total_matches, truncated: would_truncate } = found;
      return { plan_remaining, total_matches, would_add, would_exceed_plan, would_truncate };
    });
  }

  /** Everything that can be refused is refused before the bucket is asked. */
  async function find(
    orgId: string,
    place: GlobPlace,
    account_id: string,
    check: (trx: Db, orgId: string, place: GlobPlace) => Promise<void>,
  ): Promise<FoundStates> {
    const sample = childSource(place, `${place.prefix}terraform.tfstate`);
    assertAllowed(toLocation(sample.kind, sample.config));
    await db.inOrg(orgId, (trx) => check(trx, orgId, place));
    await access.assertUsable(orgId, place.provider, account_id);
    return listing.list(orgId, place, account_id);
  }

  async function assertFeature(trx: Db, orgId: string): Promise<void> {
    await orgs.assertFeature(trx, orgId, FEATURE);
  }

  async function assertCreatable(trx: Db, orgId: string, place: GlobPlace): Promise<void> {
    await assertFeature(trx, orgId);
    if (await globsStore.isPlaceTaken(trx, orgId, place)) {
      throw new Conflict('a glob for this bucket and prefix already exists; rescan or delete it', 'glob_exists');
    }
    if ((await globsStore.countGlobs(trx, orgId)) >= MOST_GLOBS) {
      throw new Conflict(`an organization can have ${MOST_GLOBS} globs; delete one first`, 'too_many_globs');
    }
  }

  /** Places of the matches that are not registered yet, among those that can be. */
  async function findNew(trx: Db, orgId: string, { location_keys }: FoundStates): Promise<number[]> {
    const considered = location_keys.slice(0, MOST_CHILDREN);
    const registered = await store.findRegistered(trx, orgId, considered);
    return considered.flatMap((key, place) => (registered.has(key.toString('hex')) ? [] : [place]));
  }

  /** Deletes a glob and the sources that it registered. @throws NotFound */
  async function remove(principal: Principal, orgId: string, id: string): Promise<void> {
    const child_count = await db.inOrg(orgId, async (trx) => {
      if (!(await globsStore.deleteGlob(trx, orgId, id, now()))) throw new NotFound();
      return store.deleteChildren(trx, orgId, id, now());
    });
    const detail = { glob_id: id, child_count };
    const actor_email = principal.user.email;
    await audit.record({ action: 'state_source_glob.deleted', org_id: orgId, actor_email, detail });
  }

  return { list, create, preview, remove };
}

export type Globs = ReturnType<typeof createGlobs>;
