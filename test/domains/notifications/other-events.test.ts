/**
 * Events that are not about the drift of an account: Compliance Packs, schedules that the service disables, and critical
 * pull requests that are approved.
 */
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

describe('a pull request with critical plans', () => {
  const HEAD = 'a'.repeat(40);

  async function insertPullRequest(columns: object): Promise<string> {
    const repo_path = `acme/shop-${newId()}`;
    const { config } = await under.webhooks.configs.create(owner, org, { provider: 'github', repo_path });
    const id = newId();
    const at = under.clock.now;
    const row = { id, org_id: org, config_id: config.id, repo: 'acme/shop', pr_number: 42, is_fork: false };
    const times = { created_at: at, updated_at: at, head_changed_at: at };
    const url = 'https://github.com/acme/shop/pull/42';
    const rest = { url, branch: 'resize-database', head_sha: HEAD, state: 'open', ...times };
    const published = JSON.stringify({ risk_level: 'critical', head_sha: HEAD });
    await under.database.admin_db('pull_requests').insert({ ...row, ...rest, published, ...columns });
    return id;
  }

  test('that are approved or merged is announced once, to people and servers', async () => {
    const id = await insertPullRequest({ state: 'merged' });
    const result_json = { risk_level: 'critical' };
    const analysis = { kind: 'analysis', scan_type: 'webhook', status: 'done', result_json };
    const scan_run_id = newId();
    const at = under.clock.now;
    const times = { created_at: at, queued_at: at, finished_at: at };
    await under.database.admin_db('scan_runs').insert({ id: scan_run_id, org_id: org, ...analysis, ...times });
    const plan = { id: newId(), org_id: org, pull_request_id: id, plan_key: 'tfplan', head_sha: HEAD, run_id: '1' };
    const done = { run_number: 1, status: 'done', scan_run_id, created_at: at };
    await under.database.admin_db('pull_request_plans').insert({ ...plan, ...done });
    await record('pull_request', id);
    await record('pull_request', id);
    // The same pull request, followed by another source.
    await record('pull_request', await insertPullRequest({ state: 'merged' }));

    const named = { repo: 'acme/shop', pr_number: 42, pr_url: 'https://github.com/acme/shop/pull/42' };
    const commit = { branch: 'resize-database', commit_sha: HEAD, scan_run_id };
    const url = expect.stringContaining(scan_run_id);
    const data = { action: 'merged', risk_level: 'critical', ...named, ...commit, url };
    expect(await events()).toEqual([
      { type: 'analysis.approved', data },
      { type: null, data: null },
    ]);
    expect(await sentToServer()).toEqual(['analysis.approved']);
    expect(under.chat.roots().map(({ revisions }) => revisions[0]?.text)).toEqual([
      'Merged despite critical risk: acme/shop#42',
    ]);
  });

  test('whose approval is reported shows what happened first', async () => {
    await record('pull_request', await insertPullRequest({ state: 'open' }));

    expect(await events()).toMatchObject([{ data: { action: 'approved', scan_run_id: null, url: null } }]);
    expect(under.chat.roots()[0]?.revisions[0]?.text).toBe('Approved despite critical risk: acme/shop#42');
  });
});
