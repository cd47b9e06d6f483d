import { readRetryAfter } from '../../lib/retry-after.ts';
import type { OpenAzureToken } from '../cloud/azure/tokens.ts';
import { describeClockSkew } from '../cloud/rest/clock-skew.ts';
import { parseBlobPage } from './azure-listing.ts';
import { createBearerGet } from './bearer.ts';
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

export const AZURE_BLOB_SUFFIX = 'blob.core.windows.net';
const SCOPE = 'https://storage.azure.com/.default';
/** The first version that encodes names which XML cannot contain is 2021-02-12. */
const HEADERS = { 'x-ms-version': '2023-11-03' };

export interface AzureBlobDeps extends TransferOptions {
  openAzureToken: OpenAzureToken;
  /** The host of a storage account is its name and this suffix, which differs in national clouds. */
  azure_suffix?: string | undefined;
  now: () => Date;
}

type BlobLocation = Extract<StateLocation, { kind: 'azure_blob' }>;
type BlobFolder = Extract<StateFolder, { provider: 'azure' }>;

/**
 * Reads states with the REST API of Azure Blob Storage.
 *
 * @see Microsoft, Blob service REST API: Get Blob, List Blobs
 */
export function createAzureBlob(deps: AzureBlobDeps) {
  const { openAzureToken, azure_suffix = AZURE_BLOB_SUFFIX, now } = deps;
  const bearerGet = createBearerGet((access, signal) => openAzureToken(access, SCOPE, signal), now);
  const toContainerUrl = (account: string, container: string) => `https://${account}.${azure_suffix}/${container}`;

  async function get(transfer: Transfer, access: StateAccess, { url, container }: { url: string; container: string }) {
    const response = await bearerGet(transfer, access, { url, headers: HEADERS });
    if (response.status === 200) return response;
    throw toBlobFailure(transfer.place, response, { container, now: now() });
  }

  async function fetch(location: BlobLocation, access: StateAccess, signal: AbortSignal): Promise<FetchedState> {
    const { account, container, blob } = location;
    const place = toPlace(account, `the blob "${blob}" in the container "${container}"`);
    const transfer = startTransfer(deps, place, signal);
    const path = blob.split('/').map(encodeURIComponent).join('/');
    return transferring(transfer, async () => {
      const response = await get(transfer, access, { url: `${toContainerUrl(account, container)}/${path}`, container });
      return { body: transfer.readState(toStateBody(response)), etag: response.headers.get('etag') };
    });
  }

  async function readPage(folder: BlobFolder, access: StateAccess, { marker, signal }: PageRequest) {
    const { storage_account, bucket: container, prefix } = folder;
    const query = new URLSearchParams({ restype: 'container', comp: 'list', prefix, ...(marker !== '' && { marker }) });
    const transfer = startTransfer(deps, toPlace(storage_account, `the container "${container}"`), signal);
    const page = await transferring(transfer, async () => {
      const response = await get(transfer, access, {
        url: `${toContainerUrl(storage_account, container)}?${query}`,
        container,
      });
      return parseBlobPage(await transfer.readText(response));
    });
    transfer.end();
    if (page === undefined) throw unusable(transfer.place, 'a response that is not a listing');
    return page;
  }

  async function* readPages(folder: BlobFolder, access: StateAccess, signal: AbortSignal): AsyncIterable<string[]> {
    let marker = '';
    do {
      const page = await askPatiently(() => readPage(folder, access, { marker, signal }), { signal, wait: deps.wait });
      yield page.names;
      marker = page.next_marker;
    } while (marker !== '');
  }

  /** Accounts with a hierarchical namespace list folder by folder, which is not the order of the bytes. */
  async function list(folder: BlobFolder, access: StateAccess, { max, signal }: { max: number; signal: AbortSignal }) {
    return collectStateKeys(readPages(folder, access, signal), { max, in_byte_order: false });
  }

  return { fetch, list };
}

interface PageRequest {
  /** Empty for the first page. */
  marker: string;
  signal: AbortSignal;
}

function toPlace(account: string, name: string): Place {
  return { service: `The Azure storage account "${account}"`, name };
}

/** @see Microsoft, Blob service error codes */
function toBlobFailure(
  place: Place,
  { status, headers }: Response,
  { container, now }: { container: string; now: Date },
) {
  const code = headers.get('x-ms-error-code') ?? '';
  const retry_after_s = readRetryAfter(headers.get('retry-after'), now);
  if (status === 429 || code === 'ServerBusy') return throttled(place, retry_after_s);
  if (status >= 500) return unreachable(place);
  if (code === 'ContainerNotFound' || code === 'ContainerBeingDeleted') return noSuchBucket(`container "${container}"`);
  if (code === 'BlobNotFound') return notFound(place);
  if (code === 'BlobArchived' || code === 'BlobBeingRehydrated') return archived(place);
  if (status === 401 || code === 'AuthenticationFailed')
    return credentialRejected(place, describeClockSkew(headers, now));
  if (status === 403 || code === 'PublicAccessNotPermitted') return accessDenied(place, describeGrant(container));
  return unusable(place, 'an unexpected response');
}

function describeGrant(container: string): string {
  return `Grant the role Storage Blob Data Reader on the container "${container}" to the application. A firewall of the storage account, or a credential of another tenant, can also be the cause.`;
}

function archived({ name }: Place): StateBackendError {
  const message = `The access tier of ${name} is Archive. Move it to another tier.`;
  return new StateBackendError('unusable', message);
}
