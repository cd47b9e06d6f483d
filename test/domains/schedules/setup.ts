import type { OrgDatabase } from '../../../server/db/index.ts';
import { createSchedules, type Schedules } from '../../../server/domains/schedules/index.ts';
import type { ScheduleInput } from '../../../server/domains/schedules/types.ts';
import { InvalidInput } from '../../../server/lib/errors.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { setUpCloudScans } from '../cloud-scans/setup.ts';

/** Schedules with their own database. The clock of the database is fixed until it is moved. */
export async function setUpSchedules() {
  const under = await setUpCloudScans({ onEnded: (trx, scan) => schedules.lifecycle.onScanEnded(trx, scan) });
  const { database, clock, orgs, audit, accounts } = under;
  const disabled: string[] = [];
  const runs: { outcome: string; late_ms: number }[] = [];

  /** One process. */
  function startProcess(db: OrgDatabase = database.db): Schedules {
    return createSchedules({
      db,
      platform_db: database.platform_db,
      sweep_db: database.sweeper_db,
      orgs,
      audit,
      cloudScans: under.another(db).cloudScans,
      scanAccess: accounts.scanAccess,
      resolveChannel: async (_org, channel) => channel,
      async assertWebhookConfigs(_trx, _orgId, ids) {
        if (ids.length > 0) throw new InvalidInput('no such webhook configuration');
      },
      onDisabled: async (_trx, { id }) => void disabled.push(id),
      clock: async () => clock.now,
      onFired: ({ outcome, late_ms }) => void runs.push({ outcome, late_ms }),
      log: { warn: (fields: unknown) => void under.warnings.push(fields) },
    });
  }

  const schedules: Schedules = startProcess();
  let number = 100_000_000_000;

  return {
    ...under,
    schedules,
    startProcess,
    runs,
    /** Schedules that the service has disabled. */
    disabled,
    async addAccount(owner: Principal, org: string, more: { regions?: string[] } = {}) {
      number += 1;
      const role = { role_arn: `arn:aws:iam::${number}:role/dpa` };
      return under.makeAccount(owner, org, { external_account_id: String(number), credentials: role, ...more });
    },
    add: (owner: Principal, org: string, input: Partial<ScheduleInput> = {}) =>
      schedules.create(owner, org, { name: 'Hourly', schedule: '0 * * * *', ...input }),
    change: (owner: Principal, org: string, id: string, changes: Parameters<Schedules['update']>[3]) =>
      schedules.update(owner, org, id, changes, () => {}),
    /** Fires until nothing is due. */
    async fire(process = schedules) {
      while (await process.fire());
    },
    setTime(at: Date | string) {
      clock.now = new Date(at);
    },
    row: (id: string) => database.admin_db('schedules').where({ id }).first(),
    firings: (schedule_id: string) =>
      database.admin_db('schedule_firings').where({ schedule_id }).orderBy(['fired_at', 'id']),
    scansOf: (schedule_id: string) =>
      database.admin_db('scan_runs').where({ schedule_id }).orderBy(['created_at', 'id']),
  };
}

export type SchedulesUnderTest = Awaited<ReturnType<typeof setUpSchedules>>;
