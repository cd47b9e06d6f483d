import { createCloudError } from '../rest/fault.ts';
import { ExpiredPageToken, readTokenPage } from '../rest/paging.ts';
import type { CloudError, ScanPage, ScanPart } from '../types.ts';
import type { AskAws } from './api.ts';
import { CALLS } from './calls.ts';
import { ResourceNotFound } from './faults.ts';
import { type ListRequest, listResources } from './list-resources.ts';
import type { Listing, ReadableType } from './type-table.ts';

const { service } = CALLS.list_resources;
const MAX_RESTARTS = 2;

export interface TypedPart {
  type: ReadableType;
  part: ScanPart;
  /** The region that answers. */
  region: string;
}

/** Reads one page of the resources of one type in one region. */
export async function readTypedPage(
  ask: AskAws,
  { type, part, region }: TypedPart,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ScanPage> {
  const { provider_type, listing } = type;
  const base = { provider_type, region, part_region: part.region };
  if (listing.kind !== 'plain') return readWithin({ ask, base, listing, signal }, parsePosition(cursor, listing, part));
  const read = async (token: string | null) => {
    const page = await listResources(ask, { ...base, token }, signal);
    return { ...page, faults: [] };
  };
  return readTokenPage(cursor, read, service);
}

/** How far a listing has come that needs a value for one property, such as the ID of a parent. It is the cursor. */
interface Position {
  /** Values that are not read to their end; the first one is being read. */
  values: string[];
  /** Page token of the first value. */
  token: string | null;
  /** Page token of the next parents; undefined after the last of them. */
  parents?: string | null;
  restarts: number;
}

type InnerListing = Exclude<Listing, { kind: 'plain' }>;

function parsePosition(cursor: string | null, listing: InnerListing, part: ScanPart): Position {
  if (cursor !== null) return JSON.parse(cursor) as Position;
  if (listing.kind === 'parent') return { values: [], token: null, parents: null, restarts: 0 };
  const { values, global } = listing;
  return { values: part.region === null && global !== undefined ? [global] : [...values], token: null, restarts: 0 };
}

interface InnerScope {
  ask: AskAws;
  base: Omit<ListRequest, 'token' | 'model'>;
  listing: InnerListing;
  signal: AbortSignal;
}

/** Each page is one request: either the next parents, or a page of what is in one of them. */
async function readWithin(scope: InnerScope, position: Position): Promise<ScanPage> {
  const [value] = position.values;
  try {
    if (value === undefined) return await readParents(scope, position);
    return await readValue(scope, position, value);
  } catch (error) {
    if (!(error instanceof ExpiredPageToken)) throw error;
    if (position.restarts >= MAX_RESTARTS) throw tooManyRestarts(scope.base);
    const again = value === undefined ? { parents: null } : {};
    return toPage([], { ...position, ...again, token: null, restarts: position.restarts + 1 });
  }
}

async function readParents({ ask, base, listing, signal }: InnerScope, position: Position): Promise<ScanPage> {
  if (listing.kind !== 'parent') return toPage([], position);
  const { parents: token = null, restarts } = position;
  const page = await listResources(ask, { ...base, provider_type: listing.parent, token }, signal);
  const values = page.resources.map(({ provider_resource_id }) => provider_resource_id);
  return toPage([], { values, token: null, ...toParents(page.next_token), restarts });
}

async function readValue({ ask, base, listing, signal }: InnerScope, position: Position, value: string) {
  const { token, values, ...rest } = position;
  const model = { [listing.property]: value };
  const page = await listExisting(listResources(ask, { ...base, model, token }, signal));
  const left = page.next_token === null ? values.slice(1) : values;
  return toPage(page.resources, { ...rest, values: left, token: page.next_token });
}

/** A parent that was deleted after it was listed contains nothing. */
async function listExisting(listing: ReturnType<typeof listResources>) {
  try {
    return await listing;
  } catch (error) {
    if (error instanceof ResourceNotFound) return { resources: [], next_token: null };
    throw error;
  }
}

function toParents(token: string | null): { parents?: string } {
  return token === null ? {} : { parents: token };
}

function toPage(resources: ScanPage['resources'], position: Position): ScanPage {
  const is_done = position.values.length === 0 && position.parents === undefined;
  return { resources, next_cursor: is_done ? null : JSON.stringify(position), faults: [] };
}

function tooManyRestarts({ provider_type, part_region: region }: InnerScope['base']): CloudError {
  const message =
    'The page tokens of Cloud Control expired again and again. Only a part of these resources was read. Scan again when fewer scans run.';
  return createCloudError({ code: 'truncated', message, service, region, provider_type, retryable: true });
}
