import type { Request } from 'express';
import { InvalidInput } from '../../lib/errors.ts';
import type { Operation } from '../contract/operations.ts';
import { toTimestamp } from '../contract/timestamp.ts';

const DIGITS = /^[0-9]{1,300}$/;
const NOT_WHOLE = 'must be a whole number in decimal digits, given once';

/**
 * Prepares the query for the validator, which would accept `0x10` and `1e2` as numbers: integers must be plain digits,
 * and a `limit` above its maximum is reduced to it.
 *
 * @throws InvalidInput
 */
export function prepareQuery(req: Request, { query_params }: Operation): void {
  if (query_params.length === 0) return;
  const query = req.query as Record<string, unknown>;
  for (const { name, schema, 'x-clamp': most } of query_params) {
    const raw = query[name];
    if (raw === undefined || schema.type !== 'integer') continue;
    if (typeof raw !== 'string' || !DIGITS.test(raw)) throw wrong(name, NOT_WHOLE, 'integer');
    if (most !== undefined && Number(raw) > most) query[name] = String(most);
  }
  // Express parses the query at each access; from here on there is one object.
  Object.defineProperty(req, 'query', { value: query, writable: true, configurable: true, enumerable: true });
}

/**
 * The declared parameters after validation: converted, with defaults. Times are in UTC.
 *
 * @throws InvalidInput
 */
export function declaredQuery(req: Request, { query_params }: Operation): Record<string, unknown> {
  if (query_params.length === 0) return {};
  const query = req.query as Record<string, unknown>;
  const sent = query_params.filter(({ name }) => query[name] !== undefined);
  return Object.fromEntries(
    sent.map(({ name, schema }) => {
      const value = query[name];
      return [name, schema.format === 'date-time' ? parseTimestamp(name, String(value)) : value];
    }),
  );
}

function parseTimestamp(name: string, text: string): string {
  const timestamp = toTimestamp(text);
  if (timestamp === undefined) throw wrong(name, 'must be a date and time that exists', 'format');
  return timestamp;
}

function wrong(name: string, message: string, code: string): InvalidInput {
  return new InvalidInput(`invalid request query: ${name} ${message}`, 'invalid_request', {
    details: [{ path: `/query/${name}`, message, code }],
  });
}
