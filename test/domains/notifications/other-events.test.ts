/** Events that are not about the drift of an account: Compliance Packs, and schedules that the service disables. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EventSource } from '../../../server/domains/notifications/types.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { type NotificationsUnderTest, setUpNotifications } from './setup.ts';

const START = new Date('2026-02-01T00:00:00.000Z');
const END = new Date('2026-03-01T00:00:00.000Z');
const SHA256 = 'a'.repeat(64);

let under: NotificationsUnderTest;
let owner: Principal;
let org: string;
beforeAll(async () => {
  under = await setUpNotifications();
});
afterAll(() => under.database.close());
beforeEach(async () => {
  ({ owner, org } = await under.makeOwner());
  const { config } = await under.webhooks.configs.create(owner, org, {
    provider: 'generic',
    provider_base_url: under.server.url,
  });
  await under.notifications.targets.create(owner, org, { kind: 'webhook', webhook_config_id: config.id });
  under.chat.posted.splice(0);
  under.queued.deliveries.splice(0);
  under.chosen['default_notify_channel'] = '#infra';
});

async function record(source: EventSource, source_id: string): Promise<void> {
  await under.database.db.inOrg(org, (trx) => under.notifications.record(trx, org, { source, source_id }));
  await under.work(org);
}

const events = () =>
  under.database
    .admin_db('notification_events')
    .where({ org_id: org })
    .orderBy('created_at')
    .orderBy('id')
    .select('type', 'data');
const sentToServer = () => under.database.admin_db('webhook_deliveries').where({ org_id: org }).pluck('event');

describe('a Compliance Pack', () => {
  async function insertPack(columns: object): Promise<string> {
    const id = newId();
    const at = under.clock.now;
    const times = { created_at: at, queued_at: at, started_at: at, finished_at: at, expires_at: END };
    const period = { period_start: START, period_end: END };
    const row = { id, org_id: org, requested_by: 'ana@example.com', ...period, ...times, ...columns };
    await under.database.admin_db('audit_exports').insert(row);
    return id;
  }

  test('that is ready is announced to servers with its checksum, and to no person', async () => {
    const artifact = { artifact_key: 'packs/x', artifact_bytes: 5_000_000_000, artifact_sha256: SHA256 };
    const export_id = await insertPack({ status: 'done', ...artifact });
    await record('compliance_pack', export_id);
    await record('compliance_pack', export_id);

    const period = { period_start: START.toISOString(), period_end: END.toISOString() };
    const data = { export_id, ...period, artifact_bytes: 5_000_000_000, artifact_sha256: SHA256 };
    expect(await events()).toEqual([
      { type: 'compliance_pack.ready', data: { ...data, expires_at: END.toISOString() } },
    ]);
    expect(await sentToServer()).toEqual(['compliance_pack.ready']);
    expect(under.chat.posted).toEqual([]);
  });

  test('that could not be built is announced with the reason', async () => {
    await record('compliance_pack', await insertPack({ status: 'error', error_message: 'the disk is full' }));

    expect(await events()).toMatchObject([
      { type: 'compliance_pack.failed', data: { error_message: 'the disk is full' } },
    ]);
    expect(await sentToServer()).toEqual(['compliance_pack.failed']);
  });

  test('that was deleted before anybody heard of it is not announced', async () => {
    await record('compliance_pack', newId());

    expect(await events()).toEqual([{ type: null, data: null }]);
    expect(await sentToServer()).toEqual([]);
  });
});

describe('a schedule', () => {
  async function insertSchedule(columns: object): Promise<string> {
    const id = newId();
    const at = under.clock.now;
    const row = {
      id,
      org_id: org,
      name: 'nightly',
      schedule: '0 3 * * *',
      filter_regions: [],
      interval_minutes: 1_440,
    };
    const rest = { notify_webhook_config_ids: [], created_at: at, updated_at: at, created_by: owner.user.id };
    await under.database.admin_db('schedules').insert({ ...row, ...rest, enabled: false, ...columns });
    return id;
  }

  test('that the service disabled is announced to people and servers, each time', async () => {
    const last_error = 'AWS rejects the credentials.';
    const disabled_reason = `consecutive_failures: 5, last: ${last_error}`;
    const id = await insertSchedule({ disabled_reason, last_error });
    await record('schedule', id);
    await record('schedule', id);

    const data = { schedule: { id, name: 'nightly' }, reason: disabled_reason, last_error };
    expect(await events()).toEqual([
      { type: 'schedule.disabled', data },
      { type: 'schedule.disabled', data },
    ]);
    expect(await sentToServer()).toEqual(['schedule.disabled', 'schedule.disabled']);
    const [message] = under.chat.roots();
    expect(message?.revisions[0]?.text).toBe('Schedule disabled: nightly');
    expect(JSON.stringify(message)).toContain(`Its last runs failed: ${last_error}`);
  });

  test('with its own channel is announced there', async () => {
    await record('schedule', await insertSchedule({ disabled_reason: 'plan_limit', notify_chat_channel: 'C9' }));

    expect(under.chat.roots().map(({ channel }) => channel)).toEqual(['C9']);
    expect(await sentToServer()).toEqual([]);
  });

  test('that was enabled again meanwhile is not announced', async () => {
    const next_run_at = new Date('2026-03-03T00:00:00.000Z');
    await record('schedule', await insertSchedule({ enabled: true, next_run_at }));

    expect(await events()).toEqual([{ type: null, data: null }]);
  });
});
