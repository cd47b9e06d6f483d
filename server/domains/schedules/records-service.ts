import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { ResolveChannel } from '../../lib/resolve-channel.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { CloudAccounts } from '../cloud-accounts/index.ts';
import { assertWithin } from '../entitlements/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { Clock } from './clock.ts';
import { parseUsableCron } from './cron.ts';
import { applyChanges, haveSameFields, haveSameTargets, toFields } from './fields.ts';
import * as store from './store.ts';
import { findDelay, findNextDue } from './timing.ts';
import type { Schedule, ScheduleChanges, ScheduleFields, ScheduleInput } from './types.ts';

export interface RecordsDeps extends Pick<ServiceDeps, 'db'> {
  orgs: Pick<Orgs, 'assertRoom' | 'getContract'>;
  audit: Pick<AuditWriter, 'record'>;
  scanAccess: Pick<CloudAccounts['scanAccess'], 'list' | 'assertRegions'>;
  /** @throws InvalidInput if one of these webhook configurations does not exist */
  assertWebhookConfigs: (trx: Db, orgId: string, ids: readonly string[], path: string) => Promise<void>;
  /** A channel as it is stored: an ID for a name. @throws InvalidInput */
  resolveChannel: ResolveChannel;
  clock: Clock;
}

/** Schedules as people create, change and delete them. */
export function createRecords({
  db,
  orgs,
  audit,
  scanAccess,
  assertWebhookConfigs,
  resolveChannel,
  clock,
}: RecordsDeps) {
  /** One page, newest first. */
  async function list(orgId: string, page: { limit: number; offset: number }) {
    return db.inOrg(orgId, (trx) => store.listSchedules(trx, orgId, page));
  }

  /** @throws NotFound */
  async function get(orgId: string, id: string): Promise<Schedule> {
    return assertFound(await db.readInOrg(orgId, (read) => store.findSchedule(read, orgId, id)));
  }

  /**
   * @throws InvalidInput, `invalid_cron` for the expression; NotFound for the account; PaymentRequired if the
   *   organization has as many schedules as its plan allows, or if this one runs too often
   */
  async function create(
    principal: Principal,
    orgId: string,
    input: ScheduleInput,
    keep?: Keep<Schedule>,
  ): Promise<Schedule> {
    const { id: created_by, email: actor_email } = principal.user;
    const id = newId();
    const fields = toFields(await withChannelId(orgId, input));
    const schedule = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const now = await clock(trx);
      const timing = await findTiming(trx, orgId, id, fields, now);
      await assertReferences(trx, orgId, fields);
      await orgs.assertRoom(trx, orgId, 'schedules');
      await store.insertSchedule(trx, orgId, {
        id,
        ...fields,
        ...timing,
        created_by,
        created_at: now,
        updated_at: now,
      });
      const created = assertFound(await store.findSchedule(trx, orgId, id));
      await keep?.(trx, created);
      return created;
    });
    const detail = { schedule_id: id, name: schedule.name };
    await audit.record({ action: 'schedule.created', org_id: orgId, actor_email, detail });
    return schedule;
  }

  /**
   * Changes a schedule, unless every field already has its new value. Enabling it forgets its failures.
   *
   * @param assertKnown throws if the caller knows another state than the current one
   * @throws as `create`; NotFound
   */
  async function update(
    principal: Principal,
    orgId: string,
    id: string,
    changes: ScheduleChanges,
    assertKnown: (schedule: Schedule) => void,
  ): Promise<Schedule> {
    const resolved = await withChannelId(orgId, changes);
    const { schedule, changed } = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const before = assertFound(await store.findSchedule(trx, orgId, id));
      assertKnown(before);
      const fields = applyChanges(before, resolved);
      if (haveSameFields(before, fields)) return { schedule: before, changed: false };
      await write(trx, before, fields);
      return { schedule: assertFound(await store.findSchedule(trx, orgId, id)), changed: true };
    });
    if (changed) await record(principal, 'schedule.updated', orgId, id);
    return schedule;
  }

  async function withChannelId<Input extends ScheduleChanges>(orgId: string, input: Input): Promise<Input> {
    const channel = input.notify_chat_channel;
    return { ...input, notify_chat_channel: await resolveChannel(orgId, channel, 'notify_chat_channel') };
  }

  async function write(trx: Db, before: Schedule, fields: ScheduleFields): Promise<void> {
    const { org_id, id } = before;
    const now = await clock(trx);
    const is_enabled_now = fields.enabled && !before.enabled;
    const is_timed_anew = is_enabled_now || fields.schedule !== before.schedule;
    await assertReferences(trx, org_id, fields);
    const timing = is_timed_anew ? await findTiming(trx, org_id, id, fields, now) : {};
    if (is_enabled_now) {
      const contract = await orgs.getContract(trx, org_id);
      assertWithin(contract, 'schedules', await store.countEnabled(trx, org_id));
    }
    await store.updateSchedule(trx, org_id, id, {
      ...fields,
      ...timing,
      ...(is_enabled_now && { consecutive_failures: 0, disabled_reason: null }),
      ...(!fields.enabled && { next_run_at: null }),
      ...(!haveSameTargets(before, fields) && { notify_errors: '{}' }),
      updated_at: now,
    });
  }

  /** @throws NotFound */
  async function remove(principal: Principal, orgId: string, id: string): Promise<void> {
    await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      if (!(await store.deleteSchedule(trx, orgId, id, await clock(trx)))) throw new NotFound();
    });
    await record(principal, 'schedule.deleted', orgId, id);
  }

  /** @throws InvalidInput `invalid_cron`; PaymentRequired `plan_schedule_frequency` */
  async function findTiming(trx: Db, orgId: string, id: string, { schedule, enabled }: ScheduleFields, now: Date) {
    const cron = parseUsableCron(schedule, now);
    const interval_minutes = cron.findInterval(now);
    assertWithin(await orgs.getContract(trx, orgId), 'schedule_interval', interval_minutes);
    const next_run_at = enabled ? (findNextDue(cron, findDelay(id, interval_minutes), now) ?? null) : null;
    return { interval_minutes, next_run_at };
  }

  /** @throws NotFound for the account; InvalidInput for its regions, or for a webhook configuration */
  async function assertReferences(trx: Db, orgId: string, fields: ScheduleFields): Promise<void> {
    const { cloud_account_id, filter_regions, notify_webhook_config_ids } = fields;
    if (cloud_account_id !== null) {
      const accounts = await scanAccess.list(trx, orgId, [cloud_account_id]);
      for (const account of accounts) scanAccess.assertRegions(account, filter_regions);
    }
    await assertWebhookConfigs(trx, orgId, notify_webhook_config_ids, '/body/notify_webhook_config_ids');
  }

  async function record(
    { user }: Principal,
    action: 'schedule.updated' | 'schedule.deleted',
    org_id: string,
    schedule_id: string,
  ): Promise<void> {
    await audit.record({ action, org_id, actor_email: user.email, detail: { schedule_id } });
  }

  return { list, get, create, update, remove };
}
