import { setTimeout as wait } from 'node:timers/promises';
import { escapeInvisible } from '../../../engine/index.ts';
import type { Schemas } from '../../../sdk/src/index.ts';
import { type Connection, type ConnectionOptions, openConnection } from '../connection.ts';
import { type Format, print } from '../output.ts';
import { createStatusLine } from '../progress.ts';
import { writeTable } from '../table.ts';
import { fetchAccounts, resolveAccounts } from './account-names.ts';

type ScanRun = Schemas['ScanRun'];
type ScanStatus = Schemas['ScanStatus'];

export interface ScansOptions extends ConnectionOptions {
  format: Format;
}

interface StartOptions extends ScansOptions {
  region?: string[];
  wait?: boolean;
}

interface ListOptions extends ScansOptions {
  account?: string;
  status?: ScanStatus;
  limit: number;
}

const POLL_MS = 2_000;
/** Exit code if a scan did not read everything. */
const EXIT_INCOMPLETE = 2;
const COLUMNS = ['SCAN', 'STATUS', 'ACCOUNT', 'RESOURCES', 'ERRORS', 'STARTED'];

/** Starts a scan of each account, or none; of every enabled account if there is no name. */
export async function startScans(names: readonly string[], { region, wait: waits, ...options }: StartOptions) {
  const connection = await openConnection(options);
  const { dpa, org_id } = connection;
  const accounts = names.length === 0 ? [] : await resolveAccounts(connection, names);
  const { scan_ids } = await dpa.call('createScansBulk', {
    path: { id: org_id },
    body: { account_ids: accounts.map(({ id }) => id), ...(region && { filter_regions: region }) },
  });
  await showScans(connection, scan_ids, { ...options, wait: waits === true });
}

/** Prints the newest scans. */
export async function listScans({ account, status, limit, ...options }: ListOptions): Promise<void> {
  const connection = await openConnection(options);
  const { dpa, org_id } = connection;
  const [only] = account === undefined ? [] : await resolveAccounts(connection, [account]);
  const query = { limit, ...(status && { status }), ...(only && { account_id: only.id }) };
  const page = await dpa.call('listScans', { path: { id: org_id }, query });
  const scans = page.scans.filter(({ cloud_account_id }) => cloud_account_id !== null);
  await printScans(connection, scans, options);
}

/** Prints one scan with its errors. */
export async function getScan(id: string, { wait: waits, ...options }: ScansOptions & { wait?: boolean }) {
  await showScans(await openConnection(options), [id], { ...options, wait: waits === true });
}

/** Ends a scan. */
export async function cancelScan(scan_id: string, options: ScansOptions): Promise<void> {
  const connection = await openConnection(options);
  const path = { id: connection.org_id, scan_id };
  const scan = await connection.dpa.call('cancelScan', { path });
  await printScans(connection, [scan], options);
}

/** Prints scans, after they have ended if `wait` is set. */
export async function showScans(
  connection: Connection,
  ids: readonly string[],
  { wait: waits, ...options }: ScansOptions & { wait: boolean },
): Promise<void> {
  const status = createStatusLine();
  if (waits && ids.length > 0) status.show(`waiting for ${ids.length === 1 ? 'the scan' : `${ids.length} scans`}`);
  const scans: ScanRun[] = [];
  try {
    for (const id of ids) scans.push(await fetchScan(connection, id, waits));
  } finally {
    status.clear();
  }
  await printScans(connection, scans, options);
  if (waits && !scans.every(({ status_kind }) => status_kind === 'ok')) process.exitCode = EXIT_INCOMPLETE;
}

async function fetchScan({ dpa, org_id }: Connection, scan_id: string, waits: boolean): Promise<ScanRun> {
  for (;;) {
    const { result_json: _analysis, ...scan } = await dpa.call('getScan', { path: { id: org_id, scan_id } });
    if (!waits || scan.status === 'done' || scan.status === 'error') return scan;
    await wait(POLL_MS);
  }
}

async function printScans(connection: Connection, scans: readonly ScanRun[], options: ScansOptions): Promise<void> {
  const accounts = options.format === 'json' || scans.length === 0 ? [] : await fetchAccounts(connection);
  const names = new Map(accounts.map(({ id, display_name }) => [id, display_name]));
  print(options, { scans }, () => writeScans(scans, names));
}

function writeScans(scans: readonly ScanRun[], names: ReadonlyMap<string, string>): string {
  if (scans.length === 0) return 'no scans\n';
  const rows = scans.map((scan) => [
    scan.id,
    scan.status_kind === 'partial' ? 'partial' : scan.status,
    names.get(scan.cloud_account_id ?? '') ?? 'deleted account',
    scan.resource_count === null ? '-' : String(scan.resource_count),
    String(scan.scan_errors.reduce((sum, { count }) => sum + count, 0)),
    scan.started_at?.slice(0, 16).replace('T', ' ') ?? '-',
  ]);
  const errors = scans.length === 1 ? scans.flatMap(({ scan_errors }) => scan_errors.map(writeError)) : [];
  return writeTable(COLUMNS, rows) + errors.join('');
}

function writeError({ code, message, region, resource_type, count }: ScanRun['scan_errors'][number]): string {
  const place = [resource_type, region].filter((one) => one !== null).join(' in ');
  const times = count > 1 ? ` (${count} times)` : '';
  return `  ${code}${place === '' ? '' : ` ${escapeInvisible(place)}`}${times}: ${escapeInvisible(message)}\n`;
}
