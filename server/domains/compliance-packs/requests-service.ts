import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound } from '../../lib/errors.ts';
import { assertHourlyLimit, type HourlyLimit } from '../../lib/hourly-limit.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { resolveEntitlements } from '../entitlements/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { clampPeriod, parsePeriod } from './period.ts';
import * as store from './store.ts';
import type { Pack, PackRef } from './types.ts';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 90;
const FEATURE = 'audit_compliance';
/** @see the interface specification, Limits: Compliance Pack */
export const REQUEST_LIMIT: HourlyLimit = {
  most: 5,
  window_ms: DAY_MS,
  message: 'an organization can request 5 Compliance Packs in 24 hours; try again later',
  error_class: 'audit_export_rate_limited',
};

export interface RequestsDeps extends Pick<ServiceDeps, 'db' | 'now' | 'log'> {
  orgs: Pick<Orgs, 'assertFeature' | 'getContract'>;
  audit: Pick<AuditWriter, 'record'>;
  blobs: { delete(key: string): Promise<void> };
  /** Queues a pack once `trx` has committed. */
  enqueue: (trx: Db, pack: PackRef) => Promise<void>;
}

/** Packs as callers see them. */
export function createRequests({ db, now, log, orgs, audit, blobs, enqueue }: RequestsDeps) {
  /**
   * Requests a pack.
   *
   * @throws InvalidInput `invalid_period`; PaymentRequired `plan_feature_required`; TooManyRequests
   *   `audit_export_rate_limited`
   */
  async function create(
    principal: Principal,
    org_id: string,
    input: { period_start: string; period_end: string },
    keep: Keep<Pack>,
  ): Promise<Pack> {
    const created_at = now();
    const requested = parsePeriod(input, created_at);
    const { email } = principal.user;
    const pack = await db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      await orgs.assertFeature(trx, org_id, FEATURE);
      const { pack_window_days } = resolveEntitlements((await orgs.getContract(trx, org_id)).plan);
      const period = clampPeriod(requested, pack_window_days, created_at);
      await assertHourlyLimit(REQUEST_LIMIT, created_at, (range) => store.findNthRequest(trx, org_id, range));
      const expires_at = new Date(created_at.getTime() + KEPT_DAYS * DAY_MS);
      const row = { id: newId(), org_id, ...period, requested_by: email, created_at, expires_at };
      const created = await store.insertPack(trx, row);
      await enqueue(trx, created);
      await keep(trx, created);
      return created;
    });
    await record(principal, pack, 'audit_export.requested');
    return pack;
  }

  async function list(org_id: string, page: { limit: number; offset: number }) {
    return db.inOrg(org_id, (trx) => store.listPacks(trx, org_id, page));
  }

  /** @throws NotFound */
  async function get(org_id: string, id: string): Promise<Pack> {
    return assertFound(await db.readInOrg(org_id, (read) => store.findPack(read, { org_id, id })));
  }

  /** Deletes a pack and cancels its build. A pack that was deleted meanwhile is no error. */
  async function remove(principal: Principal, org_id: string, id: string): Promise<void> {
    const key = await db.inOrg(org_id, (trx) => store.deletePack(trx, { org_id, id }));
    if (key === undefined) return;
    if (key !== null) await deleteArtifact(key);
    await record(principal, { org_id, id }, 'audit_export.deleted');
  }

  /** If this fails, the sweep deletes the artifact. */
  async function deleteArtifact(key: string): Promise<void> {
    await blobs.delete(key).catch((error) => log.warn({ err: error, key }, 'artifact of a pack not deleted'));
  }

  async function record(
    { user: { email: actor_email } }: Principal,
    { org_id, id }: PackRef,
    action: 'audit_export.requested' | 'audit_export.deleted',
  ): Promise<void> {
    await audit.record({ action, org_id, actor_email, detail: { export_id: id } });
  }

  return { create, list, get, remove };
}
