import { isObject } from '../../lib/is-object.ts';
import { readRetryAfter } from '../../lib/retry-after.ts';
import { parseGoogleError } from '../cloud/gcp/error-body.ts';
import type { OpenGoogleToken } from '../cloud/gcp/tokens.ts';
import { describeClockSkew } from '../cloud/rest/clock-skew.ts';
import { type BearerGet, createBearerGet } from './bearer.ts';
import {
  accessDenied,
  credentialRejected,
  noSuchBucket,
  notFound,
  type Place,
  throttled,
  unreachable,
  unusable,
} from './faults.ts';
import { parseJsonObject } from './json.ts';
import { collectStateKeys } from './keys.ts';
import { askPatiently } from './patience.ts';
import { startTransfer, type Transfer, type TransferOptions, toStateBody, transferring } from './transfer.ts';
import {
  type FetchedState,
  type StateAccess,
  StateBackendError,
  type StateFolder,
  type StateLocation,
} from './types.ts';

export const GCS_ENDPOINT = 'https://storage.googleapis.com';
const SERVICE = 'Google Cloud';
const SCOPES = ['https://www.googleapis.com/auth/devstorage.read_only'];

export interface GcsDeps extends TransferOptions {
  openGoogleToken: OpenGoogleToken;
  /** Base URL of the JSON API, without a trailing slash. */
  gcs_endpoint?: string | undefined;
  now: () => Date;
}

type GcsLocation = Extract<StateLocation, { kind: 'gcs' }>;
type GcsFolder = Extract<StateFolder, { provider: 'gcp' }>;

/** Reads states with the JSON API. @see Google, Cloud Storage JSON API: Objects: get, Objects: list */
export function createGcs(deps: GcsDeps) {
  const { openGoogleToken, gcs_endpoint = GCS_ENDPOINT, now } = deps;
  const bearerGet = createBearerGet((access, signal) => openGoogleToken(access, SCOPES, signal), now);
  const toBucketUrl = (bucket: string) => `${gcs_endpoint}/storage/v1/b/${encodeURIComponent(bucket)}/o`;

  async function fetch(location: GcsLocation, access: StateAccess, signal: AbortSignal): Promise<FetchedState> {
    const { bucket, object } = location;
    const place = { service: SERVICE, name: `the object "${object}" in the Cloud Storage bucket "${bucket}"` };
    const transfer = startTransfer(deps, place, signal);
    return transferring(transfer, async () => {
      const url = `${toBucketUrl(bucket)}/${encodeURIComponent(object)}?alt=media`;
      const response = await bearerGet(transfer, access, { url, headers: {} });
      if (response.status !== 200) throw await toGcsFailure(transfer, response, { bucket, now: now() });
      return { body: transfer.readState(toStateBody(response)), etag: response.headers.get('x-goog-generation') };
    });
  }

  async function list(
    folder: GcsFolder,
    access: StateAccess,
    { max, signal }: { max: number; signal: AbortSignal },
  ): Promise<string[]> {
    const { bucket, prefix } = folder;
    const place = { service: SERVICE, name: `the Cloud Storage bucket "${bucket}"` };
    const url = `${toBucketUrl(bucket)}?${new URLSearchParams({ prefix, fields: 'kind,items/name,nextPageToken' })}`;
    const pages = readPages({ ...deps, bearerGet }, { url, bucket, place, access, signal });
    return collectStateKeys(pages, { max, in_byte_order: true });
  }

  return { fetch, list };
}

interface Listing {
  url: string;
  bucket: string;
  place: Place;
  access: StateAccess;
  signal: AbortSignal;
}

/** Google lists in byte order of UTF-8, 1,000 names per page. */
async function* readPages(deps: GcsDeps & { bearerGet: BearerGet }, listing: Listing): AsyncIterable<string[]> {
  const { url, bucket, place, access, signal } = listing;
  let token: unknown;
  const askPage = async () => {
    const transfer = startTransfer(deps, place, signal);
    const page = await transferring(transfer, async () => {
      const next = typeof token === 'string' ? `${url}&pageToken=${encodeURIComponent(token)}` : url;
      const response = await deps.bearerGet(transfer, access, { url: next, headers: { accept: 'application/json' } });
      if (response.status !== 200) throw await toGcsFailure(transfer, response, { bucket, now: deps.now() });
      return parseListing(await transfer.readText(response)) ?? failUnusable(place);
    });
    transfer.end();
    return page;
  };
  do {
    const page = await askPatiently(askPage, { signal, wait: deps.wait });
    yield readNames(page['items']);
    token = page['nextPageToken'];
  } while (typeof token === 'string' && token !== '');
}

/** An empty listing has no items, so only its kind tells it from another document. */
function parseListing(text: string): Record<string, unknown> | undefined {
  const page = parseJsonObject(text);
  return page?.['kind'] === 'storage#objects' ? page : undefined;
}

function readNames(items: unknown): string[] {
  const objects = Array.isArray(items) ? items.filter(isObject) : [];
  return objects.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}

/** @see Google, HTTP status and error codes for JSON */
async function toGcsFailure(transfer: Transfer, response: Response, { bucket, now }: { bucket: string; now: Date }) {
  const { place } = transfer;
  const { status, headers } = response;
  const text = await transfer.readText(response);
  const { reasons = [], message = text } = parseGoogleError({ body: parseJsonObject(text) ?? null }) ?? {};
  if (status === 429) return throttled(place, readRetryAfter(headers.get('retry-after'), now));
  if (status >= 500) return unreachable(place);
  if (status === 401) return credentialRejected(place, describeClockSkew(headers, now));
  if (status === 403 && reasons.some((reason) => /ratelimit/i.test(reason))) return throttled(place, undefined);
  if (status === 403) return accessDenied(place, describeGrant(bucket));
  if (status !== 404) return unusable(place, 'an unexpected response');
  const is_bucket = message.includes('bucket does not exist') || !place.name.startsWith('the object');
  if (is_bucket) return noSuchBucket(`Cloud Storage bucket "${bucket}"`);
  return message.includes('No such object') ? notFound(place) : objectOrBucketMissing(place);
}

/** The text of the response says which one; without it, for example behind a proxy, both are possible. */
function objectOrBucketMissing({ name }: Place): StateBackendError {
  const message = `Google Cloud does not say whether ${name} or the bucket is missing. Check the name of the bucket first, then that of the object, and proxies between this service and Google Cloud.`;
  return new StateBackendError('not_found', message);
}

function describeGrant(bucket: string): string {
  return `Grant roles/storage.objectViewer (storage.objects.get and storage.objects.list) on "${bucket}" to the service account. Without storage.objects.list, Google also denies reading objects that do not exist.`;
}

function failUnusable(place: Place): never {
  throw unusable(place, 'a response that is not a listing');
}
