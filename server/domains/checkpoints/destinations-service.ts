import { isDeepStrictEqual } from 'node:util';
import type { LockedBuckets } from '../../adapters/locked-bucket/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { lockOrg } from '../../db/index.ts';
import { InvalidInput, NotFound, Unprocessable } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import { SealError } from '../../lib/seal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { toCheckpointFile, toReadme } from './destination-file.ts';
import * as store from './destinations-store.ts';
import { bucketKeySeals } from './seals.ts';
import type { Sending, SendingTarget } from './send-service.ts';
import { findCheckpoint } from './store.ts';
import { type BucketTarget, type Checkpoint, type Destination, DestinationFailure, type Target } from './types.ts';

export interface DestinationsDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'now'> {
  audit: Pick<AuditWriter, 'record'>;
  buckets: Pick<LockedBuckets, 'findRefusedName'>;
  /** @throws InvalidInput `url_not_allowed` */
  assertPublicUrl: (url: string, field: string) => void;
  sending: Pick<Sending, 'send' | 'test'>;
}

type TestedTarget = SendingTarget & Pick<store.SealedDestination, 'secret_access_key_ct'>;

/** Where an organization keeps its checkpoints: at most one bucket, and one repository. */
export function createDestinations(deps: DestinationsDeps) {
  const { db, sealer, audit, buckets, assertPublicUrl, sending, now } = deps;

  async function list(org_id: string): Promise<Destination[]> {
    return db.readInOrg(org_id, (read) => store.listDestinations(read, org_id));
  }

  /**
   * Sets the destination of its kind, after a file and the newest checkpoint have arrived there. One that fails is due again
   * at once. If nothing changes, no audit entry is written.
   *
   * @param secret_access_key null for a bucket that is reached with a cloud account, and for a repository
   * @throws InvalidInput if a name or an address cannot be used; Unprocessable `checkpoint_destination_rejected`
   */
  async function put(
    { user }: Principal,
    org_id: string,
    target: Target,
    secret_access_key: string | null = null,
  ): Promise<Destination> {
    if (target.kind === 's3') assertBucket(target);
    const known = await db.readInOrg(org_id, (read) => store.findDestination(read, org_id, target.kind));
    const id = known?.id ?? newId();
    const sealed = secret_access_key === null ? null : bucketKeySeals(sealer, org_id, id).seal(secret_access_key);
    const tested = { id, org_id, target, secret_access_key_ct: sealed };
    const latest = await test(tested);
    const before = await replace(known?.id, tested, latest);
    const is_same = before !== undefined && isDeepStrictEqual(before.target, target);
    const event = { org_id, actor_email: user.email, detail: describe(target) };
    if (!is_same || !hasSecret(before, secret_access_key)) {
      await audit.record({ ...event, action: 'checkpoint_destination.updated' });
    }
    return assertSaved(await list(org_id), target.kind);
  }

  /**
   * @param known_id that of the destination which is replaced; undefined if there was none
   * @returns what was replaced
   */
  async function replace(known_id: string | undefined, tested: TestedTarget, latest: Checkpoint | undefined) {
    const { org_id, target } = tested;
    return db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      const before = await store.findDestination(trx, org_id, target.kind);
      // Its secret is bound to the ID, and another request can have saved one under another ID.
      if (before?.id !== known_id) throw new Unprocessable(CHANGED, 'checkpoint_destination_rejected');
      await store.saveDestination(trx, { ...tested, ...begin(before, target, latest) });
      return before;
    });
  }

  /** A secret that no key of this deployment decrypts is another one. */
  function hasSecret({ org_id, id, secret_access_key_ct: sealed }: store.SealedDestination, secret: string | null) {
    try {
      return (sealed && bucketKeySeals(sealer, org_id, id).open(sealed)) === secret;
    } catch (error) {
      if (error instanceof SealError) return false;
      throw error;
    }
  }

  /** @returns the newest checkpoint, which has arrived; undefined if there is none */
  async function test(to: SendingTarget): Promise<Checkpoint | undefined> {
    const { org_id, target } = to;
    const latest = await db.readInOrg(org_id, (read) => findCheckpoint(read, org_id, undefined));
    try {
      await sending.test(to, toReadme(target, org_id));
      if (latest !== undefined) await sending.send(to, toCheckpointFile(target, latest));
      return latest;
    } catch (error) {
      if (!(error instanceof DestinationFailure)) throw error;
      throw new Unprocessable(error.message, 'checkpoint_destination_rejected');
    }
  }

  function assertBucket({ bucket, region, endpoint, cloud_account_id, access_key_id }: BucketTarget): void {
    if (endpoint !== null) assertPublicUrl(endpoint, 'endpoint');
    const refused = buckets.findRefusedName({ bucket, region, endpoint });
    if (refused !== undefined) throw new InvalidInput(`${refused.field} ${refused.reason}`);
    if ((cloud_account_id === null) === (access_key_id === null)) {
      throw new InvalidInput('give either cloud_account_id or access_key');
    }
  }

  /** What has arrived at the same place stays known, and what has not is still delivered. */
  function begin(before: Destination | undefined, target: Target, latest: Checkpoint | undefined) {
    const at = now();
    const times = { created_at: before?.created_at ?? at, updated_at: at, due_at: at };
    const healthy = { last_error: null, failed_at: null, failures: 0 };
    if (before !== undefined && isSamePlace(before.target, target)) {
      const { next_size, delivered_size, delivered_at } = before;
      return { ...times, ...healthy, next_size, delivered_size, delivered_at };
    }
    const delivered = { delivered_size: latest?.size ?? null, delivered_at: latest === undefined ? null : at };
    return { ...times, ...healthy, ...delivered, next_size: (latest?.size ?? 0) + 1 };
  }

  /** Files that have arrived there stay. @throws NotFound */
  async function remove({ user }: Principal, org_id: string, kind: Target['kind']): Promise<void> {
    const target = await db.inOrg(org_id, (trx) => store.deleteDestination(trx, org_id, kind));
    if (target === undefined) throw new NotFound();
    const detail = describe(target);
    await audit.record({ action: 'checkpoint_destination.deleted', org_id, actor_email: user.email, detail });
  }

  return { list, put, remove };
}

export type Destinations = ReturnType<typeof createDestinations>;

const CHANGED = 'The destination was changed by another request. Try again.';

function isSamePlace(a: Target, b: Target): boolean {
  return isDeepStrictEqual(toPlace(a), toPlace(b));
}

/** Where files are, without how they get there. */
function toPlace(target: Target) {
  if (target.kind === 'git') return target;
  const { bucket, region, endpoint, folder } = target;
  return { bucket, region, endpoint, folder };
}

/** For the audit log: without the credential. */
function describe(target: Target) {
  const { folder } = target;
  if (target.kind === 'git') {
    const { webhook_config_id, branch } = target;
    return { kind: target.kind, folder, webhook_config_id, branch };
  }
  const { bucket, lock_mode, lock_days } = target;
  return { kind: target.kind, folder, bucket, lock_mode, lock_days };
}

function assertSaved(saved: readonly Destination[], kind: Target['kind']): Destination {
  const found = saved.find(({ target }) => target.kind === kind);
  if (found === undefined) throw new NotFound();
  return found;
}
