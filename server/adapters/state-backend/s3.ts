import type * as Sdk from '@aws-sdk/client-s3';
import { type AwsConnection, awsClientOptions } from '../aws/client-options.ts';
import type { OpenAwsKeys } from '../cloud/aws/keys.ts';
import { type Place, unusable } from './faults.ts';
import { collectStateKeys } from './keys.ts';
import { askPatiently } from './patience.ts';
import { toS3Failure } from './s3-faults.ts';
import { startTransfer, type Transfer, type TransferOptions, transferring } from './transfer.ts';
import type { FetchedState, StateAccess, StateFolder, StateLocation } from './types.ts';

const SERVICE = 'AWS';

export interface S3Deps extends TransferOptions {
  openAwsKeys: OpenAwsKeys;
  /** Replaces the endpoint of S3 in a region, for private endpoints; undefined for that of AWS. */
  findS3Endpoint?: ((region: string) => string | undefined) | undefined;
  now: () => Date;
}

type S3Location = Extract<StateLocation, { kind: 's3' }>;
type S3Folder = Extract<StateFolder, { provider: 'aws' }>;

/** A bucket to read, with the transfer that reads it. */
interface Source {
  bucket: string;
  region: string;
  access: StateAccess;
  transfer: Transfer;
}

/** @throws StateBackendError */
export async function fetchFromS3(
  deps: S3Deps,
  location: S3Location,
  { access, signal }: { access: StateAccess; signal: AbortSignal },
): Promise<FetchedState> {
  const { bucket, key, region } = location;
  const place: Place = { service: SERVICE, name: `the object "${key}" in the S3 bucket "${bucket}"` };
  const transfer = startTransfer(deps, place, signal);
  const source = { bucket, region, access, transfer };
  return transferring(transfer, async () => {
    const { sdk, client } = await open(deps, source);
    const command = new sdk.GetObjectCommand({ Bucket: bucket, Key: key });
    const { Body, ContentLength = 0, ETag = null } = await send(deps, source, () => client.send(command));
    const chunks = Body as AsyncIterable<Uint8Array>;
    return { body: transfer.readState({ chunks, announced_bytes: ContentLength }), etag: ETag };
  });
}

/** @throws StateBackendError */
export async function listInS3(
  deps: S3Deps,
  folder: S3Folder,
  { access, signal, max }: { access: StateAccess; signal: AbortSignal; max: number },
): Promise<string[]> {
  return collectStateKeys(readPages(deps, folder, { access, signal }), { max, in_byte_order: true });
}

/** S3 lists in byte order of UTF-8, 1,000 keys per page. */
async function* readPages(
  deps: S3Deps,
  { bucket, region, prefix }: S3Folder,
  { access, signal }: { access: StateAccess; signal: AbortSignal },
): AsyncIterable<string[]> {
  const place: Place = { service: SERVICE, name: `the S3 bucket "${bucket}"` };
  let token: string | undefined;
  const askPage = async () => {
    const transfer = startTransfer(deps, place, signal);
    const source = { bucket, region, access, transfer };
    const page = await transferring(transfer, async () => {
      const { sdk, client } = await open(deps, source);
      const input = { Bucket: bucket, Prefix: prefix, EncodingType: 'url' as const };
      const next = { ...input, ...(token === undefined ? {} : { ContinuationToken: token }) };
      return send(deps, source, () => client.send(new sdk.ListObjectsV2Command(next)));
    });
    transfer.end();
    return page;
  };
  do {
    const page = await askPatiently(askPage, { signal, wait: deps.wait });
    yield readKeys(page);
    if (page.IsTruncated && page.NextContinuationToken === undefined)
      throw unusable(place, 'a listing that is cut off');
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

/** XML cannot contain every key, so they are encoded like a form. */
function readKeys({ Contents = [], EncodingType }: Sdk.ListObjectsV2CommandOutput): string[] {
  const keys = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
  return EncodingType === 'url' ? keys.map((key) => decodeURIComponent(key.replaceAll('+', ' '))) : keys;
}

async function open(deps: S3Deps, { region, access, transfer }: Source) {
  const sdk = await import('@aws-sdk/client-s3');
  try {
    const keys = await deps.openAwsKeys(access, region, transfer.signal);
    const endpoint = deps.findS3Endpoint?.(region);
    const options = awsClientOptions(connect(transfer), { service: 's3', region, endpoint, keys });
    const client = new sdk.S3Client({
      ...options,
      // Addresses by path work at every endpoint; at those of AWS the SDK chooses.
      forcePathStyle: endpoint !== undefined,
      responseChecksumValidation: 'WHEN_REQUIRED',
    } as Sdk.S3ClientConfig);
    return { sdk, client };
  } catch (error) {
    throw transfer.toFailure(error);
  }
}

/** Listings and errors are read here, with a limit; the body of an object is streamed. */
function connect(transfer: Transfer): AwsConnection {
  async function exchange(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const response = await transfer.get(String(input), Object.fromEntries(new Headers(init.headers)));
    const { status, headers } = response;
    const is_listing = new URL(String(input)).searchParams.has('list-type');
    if (status === 200 && !is_listing) return response;
    const text = await transfer.readText(response);
    // The SDK would read another document as an empty listing.
    if (status === 200 && !text.includes('<ListBucketResult'))
      throw unusable(transfer.place, 'a response that is not a listing');
    return new Response(text === '' ? null : text, { status, headers });
  }
  return { fetch: exchange, signal: transfer.signal };
}

async function send<T>(deps: S3Deps, { transfer, bucket, region }: Source, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw toS3Failure(error, { transfer, bucket, region, now: deps.now() });
  }
}
