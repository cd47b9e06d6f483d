import { hash } from 'node:crypto';
import type { BodyReaders, BodyReading, ReadBody } from '../../contract/domain-parts.ts';
import type { DomainOperationId } from '../../contract/operation.ts';
import { createFairLimit, type FairLimit, NoRoom } from '../../lib/concurrency-limit.ts';
import { Unavailable } from '../../lib/errors.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { assertBodyShape } from '../contract/body-shape.ts';
import type { BodyMemory } from '../ports.ts';
import { isForm, mostBytes } from '../transport.ts';
import type { Admitted } from './exchange.ts';
import { parseForm } from './parse-form.ts';
import { readBody } from './read-body.ts';

const MIB = 1_048_576;
/** Git hosts wait 10 s for a response; a slower sender without a credential only uses memory. */
const MEMORY: BodyMemory = { total: 32 * MIB, share: 16 * MIB, wait_ms: 10_000, anonymous_ms: 10_000 };
/** For files: room for two of the largest, of two organizations. */
const FILE_MEMORY = { max: 128 * MIB, max_per_key: 64 * MIB };
/** Waiting bodies use no memory, but a connection each. */
const MOST_WAITING = 500;

export interface TakenBody extends ReadBody {
  /** Lower-case hex of SHA-256 over the body after decompression; empty if there is none. */
  sha256: string;
}

const NO_BODY: TakenBody = { body: undefined, attachment: undefined, sha256: '' };

/**
 * Reads bodies with a limit on their total memory: a body waits before its first byte is read until there is room, and
 * is rejected after a while. Authenticated and unauthenticated callers have separate limits, so that they cannot block
 * each other.
 */
export function createBodies(readers: BodyReaders = {}, memory: BodyMemory = MEMORY) {
  const limits = { max: memory.total, max_per_key: memory.share };
  const known = createFairLimit(limits);
  const anonymous = createFairLimit(limits);
  const files = createFairLimit(FILE_MEMORY);

  /**
   * Reads the body of a request, and counts its memory until `use` has ended.
   *
   * @throws ServiceError of its reader; PayloadTooLarge, InvalidInput, Unavailable; errors of `use`
   */
  async function hold<T>(exchange: Admitted, use: (taken: TakenBody) => Promise<T>): Promise<T> {
    const { operation, principal } = exchange;
    if (operation.body_shape === undefined) return use(NO_BODY);
    const reading = await open(exchange);
    const [room, most] = reading.is_file
      ? [files, FILE_MEMORY.max]
      : [principal === undefined ? anonymous : known, memory.total];
    const key = reading.key ?? selectMemoryKey(exchange);
    const weight = Math.min(mostBytes(exchange.req, operation), most);
    return withRoom(room, { key, weight }, async () => use(await read(exchange, reading)));
  }

  async function open({ req, operation, request_id, params, org }: Admitted): Promise<BodyReading> {
    const operation_id = operation.id as DomainOperationId;
    const reader = readers[operation_id];
    if (reader === undefined) {
      const parse = isForm(req) ? parseForm : parseStrictJson;
      return { end: async (raw) => ({ body: parse(raw), attachment: undefined }) };
    }
    const { headers } = req;
    const address = req.ip ?? '';
    return reader({ operation_id, request_id, headers, path: params, org_id: org?.id ?? null, address });
  }

  async function withRoom<T>(
    room: FairLimit,
    { key, weight }: { key: string; weight: number },
    use: () => Promise<T>,
  ): Promise<T> {
    if (room.counts().waiting >= MOST_WAITING) throw noRoom();
    try {
      return await room.run(key, use, { weight, within_ms: memory.wait_ms });
    } catch (error) {
      throw error instanceof NoRoom ? noRoom() : error;
    }
  }

  async function read({ req, res, operation, principal }: Admitted, reading: BodyReading): Promise<TakenBody> {
    const within_ms = principal === undefined ? memory.anonymous_ms : undefined;
    const raw = await readBody(req, res, { limit: operation.body_limit, onChunk: reading.update, within_ms });
    // A reader may transfer the bytes to another thread, so they are hashed first.
    const sha256 = operation.idempotent ? hash('sha256', raw) : '';
    const taken = await reading.end(raw);
    if (operation.body_shape !== undefined) assertBodyShape(operation.body_shape, taken.body);
    return { ...taken, sha256 };
  }

  return { hold };
}

function selectMemoryKey({ req, org, principal }: Admitted): string {
  return org?.id ?? principal?.credential_id ?? req.ip ?? '';
}

function noRoom(): Unavailable {
  return new Unavailable('too many large request bodies are being read at once; send this one again in a few seconds');
}
