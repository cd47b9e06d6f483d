import { REGION } from '../aws/client-options.ts';
import type { StateFolder, StateLocation } from './types.ts';

/**
 * Rules of the clouds for names. A name that breaks them could move a request to another host or path, so that every
 * location is checked before it is saved and before each request.
 *
 * @see AWS, General purpose bucket naming rules; Google, Bucket naming; Microsoft, Naming containers, blobs and metadata
 */
const S3_BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** The SDK sends these to hosts and with protocols of other kinds of buckets. */
const OTHER_S3_KINDS = /(--x-s3|--xa-s3|--ol-s3|--op-s3|\.mrap|--table-s3)$/;
const GCS_BUCKET = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/;
const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;
const AZURE_ACCOUNT = /^[a-z0-9]{3,24}$/;
const AZURE_CONTAINER = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const AZURE_SYSTEM_CONTAINER = /^\$(root|web)$/;
const TFC_WORKSPACE = /^(ws-[A-Za-z0-9]{1,64}|[A-Za-z0-9_-]{1,64}\/[A-Za-z0-9_-]{1,90})$/;
const TFC_TOKEN = /^[\x21-\x7e]{1,2000}$/;
const MAX_KEY_BYTES = 1_024;

/** The field that is wrong, and why, as the end of a sentence that starts with its name. */
export interface NameRefusal {
  field: string;
  reason: string;
}

/** The first name of a location that must not be used; undefined if all can be used. */
export function findRefusedName(location: StateLocation): NameRefusal | undefined {
  switch (location.kind) {
    case 's3':
      return checkS3(location) ?? checkKey('key', location.key);
    case 'gcs':
      return checkGcs(location) ?? checkKey('object', location.object);
    case 'azure_blob':
      return checkAzure(location.account, 'container', location.container) ?? checkKey('blob', location.blob);
    case 'tfc':
      return checkTfc(location);
  }
}

/** The same for a folder of which a glob registers states. */
export function findRefusedFolderName(folder: StateFolder): NameRefusal | undefined {
  const prefix = folder.prefix === '' ? undefined : checkKey('prefix', folder.prefix);
  switch (folder.provider) {
    case 'aws':
      return checkS3(folder) ?? prefix;
    case 'gcp':
      return checkGcs(folder) ?? prefix;
    case 'azure':
      return checkAzure(folder.storage_account, 'bucket', folder.bucket) ?? prefix;
  }
}

function checkS3({ bucket, region }: { bucket: string; region: string }): NameRefusal | undefined {
  if (!REGION.test(region)) return { field: 'region', reason: 'must be the name of an AWS region, such as eu-west-1' };
  if (OTHER_S3_KINDS.test(bucket)) {
    return { field: 'bucket', reason: 'must be a general purpose bucket, not a directory bucket or an access point' };
  }
  if (S3_BUCKET.test(bucket) && !hasBadDots(bucket)) return undefined;
  return { field: 'bucket', reason: 'must be the name of an S3 bucket: lowercase letters, digits, "." and "-"' };
}

function checkGcs({ bucket }: { bucket: string }): NameRefusal | undefined {
  if (GCS_BUCKET.test(bucket) && !hasBadDots(bucket)) return undefined;
  const reason = 'must be the name of a Cloud Storage bucket: lowercase letters, digits, ".", "-" and "_"';
  return { field: 'bucket', reason };
}

function hasBadDots(bucket: string): boolean {
  return bucket.includes('..') || IPV4.test(bucket);
}

function checkAzure(account: string, field: string, container: string): NameRefusal | undefined {
  if (!AZURE_ACCOUNT.test(account)) {
    const reason = 'must be the name of a storage account: 3 to 24 lowercase letters and digits';
    return { field: field === 'bucket' ? 'storage_account' : 'account', reason };
  }
  const is_named = AZURE_CONTAINER.test(container) && !container.includes('--');
  if (is_named || AZURE_SYSTEM_CONTAINER.test(container)) return undefined;
  return { field, reason: 'must be the name of a container: 3 to 63 lowercase letters, digits and "-"' };
}

function checkTfc({ workspace, token }: { workspace: string; token: string }): NameRefusal | undefined {
  if (!TFC_WORKSPACE.test(workspace)) {
    return { field: 'workspace', reason: 'must be the ID of a workspace (ws-…), or organization/name' };
  }
  return TFC_TOKEN.test(token) ? undefined : { field: 'token', reason: 'must be an API token without spaces' };
}

/** URL parsers remove the segments "." and "..", so that another object would be read. */
function checkKey(field: string, key: string): NameRefusal | undefined {
  const bytes = Buffer.byteLength(key);
  if (bytes === 0 || bytes > MAX_KEY_BYTES) return { field, reason: `must have 1 to ${MAX_KEY_BYTES} bytes` };
  if (!key.isWellFormed() || /[\p{Cc}\\]/u.test(key)) {
    return { field, reason: 'must not contain control characters or backslashes' };
  }
  const has_dots = key.split('/').some((segment) => segment === '.' || segment === '..');
  return has_dots ? { field, reason: 'must not contain the segments "." or ".."' } : undefined;
}
