import { escapeInvisible } from '../../../engine/index.ts';
import type { Schemas } from '../../../sdk/src/index.ts';
import { type Connection, type ConnectionOptions, openConnection } from '../connection.ts';
import { Failure } from '../failure.ts';
import { type Format, print } from '../output.ts';
import { writeTable } from '../table.ts';
import { fetchAccounts, resolveAccounts } from './account-names.ts';
import { findNamed } from './named.ts';

type Schedule = Schemas['Schedule'];

interface SchedulesOptions extends ConnectionOptions {
  format: Format;
}

interface FieldOptions extends SchedulesOptions {
  account?: string;
  region?: string[];
  channel?: string;
  webhook?: string[];
}

interface UpdateOptions extends FieldOptions {
  name?: string;
  cron?: string;
  enable?: boolean;
  disable?: boolean;
  allAccounts?: boolean;
  allRegions?: boolean;
  defaultChannel?: boolean;
}

const PAGE_SIZE = 200;
const LIST = 'dpa schedules list';
const COLUMNS = ['STATUS', 'NAME', 'CRON (UTC)', 'ACCOUNT', 'LAST RUN', 'NEXT RUN', 'NOTE'];

/** Prints the schedules, newest first. */
export async function listSchedules(options: SchedulesOptions): Promise<void> {
  const connection = await openConnection(options);
  await printSchedules(connection, await fetchSchedules(connection), options);
}

/** Creates a schedule, and prints it with its next run. */
export async function createSchedule(name: string, schedule: string, options: FieldOptions): Promise<void> {
  const connection = await openConnection(options);
  const { dpa, org_id } = connection;
  const body = { name, schedule, ...(await toFields(connection, options)) };
  await printSchedules(connection, [await dpa.call('createSchedule', { path: { id: org_id }, body })], options);
}

/** Changes what the options name. */
export async function updateSchedule(name: string, options: UpdateOptions): Promise<void> {
  const connection = await openConnection(options);
  const { dpa, org_id } = connection;
  const body = { ...(await toFields(connection, options)), ...toChanges(options) };
  if (Object.keys(body).length === 0) throw new Failure('name a change: `dpa schedules update --help` lists them');
  const { id: sid } = await findSchedule(connection, name);
  const updated = await dpa.call('updateSchedule', { path: { id: org_id, sid }, body });
  await printSchedules(connection, [updated], options);
}

/** Starts the scans of a schedule, and prints them as `dpa scans get` does. */
export async function runSchedule(name: string, { wait, ...options }: SchedulesOptions & { wait?: boolean }) {
  const connection = await openConnection(options);
  const { id: sid } = await findSchedule(connection, name);
  const { scan_ids } = await connection.dpa.call('runSchedule', { path: { id: connection.org_id, sid } });
  const { showScans } = await import('./scans.ts');
  await showScans(connection, scan_ids, { ...options, wait: wait === true });
}

/** Deletes schedules. */
export async function deleteSchedules(names: readonly string[], options: SchedulesOptions): Promise<void> {
  const connection = await openConnection(options);
  const { dpa, org_id } = connection;
  const schedules = findByName(await fetchSchedules(connection), names);
  for (const { id: sid } of schedules) await dpa.call('deleteSchedule', { path: { id: org_id, sid } });
  print(options, { schedules }, () => schedules.map(({ name }) => `${escapeInvisible(name)} is deleted\n`).join(''));
}

async function fetchSchedules({ dpa, org_id }: Connection): Promise<Schedule[]> {
  const schedules: Schedule[] = [];
  const query = { limit: PAGE_SIZE };
  for await (const one of dpa.paginate('listSchedules', { path: { id: org_id }, query })) schedules.push(one);
  return schedules;
}

async function findSchedule(connection: Connection, name: string): Promise<Schedule> {
  const [found] = findByName(await fetchSchedules(connection), [name]);
  if (found === undefined) throw new Failure(`"${name}" is not in the list: run \`${LIST}\` to see it`);
  return found;
}

/** @throws Failure if one of the names is not in the list or means several schedules */
function findByName(schedules: readonly Schedule[], names: readonly string[]): Schedule[] {
  return findNamed(
    schedules.map((schedule) => ({ ...schedule, display_name: schedule.name })),
    names,
    LIST,
  ).map(({ display_name: _name, ...schedule }) => schedule);
}

async function toFields(connection: Connection, { account, region, channel, webhook }: FieldOptions) {
  const [named] = account === undefined ? [] : await resolveAccounts(connection, [account]);
  return {
    ...(named && { cloud_account_id: named.id }),
    ...(region && { filter_regions: region }),
    ...(channel !== undefined && { notify_chat_channel: channel }),
    ...(webhook && { notify_webhook_config_ids: webhook }),
  };
}

/** @throws Failure for options that contradict each other */
function toChanges(options: UpdateOptions): Schemas['ScheduleUpdate'] {
  const { name, cron, enable, disable, account, allAccounts, region, allRegions, channel, defaultChannel } = options;
  assertOne('--enable', enable, '--disable', disable);
  assertOne('--account', account, '--all-accounts', allAccounts);
  assertOne('--region', region, '--all-regions', allRegions);
  assertOne('--channel', channel, '--default-channel', defaultChannel);
  return {
    ...(name !== undefined && { name }),
    ...(cron !== undefined && { schedule: cron }),
    ...(enable === true && { enabled: true }),
    ...(disable === true && { enabled: false }),
    ...(allAccounts === true && { cloud_account_id: null }),
    ...(allRegions === true && { filter_regions: null }),
    ...(defaultChannel === true && { notify_chat_channel: null }),
  };
}

function assertOne(first: string, one: unknown, second: string, other: unknown): void {
  if (one !== undefined && other !== undefined) throw new Failure(`${first} and ${second} contradict each other`);
}

async function printSchedules(
  connection: Connection,
  schedules: readonly Schedule[],
  options: SchedulesOptions,
): Promise<void> {
  const accounts = options.format === 'json' || schedules.length === 0 ? [] : await fetchAccounts(connection);
  const names = new Map(accounts.map(({ id, display_name }) => [id, display_name]));
  print(options, { schedules }, () => writeSchedules(schedules, names));
}

function writeSchedules(schedules: readonly Schedule[], names: ReadonlyMap<string, string>): string {
  if (schedules.length === 0) return 'no schedules; run `dpa schedules create` to create one\n';
  const rows = schedules.map((schedule) => [
    schedule.enabled ? 'enabled' : 'disabled',
    schedule.name,
    schedule.schedule,
    schedule.cloud_account_id === null ? 'all' : (names.get(schedule.cloud_account_id) ?? 'deleted account'),
    formatTime(schedule.last_run_at),
    formatTime(schedule.next_run_at),
    schedule.disabled_reason ?? schedule.last_error ?? '',
  ]);
  return writeTable(COLUMNS, rows);
}

/** With seconds, because a run starts some time after the minute of the expression. */
function formatTime(at: string | null): string {
  return at?.slice(0, 19).replace('T', ' ') ?? '-';
}
