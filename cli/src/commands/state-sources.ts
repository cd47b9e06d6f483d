import { createHash } from 'node:crypto';
import { escapeInvisible } from '../../../engine/index.ts';
import { DpaApiError, type Schemas } from '../../../sdk/src/index.ts';
import { type Connection, type ConnectionOptions, openConnection } from '../connection.ts';
import { Failure } from '../failure.ts';
import { readAllInput } from '../input.ts';
import { type Format, print } from '../output.ts';
import { writeTable } from '../table.ts';
import { readJsonFile } from './json-file.ts';
import { findNamed } from './named.ts';

type StateSource = Schemas['StateSource'];
type Kind = Schemas['StateSourceKind'];
type Refresh = Schemas['StateRefresh'];

export interface SourcesOptions extends ConnectionOptions {
  format: Format;
}

interface AddOptions extends SourcesOptions {
  kind: Kind;
  config?: string;
  account?: string;
}

/** What a refresh of one source gave: its snapshot, or why it has no new one. */
type Outcome = { source: StateSource } & ({ snapshot: Refresh } | { error: string });

const PAGE_SIZE = 500;
/** Exit code of `refresh` if a state could not be fetched or read completely. */
const EXIT_NOT_FETCHED = 2;
const COLUMNS = ['STATUS', 'KIND', 'NAME', 'LOCATION', 'FETCHED', 'REASON'];
const CONFIG = { noun: 'location', file: 'a JSON file with the location' };
const STATE = { noun: 'state', file: 'a state file' };
const LIST = 'dpa state sources list';

/** Prints the state sources, by name. */
export async function listSources({ kind, ...options }: SourcesOptions & { kind?: Kind }): Promise<void> {
  const state_sources = await fetchSources(await openConnection(options), kind);
  print(options, { state_sources }, () => writeSources(state_sources));
}

/** Registers a source. */
export async function addSource(display_name: string, options: AddOptions): Promise<void> {
  const { kind, config: path, account } = options;
  const config = await readConfig(kind, path);
  const { dpa, org_id } = await openConnection(options);
  const body = { display_name, kind, config, ...(account && { cloud_account_id: account }) };
  const { secret_available, ...added } = await dpa.call('createStateSource', { path: { id: org_id }, body });
  const source = { config: {}, ...added };
  print(options, source, () => writeSources([source]));
}

/** Fetches states, one after the other; one that fails does not stop the others. */
export async function refreshSources(names: readonly string[], options: SourcesOptions): Promise<void> {
  const connection = await openConnection(options);
  const outcomes: Outcome[] = [];
  for (const source of findNamed(await fetchSources(connection), names, LIST)) {
    outcomes.push(await refreshOne(connection, source));
  }
  print(options, { refreshes: outcomes }, () => outcomes.map(writeOutcome).join(''));
  if (!outcomes.every(isComplete)) process.exitCode = EXIT_NOT_FETCHED;
}

/** Uploads a state; the service checks that it arrives unchanged. */
export async function uploadState(name: string, path: string, options: SourcesOptions): Promise<void> {
  const connection = await openConnection(options);
  const [source] = findNamed(await fetchSources(connection), [name], LIST);
  if (source === undefined) return;
  const state = await readAllInput(path, STATE);
  const snapshot = await connection.dpa.call('uploadState', {
    path: { id: connection.org_id, src_id: source.id },
    headers: { 'X-Content-SHA256': createHash('sha256').update(state).digest('hex') },
    body: state,
  });
  print(options, snapshot, () => writeOutcome({ source, snapshot }));
}

/** Deletes sources. */
export async function removeSources(names: readonly string[], options: SourcesOptions): Promise<void> {
  const connection = await openConnection(options);
  const { dpa, org_id } = connection;
  const state_sources = findNamed(await fetchSources(connection), names, LIST);
  for (const { id } of state_sources) await dpa.call('deleteStateSource', { path: { id: org_id, src_id: id } });
  print(options, { state_sources }, () =>
    state_sources.map(({ display_name }) => `${escapeInvisible(display_name)} is deleted\n`).join(''),
  );
}

async function fetchSources({ dpa, org_id }: Connection, kind?: Kind): Promise<StateSource[]> {
  const sources: StateSource[] = [];
  const query = { limit: PAGE_SIZE, ...(kind && { kind }) };
  for await (const one of dpa.paginate('listStateSources', { path: { id: org_id }, query })) sources.push(one);
  return sources;
}

async function readConfig(kind: Kind, path: string | undefined): Promise<Schemas['StateConfigInput']> {
  if (kind === 'upload') return {};
  if (path === undefined) throw new Failure(`the kind ${kind} needs --config with the location of the state`);
  return (await readJsonFile(path, CONFIG, '{"bucket": "…", "key": "…", "region": "…"}')).json;
}

/** Only what the backend of this source did is an outcome; every other error ends the command. */
async function refreshOne({ dpa, org_id }: Connection, source: StateSource): Promise<Outcome> {
  try {
    return { source, snapshot: await dpa.call('refreshStateSource', { path: { id: org_id, src_id: source.id } }) };
  } catch (error) {
    if (!(error instanceof DpaApiError) || error.error_class !== 'state_backend_error') throw error;
    return { source, error: error.message };
  }
}

function isComplete(outcome: Outcome): boolean {
  return 'snapshot' in outcome && outcome.snapshot.parse_failure_count === 0;
}

function writeOutcome(outcome: Outcome): string {
  const head = escapeInvisible(outcome.source.display_name);
  if ('error' in outcome) return `${head}: not fetched: ${escapeInvisible(outcome.error)}\n`;
  const { snapshot_id, refreshed, resource_count, parse_failure_count: unread } = outcome.snapshot;
  if (snapshot_id === null) return `${head}: nothing was uploaded yet\n`;
  const failed = unread === 0 ? '' : `, ${unread} could not be read`;
  return `${head}: ${refreshed ? 'new content' : 'unchanged'}, ${resource_count} resources${failed}\n`;
}

function writeSources(sources: readonly StateSource[]): string {
  if (sources.length === 0) return 'no state sources; run `dpa state sources add` to register one\n';
  return writeTable(COLUMNS, sources.map(toRow));
}

function toRow(source: StateSource): string[] {
  const { kind, display_name, last_fetched_at, last_fetch_error } = source;
  const fetched = last_fetched_at?.slice(0, 16).replace('T', ' ') ?? '-';
  return [readStatus(source), kind, display_name, formatLocation(source), fetched, last_fetch_error ?? ''];
}

function readStatus({ missing_since, last_fetch_error, last_fetched_at }: StateSource): string {
  if (missing_since !== null) return 'missing';
  if (last_fetch_error !== null) return 'failed';
  return last_fetched_at === null ? 'new' : 'ok';
}

/** Never with the token, which `--format json` shows to those who may see it. */
function formatLocation({ kind, config }: StateSource): string {
  const { bucket, key, object, account, container, blob, workspace } = config;
  if (kind === 's3') return `s3://${bucket}/${key}`;
  if (kind === 'gcs') return `gs://${bucket}/${object}`;
  if (kind === 'azure_blob') return `azure://${account}/${container}/${blob}`;
  return workspace ?? '-';
}
