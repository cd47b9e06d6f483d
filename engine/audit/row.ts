import { hash } from 'node:crypto';

/** One row of the audit log with its chain columns, in the format that is hashed. */
export interface AuditChainRow {
  /** Lowercase UUID. */
  id: string;
  /** Lowercase UUID of the organization; null for the platform's chain. */
  org_id: string | null;
  /** 1 for the first row of a chain. */
  seq: number;
  /** Empty for system events. */
  actor_email: string;
  action: string;
  /** Stored canonical JSON text; see `auditDetailText`. */
  detail: string;
  /** UTC with milliseconds: `2026-01-02T03:04:05.678Z`. */
  created_at: string;
  /** Hash of the previous row, 64 lowercase hex digits; null in the first row of a chain. */
  prev_hash: string | null;
  hash: string;
}

/**
 * A row from the database or a dump, which a privileged user may have modified: null in any column, a time without a
 * canonical text (before year 1, after 9999, `infinity`, with microseconds), or another canonical form.
 */
export type StoredAuditRow = { [Column in keyof AuditChainRow]: AuditChainRow[Column] | null } & {
  canon_version: number | null;
};

const CANON_VERSION = 1;
const TIME = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Strings that need no JSON escaping, such as UUIDs, hashes and times; twice as fast as escaping. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Canonical text of a row without its version tag: an object of all columns except `hash`, with sorted keys (RFC 8785).
 * Different rows have different texts.
 *
 * @see docs/audit-log.md, "Canonical form v1"
 */
export function canonicalAuditText(row: Omit<AuditChainRow, 'hash'>): string {
  return (
    `{"action":${quoted(row.action)},"actor_email":${quoted(row.actor_email)},"created_at":${quoted(row.created_at)}` +
    `,"detail":${row.detail},"id":${quoted(row.id)},"org_id":${quotedOrNull(row.org_id)}` +
    `,"prev_hash":${quotedOrNull(row.prev_hash)},"seq":${row.seq}}`
  );
}

/**
 * Expected `row.hash`: SHA-256 of `v1`, a line feed and the canonical text in UTF-8.
 *
 * @returns 64 lowercase hex digits
 */
export function hashAuditRow(row: Omit<AuditChainRow, 'hash'>): string {
  return hash('sha256', `v1\n${canonicalAuditText(row)}`, 'hex');
}

/**
 * Whether the service can have written a stored row, and its hash is correct. The hash alone is not sufficient, because
 * columns can contain values that the canonical form cannot represent.
 */
export function isIntact(row: StoredAuditRow): boolean {
  return (
    isComplete(row) && row.canon_version === CANON_VERSION && isTime(row.created_at) && row.hash === hashAuditRow(row)
  );
}

function isComplete(row: StoredAuditRow): row is StoredAuditRow & AuditChainRow {
  const { id, seq, actor_email, action, detail, created_at, hash } = row;
  return [id, seq, actor_email, action, detail, created_at, hash].every((value) => value !== null);
}

function isTime(text: string): boolean {
  if (!TIME.test(text)) return false;
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function quotedOrNull(text: string | null): string {
  return text === null ? 'null' : quoted(text);
}
