import { escapeInvisible } from '../../../engine/index.ts';
import type { Schemas } from '../../../sdk/src/index.ts';
import { type Connection, openConnection } from '../connection.ts';
import { Failure } from '../failure.ts';
import { print } from '../output.ts';
import { writeTable } from '../table.ts';
import { findNamed } from './named.ts';
import type { SourcesOptions } from './state-sources.ts';

type Glob = Schemas['StateSourceGlob'];
type GlobCreate = Schemas['StateSourceGlobCreate'];

interface AddOptions extends SourcesOptions {
  account: string;
  region?: string;
  preview?: true;
}

const COLUMNS = ['STATUS', 'NAME', 'ADDRESS', 'SOURCES', 'RESCANNED', 'REASON'];

/** Prints the globs. */
export async function listGlobs(options: SourcesOptions): Promise<void> {
  const state_source_globs = await fetchGlobs(await openConnection(options));
  print(options, { state_source_globs }, () => writeGlobs(state_source_globs));
}

/** Registers all states below a prefix, or shows how many these are. */
export async function addGlob(name: string, address: string, options: AddOptions): Promise<void> {
  const { account: cloud_account_id, region, preview } = options;
  const body = { display_name: name, cloud_account_id, ...parseAddress(address), ...(region && { region }) };
  const { dpa, org_id } = await openConnection(options);
  const request = { path: { id: org_id }, body };
  if (preview) {
    const found = await dpa.call('previewStateSourceGlob', request);
    return print(options, found, () => writePreview(found));
  }
  const created = await dpa.call('createStateSourceGlob', request);
  print(options, created, () => `${created.added} states registered${writeTruncated(created.truncated)}\n`);
}

export async function rescanGlob(name: string, options: SourcesOptions): Promise<void> {
  const { dpa, path } = await openGlob(name, options);
  const rescan = await dpa.call('rescanStateSourceGlob', { path });
  const { added, total, truncated } = rescan;
  print(options, rescan, () => `${added} new states registered, ${total} found${writeTruncated(truncated)}\n`);
}

export async function refreshGlob(name: string, options: SourcesOptions): Promise<void> {
  const { dpa, path } = await openGlob(name, options);
  const refresh = await dpa.call('refreshStateSourceGlobChildren', { path });
  print(options, refresh, () => `${refresh.queued} states are fetched in the background\n`);
}

export async function removeGlob(name: string, options: SourcesOptions): Promise<void> {
  const { dpa, path, glob } = await openGlob(name, options);
  await dpa.call('deleteStateSourceGlob', { path });
  const { display_name, child_count } = glob;
  print(options, glob, () => `${escapeInvisible(display_name)} and its ${child_count} sources are deleted\n`);
}

async function openGlob(name: string, options: SourcesOptions) {
  const connection = await openConnection(options);
  const [glob] = findNamed(await fetchGlobs(connection), [name], 'dpa state globs list');
  if (glob === undefined) throw new Failure(`"${name}" is not in the list`);
  return { dpa: connection.dpa, glob, path: { id: connection.org_id, glob_id: glob.id } };
}

async function fetchGlobs({ dpa, org_id }: Connection): Promise<Glob[]> {
  return dpa.call('listStateSourceGlobs', { path: { id: org_id } });
}

/** @throws Failure if the address names no bucket */
function parseAddress(address: string): Pick<GlobCreate, 'provider' | 'bucket' | 'prefix' | 'storage_account'> {
  const [, scheme = '', path = ''] = /^(s3|gs|azure):\/\/(.+)$/s.exec(address) ?? [];
  const [first = '', ...rest] = path.split('/');
  if (scheme === 's3') return { provider: 'aws', bucket: first, prefix: rest.join('/') };
  if (scheme === 'gs') return { provider: 'gcp', bucket: first, prefix: rest.join('/') };
  const [bucket = '', ...prefix] = rest;
  if (scheme === 'azure' && bucket !== '') {
    return { provider: 'azure', storage_account: first, bucket, prefix: prefix.join('/') };
  }
  throw new Failure(
    `"${address}" is not the address of a bucket: use s3://bucket/prefix, gs://bucket/prefix or azure://account/container/prefix`,
  );
}

function writePreview(found: Schemas['StateSourceGlobPreview']): string {
  const { total_matches, would_add, would_exceed_plan, would_truncate, plan_remaining } = found;
  const exceeded = would_exceed_plan ? `; the plan has room for ${plan_remaining}, so nothing would be registered` : '';
  return `${total_matches} states found, ${would_add} would be registered${writeTruncated(would_truncate)}${exceeded}\n`;
}

function writeTruncated(truncated: boolean): string {
  return truncated ? '; there are more than 500, so use several globs with longer prefixes' : '';
}

function writeGlobs(globs: readonly Glob[]): string {
  if (globs.length === 0) return 'no globs; run `dpa state globs add` to register the states below a prefix\n';
  const rows = globs.map((glob) => [
    glob.last_rescan_severity ?? 'new',
    glob.display_name,
    formatAddress(glob),
    String(glob.child_count),
    glob.last_rescan_at?.slice(0, 16).replace('T', ' ') ?? '-',
    glob.last_rescan_error ?? '',
  ]);
  return writeTable(COLUMNS, rows);
}

function formatAddress({ provider, storage_account, bucket, prefix }: Glob): string {
  const path = `${bucket}/${prefix ?? ''}`;
  if (provider === 'aws') return `s3://${path}`;
  return provider === 'gcp' ? `gs://${path}` : `azure://${storage_account}/${path}`;
}
