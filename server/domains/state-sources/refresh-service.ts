import type { StateBackend } from '../../adapters/state-backend/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound, NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { StateAccessService } from './access-service.ts';
import { PROVIDERS, toLocation } from './config.ts';
import { backendError, describeFailure } from './failure.ts';
import * as store from './fetches-store.ts';
import { openConfig } from './seals.ts';
import type { Snapshots } from './snapshots-service.ts';
import { findSource } from './store.ts';
import type { ReadState, ReadStateBytes, RefreshResult, StoredSource } from './types.ts';

/** A fetch that is not older is used instead of a new one, except for a refresh that a person asked for. */
const STALE_AFTER_MS = 5 * 60_000;
/** A fetch whose process died can be taken over after this time. */
const CLAIM_MS = 30_000;
const RENEW_MS = 10_000;
const POLL_MS = 200;

/** Shown for an error of this service itself, whose cause is only in the log. */
const OWN_FAULT = { message: 'the service could not store the state; try again', is_missing: false };

export interface RefresherDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'now' | 'log'> {
  access: Pick<StateAccessService, 'open'>;
  backend: Pick<StateBackend, 'fetch' | 'fetch_timeout_ms'>;
  readState: ReadStateBytes;
  snapshots: Pick<Snapshots, 'save' | 'current'>;
  wait: (ms: number) => Promise<unknown>;
}

/** Fetches states; of any number of concurrent refreshes of a source, in any process, one fetches it. */
export function createRefresher(deps: RefresherDeps) {
  const { db, sealer, access, backend, readState, snapshots, wait, now, log } = deps;

  /**
   * Fetches the state now, or waits for a fetch that is running and returns its result. A source of kind `upload` is
   * never fetched.
   *
   * @throws NotFound; ServiceError 502 `state_backend_error`, which the source then also shows
   */
  async function refresh(org_id: string, id: string): Promise<RefreshResult> {
    const source = await getSource(org_id, id);
    return source.kind === 'upload' ? snapshots.current(source) : fetchOrJoin(source);
  }

  /** The same, but uses a fetch of the last five minutes. */
  async function refreshIfStale(org_id: string, id: string): Promise<RefreshResult> {
    const source = await getSource(org_id, id);
    const { kind, last_fetched_at, last_fetch_error } = source;
    const age_ms = last_fetched_at === null ? Number.POSITIVE_INFINITY : now().getTime() - last_fetched_at.getTime();
    const is_fresh = age_ms < STALE_AFTER_MS && last_fetch_error === null;
    return kind === 'upload' || is_fresh ? snapshots.current(source) : fetchOrJoin(source);
  }

  async function getSource(org_id: string, id: string): Promise<StoredSource> {
    return assertFound(await db.readInOrg(org_id, (read) => findSource(read, org_id, id)));
  }

  async function fetchOrJoin(source: StoredSource): Promise<RefreshResult> {
    const { org_id, id } = source;
    const claim = { org_id, id, token: newId() };
    const claimed = await db.inOrg(org_id, (trx) => store.claimFetch(trx, claim, now(), claimEnd()));
    return claimed ? fetchClaimed(source, claim) : join(source);
  }

  /** Waits for the fetch of another caller, and answers as it did. */
  async function join({ org_id, id, latest_snapshot_id }: StoredSource): Promise<RefreshResult> {
    let first: string | undefined;
    for (;;) {
      const running = await db.readInOrg(org_id, (read) => store.findFetch(read, org_id, id));
      if (running === undefined) throw new NotFound();
      first ??= running.claim ?? '';
      if (running.claim !== first || running.claim === null) break;
      if (running.claim_until !== null && running.claim_until <= now()) return refresh(org_id, id);
      await wait(POLL_MS);
    }
    const source = await getSource(org_id, id);
    if (source.last_fetch_error !== null) throw backendError(source.last_fetch_error);
    return { ...(await snapshots.current(source)), refreshed: source.latest_snapshot_id !== latest_snapshot_id };
  }

  async function fetchClaimed(source: StoredSource, claim: store.FetchClaim): Promise<RefreshResult> {
    const stopRenewing = keepRenewing(claim);
    try {
      return await snapshots.save(claim, await fetchState(source), source.latest_snapshot_id);
    } catch (error) {
      const failure = describeFailure(error, tooLate(backend.fetch_timeout_ms));
      const { message, is_missing } = failure ?? OWN_FAULT;
      const ended = { error: message, missing_at: is_missing ? now() : null };
      await db.inOrg(claim.org_id, (trx) => store.failFetch(trx, claim, ended));
      throw failure === undefined ? error : backendError(message, error);
    } finally {
      stopRenewing();
    }
  }

  async function fetchState({ org_id, id, kind, cloud_account_id, config_ct }: StoredSource): Promise<ReadState> {
    if (kind === 'upload') throw new Error('an upload is never fetched');
    const location = toLocation(kind, openConfig(sealer, { org_id, id, config_ct }));
    const provider = PROVIDERS[kind];
    const opened = provider === null ? null : await access.open(org_id, provider, cloud_account_id);
    const signal = AbortSignal.timeout(backend.fetch_timeout_ms);
    const { body } = await backend.fetch(location, opened, signal);
    return readState(org_id, body, signal);
  }

  /** A missed renewal is harmless: only a claim that another process has taken stops this one, when it saves. */
  function keepRenewing(claim: store.FetchClaim): () => void {
    const timer = setInterval(() => {
      db.inOrg(claim.org_id, (trx) => store.renewFetch(trx, claim, claimEnd())).catch((err: unknown) =>
        log.warn({ err, source_id: claim.id }, 'claim of a state source not renewed'),
      );
    }, RENEW_MS);
    return () => clearInterval(timer);
  }

  function claimEnd(): Date {
    return new Date(now().getTime() + CLAIM_MS);
  }

  return { refresh, refreshIfStale };
}

function tooLate(timeout_ms: number): string {
  return `the state did not arrive within ${Math.round(timeout_ms / 1_000)} seconds; try again later`;
}

export type Refresher = ReturnType<typeof createRefresher>;
