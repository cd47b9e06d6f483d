import { createHash } from 'node:crypto';
import type { RiskLevel } from '../../../engine/index.ts';
import { createEgress, createGuardedFetch } from '../../../server/adapters/egress/index.ts';
import type { Mail, MailResult } from '../../../server/adapters/mail/types.ts';
import type { OpenIssues } from '../../../server/adapters/scm/issues/types.ts';
import type { ChatSender } from '../../../server/adapters/slack/types.ts';
import { SEALED_COLUMNS } from '../../../server/composition/sealed-columns.ts';
import { createColumnSealer, type Db } from '../../../server/db/index.ts';
import { createNotifications } from '../../../server/domains/notifications/index.ts';
import { noteNotified } from '../../../server/domains/schedules/store.ts';
import { newId } from '../../../server/lib/ids.ts';
import { createFakeChat } from '../../fakes/chat.ts';
import { sealer, setUpWebhooks } from '../webhooks/setup.ts';

const RANKS: readonly RiskLevel[] = ['none', 'low', 'medium', 'high', 'critical'];

export interface MadeSchedule {
  id: string;
  name: string;
  channel: string | null;
  webhook_config_ids: readonly string[];
}

export interface SnapshotInput {
  /** Names of differences, which identify them, with their levels. */
  items: Readonly<Record<string, RiskLevel>>;
  is_incomplete?: boolean;
}

