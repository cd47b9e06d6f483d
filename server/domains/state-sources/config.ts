import { createHmac } from 'node:crypto';
import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { StateFolder, StateLocation } from '../../adapters/state-backend/types.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { parseUrl } from '../../lib/parse-url.ts';
import type { GlobInput, GlobPlace, StateConfig, StateSourceKind } from './types.ts';

const HIDDEN = '[redacted]';
const LONGEST_NAME = 100;

/** The cloud whose accounts read this kind of source; null for those that need no account. */
export const PROVIDERS: Readonly<Record<StateSourceKind, CloudProvider | null>> = {
  gcs: 'gcp',
  s3: 'aws',
  azure_blob: 'azure',
  tfc: null,
  upload: null,
};

/** The keys of each kind's configuration. */
const KEYS: Readonly<Record<StateSourceKind, { required: readonly string[]; optional: readonly string[] }>> = {
  gcs: { required: ['bucket', 'object'], optional: [] },
  s3: { required: ['bucket', 'key', 'region'], optional: [] },
  azure_blob: { required: ['account', 'container', 'blob'], optional: [] },
  tfc: { required: ['workspace', 'token'], optional: ['endpoint'] },
  upload: { required: [], optional: [] },
};

/** @throws InvalidInput `unknown_field` or `invalid_request`, with every wrong key */
export function assertKeys(kind: StateSourceKind, config: StateConfig): void {
  const { required, optional } = KEYS[kind];
  const unknown = Object.keys(config).filter((name) => !required.includes(name) && !optional.includes(name));
  if (unknown.length > 0) {
    throw wrongKeys('unknown_field', unknown, `does not apply to a source of kind ${kind}; omit it`);
  }
  const missing = required.filter((name) => config[name] === undefined);
  if (missing.length > 0) throw wrongKeys('invalid_request', missing, `is required for a source of kind ${kind}`);
}

function wrongKeys(error_class: 'unknown_field' | 'invalid_request', names: readonly string[], problem: string) {
  const details = names.map((name) => ({ path: `/body/config/${name}`, message: problem, code: error_class }));
  return new InvalidInput(`config.${names[0]} ${problem}`, error_class, { details });
}

/** @param config has the keys of its kind */
export function toLocation(kind: Exclude<StateSourceKind, 'upload'>, config: StateConfig): StateLocation {
  return { ...config, kind } as StateLocation;
}

/** The parts of a location that identify the state: not how it is reached. */
const IDENTITY: Readonly<Record<StateLocation['kind'], readonly string[]>> = {
  gcs: ['bucket', 'object'],
  s3: ['bucket', 'key'],
  azure_blob: ['account', 'container', 'blob'],
  tfc: ['endpoint', 'workspace'],
};

/**
 * Equal for two sources of an organization if they have the same location.
 *
 * @param key secret of the organization: without it, a location cannot be guessed from its hash
 * @param id identifies an upload, which has no location
 */
export function hashLocation(key: Uint8Array, kind: StateSourceKind, config: StateConfig, id: string): Buffer {
  const parts = kind === 'upload' ? [id] : IDENTITY[kind].map((name) => config[name] ?? null);
  return createHmac('sha256', key)
    .update(JSON.stringify(['state source', kind, ...parts]))
    .digest();
}

/** The configuration for a caller who must not see its token. */
export function hideToken(config: StateConfig): StateConfig {
  return config['token'] === undefined ? config : { ...config, token: HIDDEN };
}

/** Where a state is, without the credentials to reach it; null for an upload. */
export function describeLocation(kind: StateSourceKind, config: StateConfig): string | null {
  const { bucket, object, key, account, container, blob, workspace, endpoint = 'https://app.terraform.io' } = config;
  switch (kind) {
    case 'gcs':
      return `gs://${bucket}/${object}`;
    case 's3':
      return `s3://${bucket}/${key}`;
    case 'azure_blob':
      return `azure://${account}/${container}/${blob}`;
    case 'tfc':
      return `tfc://${parseUrl(endpoint)?.host}/${workspace}`;
    case 'upload':
      return null;
  }
}

/**
 * Checks which fields the provider needs.
 *
 * @throws InvalidInput that names the field
 */
export function toPlace({ provider, bucket, prefix = '', region, storage_account }: GlobInput): GlobPlace {
  assertGiven(provider, 'region', region, 'aws');
  assertGiven(provider, 'storage_account', storage_account, 'azure');
  if (prefix.includes('..')) throw invalid('prefix', 'must not contain ".."');
  return { provider, bucket, prefix, region: region ?? null, storage_account: storage_account ?? null };
}

function assertGiven(provider: CloudProvider, field: string, value: string | undefined, needed_by: CloudProvider) {
  if (provider === needed_by && value === undefined) throw invalid(field, `is required for ${provider}`);
  if (provider !== needed_by && value !== undefined) throw invalid(field, `does not apply to ${provider}; omit it`);
}

function invalid(field: string, problem: string): InvalidInput {
  const details = [{ path: `/body/${field}`, message: problem, code: 'invalid_request' }];
  return new InvalidInput(`${field} ${problem}`, 'invalid_request', { details });
}

export function toFolder({ provider, bucket, prefix, region, storage_account }: GlobPlace): StateFolder {
  if (provider === 'gcp') return { provider, bucket, prefix };
  if (provider === 'aws') return { provider, bucket, prefix, region: region ?? '' };
  return { provider, bucket, prefix, storage_account: storage_account ?? '' };
}

/** The source of one object that a glob found. */
export function childSource(place: GlobPlace, key: string): { kind: StateLocation['kind']; config: StateConfig } {
  const { provider, bucket, region, storage_account } = place;
  if (provider === 'gcp') return { kind: 'gcs', config: { bucket, object: key } };
  if (provider === 'aws') return { kind: 's3', config: { bucket, key, region: region ?? '' } };
  return { kind: 'azure_blob', config: { account: storage_account ?? '', container: bucket, blob: key } };
}

/** The key without the prefix of the glob; the end of a long one, because that tells states apart. */
export function childName({ prefix }: Pick<GlobPlace, 'prefix'>, key: string): string {
  const name = key.slice(prefix.length) || key;
  const characters = [...name];
  return characters.length <= LONGEST_NAME ? name : `…${characters.slice(1 - LONGEST_NAME).join('')}`;
}
