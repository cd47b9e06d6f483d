import { hash } from 'node:crypto';

/** One row of the audit log with its chain columns, each value in the form in which it is hashed. */
export interface AuditChainRow {
  /** Lower-case UUID. */
  id: string;
  /** Lower-case UUID of the org whose chain this is; null for the platform's chain. */
  org_id: string | null;
  /** 1 for the first row of a chain. */
  seq: number;
  /** Empty for an event of the system. */
  actor_email: string;
  action: string;
  /** The canonical JSON text as it is stored, see `auditDetailText`. */
  detail: string;
  /** UTC with milliseconds: `2026-01-02T03:04:05.678Z`. */
  created_at: string;
  /** Hash of the row before, 64 lower-case hex digits; null in the first row of a chain. */
  prev_hash: string | null;
  hash: string;
}

/**
 * A row as it was found in the database or a dump, where somebody with every right may have left anything: null in any
 * column, a time that has no canonical text (before the year 1, after 9999, `infinity`, with microseconds), another
 * canonical form.
 */
export type StoredAuditRow = { [Column in keyof AuditChainRow]: AuditChainRow[Column] | null } & {
  canon_version: number | null;
};

const CANON_VERSION = 1;
const TIME = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Strings that stand in JSON as they are: the rule for UUIDs, hashes and times, and twice as fast as escaping them. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * The canonical form of a row but for its version tag: an object of all columns but `hash`, keys sorted (RFC 8785).
 * No two different rows share one text.
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
 * What `row.hash` has to be: SHA-256 of `v1`, a line feed and the canonical text in UTF-8.
 *
 * @returns 64 lower-case hex digits
 */
export function hashAuditRow(row: Omit<AuditChainRow, 'hash'>): string {
  return hash('sha256', `v1\n${canonicalAuditText(row)}`, 'hex');
}

/**
 * Whether a stored row is one that the service can have written, with the hash that belongs to it. A hash alone does not
 * tell: what the columns may hold is wider than what the canonical form can say.
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