/** Notifications with their own database. The queues are lists; the clock is fixed until it is moved. */
export async function setUpNotifications() {
  const under = await setUpWebhooks();
  const { database, clock, orgs, audit, webhooks, server } = under;
  const chat = createFakeChat();
  const mails: Mail[] = [];
  const mail: { result: MailResult } = { result: { ok: true } };
  /** Replaces the workspace in memory. */
  const workspace: { sender: ChatSender | null } = { sender: null };
  /** How the issues of a repository are opened. */
  const git_host: { open: OpenIssues | null } = { open: null };
  const settings = { default_notify_channel: null, notify_quiet_hours: null, notify_digest_at: null };
  const chosen: Record<string, string | null> = { ...settings, notify_timezone: 'UTC' };
  const queued: { events: string[]; deliveries: { id: string; at: Date }[] } = { events: [], deliveries: [] };

  /** One process. */
  const another = () =>
    createNotifications({
      ...database,
      sweep_db: database.sweeper_db,
      sealer: createColumnSealer(sealer, SEALED_COLUMNS),
      orgs: { ...orgs, getSettings: async (id: string) => ({ ...(await orgs.getSettings(id)), ...chosen }) },
      audit,
      webhooks,
      base_urls: { app_url: 'https://app.example.com', api_url: null },
      guardedFetch: createGuardedFetch({ allowed_hosts: [server.host] }),
      assertPublicUrl: createEgress({ allowed_hosts: [server.host] }).assertPublicUrl,
      openChat: async () => ({ ...(workspace.sender ?? chat.sender), has_buttons: true }),
      resolveChannel: async (_org, channel) => channel,
      signButton: (action: string, { id }: { id: string }) => `${action} ${id}`,
      openIssues(access) {
        if (git_host.open === null) throw new Error('no Git host was set up');
        return git_host.open(access);
      },
      onScheduleNotified: noteNotified,
      mail: {
        async send(sent: Mail) {
          if (mail.result.ok) mails.push(sent);
          return mail.result;
        },
      },
      mail_domain: 'dpa.example.com',
      enqueueEvent: async (_trx: Db, { id }: { id: string }) => void queued.events.push(id),
      enqueueDelivery: async (_trx: Db, { id }: { id: string }, at = clock.now) =>
        void queued.deliveries.push({ id, at }),
      random: () => 0.5,
      now: () => clock.now,
    });
  const notifications = another();

  async function insertScan(org_id: string, cloud_account_id: string, more: Record<string, unknown> = {}) {
    const id = newId();
    const run = {
      id,
      org_id,
      kind: 'cloud',
      scan_type: 'scheduled',
      provider: 'aws',
      cloud_account_id,
      status: 'done',
    };
    const times = { created_at: clock.now, queued_at: clock.now, finished_at: clock.now };
    await database.admin_db('scan_runs').insert({ ...run, ...times, ...more });
    return id;
  }

  /** Runs everything that is due at the current time, in the order in which it was queued. */
  async function work(org_id: string, one = notifications): Promise<void> {
    for (const id of queued.events.splice(0)) await one.decisions.decide({ org_id, id });
    for (;;) {
      const next = queued.deliveries.findIndex(({ at }) => at <= clock.now);
      if (next < 0) return;
      const [{ id } = { id: '' }] = queued.deliveries.splice(next, 1);
      await one.deliveries.sendDue({ org_id, id });
    }
  }

  return {
    ...under,
    notifications,
    another,
    chat,
    workspace,
    mails,
    mail,
    git_host,
    chosen,
    queued,
    work,
    insertScan,
    async makeAccount(org_id: string, created_by: string, display_name = 'prod'): Promise<string> {
      const id = newId();
      const row = { id, org_id, display_name, provider: 'aws', external_account_id: id, created_by };
      const rest = {
        credential_type: 'aws_access_key',
        status: 'active',
        created_at: clock.now,
        updated_at: clock.now,
      };
      const open = { regions: [], enabled: true, credentials_ct: Buffer.alloc(1) };
      await database.admin_db('cloud_accounts').insert({ ...row, ...rest, ...open });
      return id;
    },
    /** A schedule with targets of its own. */
    async makeSchedule(
      org_id: string,
      created_by: string,
      { name = 'nightly', channel = null, webhook_config_ids = [] }: Partial<MadeSchedule> = {},
    ): Promise<MadeSchedule> {
      const [id, at] = [newId(), clock.now];
      const timing = { schedule: '0 3 * * *', interval_minutes: 1_440, next_run_at: at, enabled: true };
      const targets = { notify_chat_channel: channel, notify_webhook_config_ids: [...webhook_config_ids] };
      const row = { id, org_id, name, filter_regions: [], created_at: at, updated_at: at, created_by };
      await database.admin_db('schedules').insert({ ...row, ...timing, ...targets });
      return { id, name, channel, webhook_config_ids };
    },
    /** Says that a schedule started a scan. */
    async startedBy(scan_run_id: string, { id: schedule_id }: MadeSchedule): Promise<void> {
      await database.admin_db('scan_runs').where({ id: scan_run_id }).update({ schedule_id });
    },
    /** Stores a drift snapshot and records it, as a computation of drift does. */
    async snapshot(org_id: string, cloud_account_id: string, { items, is_incomplete = false }: SnapshotInput) {
      const scan_run_id = await insertScan(org_id, cloud_account_id);
      const names = Object.keys(items);
      const content_hash = createHash('sha256').update(JSON.stringify(items)).digest();
      const known = await database
        .admin_db('drift_item_sets')
        .where({ org_id, cloud_account_id, content_hash })
        .first();
      const items_id: string = known?.id ?? newId();
      const at = clock.now;
      if (known === undefined) {
        const set = { id: items_id, org_id, cloud_account_id, content_hash, item_count: names.length };
        await database.admin_db('drift_item_sets').insert({ ...set, created_at: at, last_used_at: at });
        for (const [position, name] of names.entries()) {
          const level = items[name] ?? 'low';
          await database.admin_db('drift_items').insert({
            ...{ items_id, position, org_id, id: newId(), drift_type: 'changed', first_detected_at: at, level },
            ...{ stable_key: createHash('sha256').update(name).digest(), resource_address: name, tags: '{}' },
            ...{ resource_type: 'aws_instance', normalized_type: 'compute', categories: [], certainty: 'confirmed' },
            ...{ level_rank: RANKS.indexOf(level), reasons: '[]', attributes: '[]', attributes_total: 0 },
            suppressed: false,
          });
        }
      }
      const level = names.reduce((most, name) => Math.max(most, RANKS.indexOf(items[name] ?? 'low')), 0);
      const counts = ['extra', 'matched', 'missing', 'parse_failure', 'not_checked', 'excluded', 'ignored'];
      const note = { code: 'unread_access_denied', message: 'not allowed', count: 1, examples: ['aws_iam_user'] };
      const id = newId();
      await database.admin_db('drift_snapshots').insert({
        ...Object.fromEntries(counts.map((name) => [`${name}_count`, 0])),
        ...{ id, org_id, scan_run_id, cloud_account_id, items_id, created_at: at, changed_count: names.length },
        ...{ drift_status: names.length > 0 ? 'drifted' : 'in_sync', total_iac: 9, total_live: 9, coverage_pct: 91.4 },
        ...{ risk_level: RANKS[level], narrative: 'Drift.', narrative_status: 'fallback' },
        notes: JSON.stringify(is_incomplete ? [note] : []),
      });
      await database.db.inOrg(org_id, (trx) =>
        notifications.record(trx, org_id, { source: 'drift_snapshot', source_id: id }),
      );
      return { id, scan_run_id };
    },
    /** Moves the clock and runs what is due then. */
    async pass(org_id: string, ms: number): Promise<void> {
      clock.now = new Date(clock.now.getTime() + ms);
      await work(org_id);
    },
    deliveries: (org_id: string) =>
      database.admin_db('notification_deliveries').where({ org_id }).orderBy('created_at').orderBy('id'),
  };
}

export type NotificationsUnderTest = Awaited<ReturnType<typeof setUpNotifications>>;
