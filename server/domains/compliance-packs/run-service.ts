import type { Readable } from 'node:stream';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { errorCode } from '../../lib/error-code.ts';
import { ServiceError, StorageUnavailable } from '../../lib/errors.ts';
import type { CheckpointCreation } from '../checkpoints/index.ts';
import type { BuildPack, BuiltPack } from './build-service.ts';
import { hashStream } from './download-service.ts';
import { artifactKey } from './names.ts';
import { nextWait } from './retries.ts';
import * as store from './store.ts';
import type { Artifact, OnPackEnded, PackClaim, PackRef } from './types.ts';

const BROKEN =
  'The pack could not be built because of an error of the service. Request a new one; if it repeats, report it.';

export interface RunnerDeps extends Pick<ServiceDeps, 'db' | 'now' | 'log'> {
  build: BuildPack;
  blobs: {
    putFile(key: string, path: string): Promise<void>;
    open(key: string): Promise<Readable | undefined>;
    delete(key: string): Promise<void>;
  };
  /** Signs the state of the audit log that a pack attests. */
  checkpoints: Pick<CheckpointCreation, 'save'>;
  /** Queues a pack once `trx` has committed, not before `at`. */
  enqueueAt: (trx: Db, pack: PackRef, at: Date) => Promise<void>;
  onEnded: OnPackEnded;
  /** A number from 0 to 1. */
  random: () => number;
  /** Interval of a running build's heartbeat. */
  heartbeat_ms: number;
}

/** Builds a pack, from the queue entry to the final row. */
export function createRunner(deps: RunnerDeps) {
  const { db, now, log, build, blobs, checkpoints, enqueueAt, onEnded, random, heartbeat_ms } = deps;

  /**
   * Builds one pack. Safe to call twice: a pack that is not due is skipped.
   *
   * @throws errors of the database; the sweep then finds the pack without a heartbeat
   */
  async function run(payload: PackRef, shutdown: AbortSignal): Promise<void> {
    const claim = await db.inOrg(payload.org_id, (trx) => store.claim(trx, payload, now()));
    if (claim === undefined) return;
    const lost = new AbortController();
    const heartbeat = setInterval(() => void keepAlive(claim, lost), heartbeat_ms);
    try {
      await build(claim, AbortSignal.any([lost.signal, shutdown]), (built) => publish(claim, built));
    } catch (error) {
      if (lost.signal.aborted) return;
      await settle(claim, error, shutdown);
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function keepAlive(claim: PackClaim, lost: AbortController): Promise<void> {
    try {
      const held = await db.inOrg(claim.org_id, (trx) => store.renew(trx, claim, now()));
      if (!held) lost.abort();
    } catch (error) {
      log.warn({ err: error, pack_id: claim.id }, 'heartbeat not written');
    }
  }

  /** Stores the artifact, reads it back, and then makes it the pack's; until then nobody can download it. */
  async function publish(claim: PackClaim, { path, bytes, sha256, log_tree }: BuiltPack): Promise<void> {
    const artifact = { artifact_key: artifactKey(claim), artifact_bytes: bytes, artifact_sha256: sha256 };
    await blobs.putFile(artifact.artifact_key, path);
    await assertStored(artifact);
    const finished = await end(claim, async (trx) => {
      const is_ours = await store.finish(trx, claim, artifact, now());
      if (is_ours && log_tree !== null) await checkpoints.save(trx, claim.org_id, log_tree);
      return is_ours;
    });
    if (!finished) await blobs.delete(artifact.artifact_key);
  }

  async function assertStored({ artifact_key, artifact_sha256 }: Artifact): Promise<void> {
    const stored = await blobs.open(artifact_key);
    if (stored !== undefined && (await hashStream(stored)).sha256 === artifact_sha256) return;
    throw new StorageUnavailable('the object store does not return the file that was stored');
  }

  async function settle(claim: PackClaim, error: unknown, shutdown: AbortSignal): Promise<void> {
    if (shutdown.aborted) return postpone(claim, now());
    log.warn({ err: error, pack_id: claim.id, attempts: claim.attempts }, 'attempt to build a pack failed');
    const wait_ms = isTransient(error) ? nextWait(claim.attempts, random()) : null;
    if (wait_ms !== null) return postpone(claim, new Date(now().getTime() + wait_ms));
    const message = error instanceof ServiceError ? error.message : BROKEN;
    await end(claim, (trx) => store.fail(trx, claim, message, now()));
  }

  /** @returns false if the claim was lost */
  async function end({ org_id, id }: PackClaim, write: (trx: Db) => Promise<boolean>): Promise<boolean> {
    return db.inOrg(org_id, async (trx) => {
      const ended = await write(trx);
      if (ended) await onEnded(trx, { org_id, id });
      return ended;
    });
  }

  async function postpone(claim: PackClaim, at: Date): Promise<void> {
    const { org_id, id } = claim;
    await db.inOrg(org_id, async (trx) => {
      if (await store.postpone(trx, claim, at)) await enqueueAt(trx, { org_id, id }, at);
    });
  }

  return run;
}

/** Whether a later attempt can succeed: the database, the disk or the object store was not available. */
function isTransient(error: unknown): boolean {
  return error instanceof ServiceError ? error.status >= 500 : errorCode(error) !== undefined;
}
