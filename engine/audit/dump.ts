import { isObject } from '../lib/is-object.ts';
import type { StoredAuditRow } from './row.ts';

/** The head of a chain, recorded earlier outside the database. */
export interface ChainAnchor {
  /** Null for the platform's chain. */
  org_id: string | null;
  head_seq: number;
  /** Empty if only the number was recorded. */
  head_hash: string;
}

/** A line of a dump, or an anchor file, is invalid. */
export class AuditDumpError extends Error {
  override readonly name = 'AuditDumpError';
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH_OR_NONE = /^([0-9a-f]{64})?$/;

/**
 * Parses one line of an audit log dump.
 *
 * @param line a JSON object with the fields of `StoredAuditRow`; `canon_version` is optional; other fields are ignored
 * @throws AuditDumpError for an invalid line
 * @see docs/audit-log.md, "The dump"
 */
export function parseAuditRow(line: string): StoredAuditRow {
  const row = parseObject(line);
  if (typeof row['detail'] === 'object' && row['detail'] !== null) {
    throw new AuditDumpError('detail must be the stored text in a string: dump it as detail::text');
  }
  return {
    id: orNull(text, row, 'id'),
    org_id: orgId(row),
    seq: orNull(integer, row, 'seq'),
    actor_email: orNull(text, row, 'actor_email'),
    action: orNull(text, row, 'action'),
    detail: orNull(text, row, 'detail'),
    created_at: orNull(text, row, 'created_at'),
    prev_hash: orNull(text, row, 'prev_hash'),
    hash: orNull(text, row, 'hash'),
    canon_version: canonVersion(row),
  };
}

/** @throws AuditDumpError for a version of a later release; no release wrote a version below 1 */
function canonVersion(row: Record<string, unknown>): number | null {
  if (row['canon_version'] === undefined) return 1;
  const version = orNull(integer, row, 'canon_version');
  if (version === null || version <= 1) return version;
  throw new AuditDumpError(
    `canon_version is ${version}, but this release supports only version 1: verify with the release that wrote the row; ` +
      'if there is no such release, the row was modified',
  );
}

function orNull<T>(
  read: (object: Record<string, unknown>, member: string) => T,
  object: Record<string, unknown>,
  member: string,
): T | null {
  return object[member] === null ? null : read(object, member);
}

/**
 * Parses an anchor file: `{"taken_at", "heads": [{"org_id", "head_seq", "head_hash"}]}`.
 *
 * @throws AuditDumpError for an invalid file
 */
export function parseAnchors(json: string): ChainAnchor[] {
  const { heads } = parseObject(json);
  if (!Array.isArray(heads)) throw new AuditDumpError('heads must be an array');
  return heads.map((head: unknown, index) => {
    if (!isObject(head)) throw new AuditDumpError(`heads[${index}] must be an object`);
    const anchor = { org_id: orgId(head), head_seq: integer(head, 'head_seq'), head_hash: text(head, 'head_hash') };
    if (!HASH_OR_NONE.test(anchor.head_hash)) throw new AuditDumpError('head_hash must be 64 hex digits');
    return anchor;
  });
}

function parseObject(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new AuditDumpError('is not JSON');
  }
  if (!isObject(value)) throw new AuditDumpError('must be a JSON object');
  return value;
}

function orgId(object: Record<string, unknown>): string | null {
  const org_id = object['org_id'];
  if (org_id === null || (typeof org_id === 'string' && UUID.test(org_id))) return org_id;
  throw new AuditDumpError('org_id must be a lowercase UUID, or null for the platform');
}

/** Rejects lone surrogates: UTF-8 encodes them as U+FFFD, so different rows could have the same hash. */
function text(object: Record<string, unknown>, member: string): string {
  const value = object[member];
  if (typeof value === 'string' && value.isWellFormed()) return value;
  throw new AuditDumpError(`${member} must be a string without lone surrogates`);
}

function integer(object: Record<string, unknown>, member: string): number {
  const value = object[member];
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new AuditDumpError(`${member} must be an integer`);
}
