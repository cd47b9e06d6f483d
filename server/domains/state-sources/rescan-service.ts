import type { ServiceDeps } from '../../contract/service-deps.ts';
import { lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, NotFound, PaymentRequired, ServiceError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Orgs } from '../orgs/index.ts';
import * as globsStore from './globs-store.ts';
import type { Listing } from './listing-service.ts';
import { MOST_CHILDREN } from './rescan.ts';
import { insertSources } from './store.ts';
import type { Glob, GlobPlace, Rescan, Severity } from './types.ts';

/** Longer than the listing of a bucket can take. */
const CLAIM_MS = 90_000;
/** How long a rescan waits for another one of the same glob. */
const PATIENCE_MS = 10_000;
const POLL_MS = 200;

type ClaimedGlob = GlobPlace & Pick<Glob, 'cloud_account_id'>;

export interface RescannerDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  orgs: Pick<Orgs, 'assertRoom'>;
  audit: Pick<AuditWriter, 'record'>;
  listing: Listing;
  wait: (ms: number) => Promise<unknown>;
}

/**
 * Registers the new states of a glob. One rescan of a glob runs at a time: a claim in its row, unlike a lock, needs no
 * open transaction while the bucket is listed.
 */
export function createRescanner({ db, orgs, audit, listing, wait, now }: RescannerDeps) {
  /**
   * @throws NotFound; Conflict `rescan_in_progress`; PaymentRequired if not all new states fit, in which case none is
   *   registered; ServiceError 502 `state_backend_error`
   */
  async function rescan(principal: Principal, orgId: string, id: string): Promise<Rescan> {
    const claim = { org_id: orgId, id, token: newId() };
    const glob = await takeClaim(claim);
    const result = await rescanClaimed(claim, glob).catch(async (error: unknown) => {
      await recordFailure(claim, error);
      throw error;
    });
    const actor_email = principal.user.email;
    const detail = { glob_id: id, ...result };
    await audit.record({ action: 'state_source_glob.rescanned', org_id: orgId, actor_email, detail });
    return result;
  }

  async function takeClaim(claim: globsStore.RescanClaim): Promise<ClaimedGlob> {
    const { org_id, id } = claim;
    for (let waited_ms = 0; waited_ms <= PATIENCE_MS; waited_ms += POLL_MS) {
      const until = new Date(now().getTime() + CLAIM_MS);
      const glob = await db.inOrg(org_id, (trx) => globsStore.claimRescan(trx, claim, now(), until));
      if (glob !== undefined) return glob;
      assertFound(await db.readInOrg(org_id, (read) => globsStore.findGlob(read, org_id, id)));
      await wait(POLL_MS);
    }
    throw new Conflict('another rescan of this glob is running; try again when it has ended', 'rescan_in_progress');
  }

  async function rescanClaimed(claim: globsStore.RescanClaim, glob: ClaimedGlob): Promise<Rescan> {
    const { org_id } = claim;
    const found = await listing.list(org_id, glob, glob.cloud_account_id);
    const { kind, location_keys, is_complete, total, truncated } = found;
    const listed = { kind, location_keys, considered: MOST_CHILDREN, truncated, is_complete };
    const { new_places, missing, is_finished } = await db.inOrg(org_id, (trx) =>
      globsStore.compareListing(trx, claim, listed, now()),
    );
    if (is_finished) return { added: 0, total, truncated };
    const added = await db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      const severity: Severity = truncated || missing > 0 ? 'warning' : 'info';
      const facts = { at: now(), severity, failure: null, truncated, missing };
      if (!(await globsStore.finishRescan(trx, claim, facts))) throw new NotFound();
      await orgs.assertRoom(trx, org_id, 'state_sources', new_places.length);
      return insertSources(trx, org_id, listing.toRows({ ...glob, ...claim }, found, new_places));
    });
    return { added, total, truncated };
  }

  /** Ends the claim; the glob then shows why nothing was registered. */
  async function recordFailure(claim: globsStore.RescanClaim, error: unknown): Promise<void> {
    const is_explained = error instanceof ServiceError && error.status < 503;
    const failure = is_explained ? error.message : 'the service could not finish the rescan; try again';
    const severity = error instanceof PaymentRequired ? 'warning' : 'error';
    const facts = { at: now(), severity, failure, truncated: false, missing: 0 } as const;
    await db.inOrg(claim.org_id, (trx) => globsStore.finishRescan(trx, claim, facts));
  }

  return { rescan };
}

export type Rescanner = ReturnType<typeof createRescanner>;
