import { setTimeout as wait } from 'node:timers/promises';
import type { Schemas } from '../../../sdk/src/index.ts';
import { type Connection, type ConnectionOptions, openConnection } from '../connection.ts';
import { Failure } from '../failure.ts';
import { type Format, print } from '../output.ts';
import { writeTable } from '../table.ts';

type Pack = Schemas['CompliancePack'];

interface PacksOptions extends ConnectionOptions {
  format: Format;
}

/** Exit code if the pack that was waited for could not be built. */
const EXIT_FAILED = 2;
const POLL_MS = 2_000;
const PAGE_SIZE = 200;
const COLUMNS = ['STATUS', 'ID', 'FROM', 'TO', 'REQUESTED BY', 'BYTES', 'NOTE'];
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Prints the packs, newest first. */
export async function listPacks(options: PacksOptions): Promise<void> {
  const { dpa, org_id } = await openConnection(options);
  const packs: Pack[] = [];
  const query = { limit: PAGE_SIZE };
  for await (const one of dpa.paginate('listCompliancePacks', { path: { id: org_id }, query })) packs.push(one);
  printPacks(packs, options);
}

/** Requests a pack, and prints it. */
export async function createPack(
  start: string,
  end: string,
  { wait: waits, ...options }: PacksOptions & { wait?: boolean },
): Promise<void> {
  const connection = await openConnection(options);
  const body = { period_start: toTime(start), period_end: toTime(end) };
  const pack = await connection.dpa.call('createCompliancePack', { path: { id: connection.org_id }, body });
  showPack(waits === true ? await waitForPack(connection, pack.id) : pack, options);
}

/** Prints a pack, after it was built or failed if `wait` is set. */
export async function getPack(
  id: string,
  { wait: waits, ...options }: PacksOptions & { wait?: boolean },
): Promise<void> {
  const connection = await openConnection(options);
  showPack(await (waits === true ? waitForPack(connection, id) : fetchPack(connection, id)), options);
}

export async function deletePack(eid: string, options: PacksOptions): Promise<void> {
  const { dpa, org_id } = await openConnection(options);
  await dpa.call('deleteCompliancePack', { path: { id: org_id, eid } });
  print(options, { id: eid }, () => `${eid} is deleted\n`);
}

async function fetchPack({ dpa, org_id }: Connection, eid: string): Promise<Pack> {
  return dpa.call('getCompliancePack', { path: { id: org_id, eid } });
}

async function waitForPack(connection: Connection, id: string): Promise<Pack> {
  for (;;) {
    const pack = await fetchPack(connection, id);
    if (pack.status === 'error') process.exitCode = EXIT_FAILED;
    if (pack.status !== 'pending' && pack.status !== 'running') return pack;
    await wait(POLL_MS);
  }
}

/** A date is the start of its day. @throws Failure for a text that is no time */
function toTime(text: string): string {
  const time = DATE.test(text) ? `${text}T00:00:00.000Z` : text;
  if (Number.isNaN(Date.parse(time))) throw new Failure(`"${text}" is no time: use a date such as 2026-01-31`);
  return time;
}

function showPack(pack: Pack, options: PacksOptions): void {
  printPacks([pack], options);
}

function printPacks(packs: readonly Pack[], options: PacksOptions): void {
  print(options, { packs }, () => {
    if (packs.length === 0) return 'no Compliance Packs; run `dpa packs create` to request one\n';
    return writeTable(COLUMNS, packs.map(toCells));
  });
}

function toCells({ status, id, period_start, period_end, requested_by, artifact_bytes, error_message }: Pack) {
  const [from, to] = [period_start, period_end].map((time) => time.slice(0, 16).replace('T', ' '));
  return [status, id, from ?? '', to ?? '', requested_by, String(artifact_bytes ?? '-'), error_message ?? ''];
}
