import type { ChainBreak } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';

/**
 * Details of each action, in addition to actor, time and organization. They contain only ids, names, prefixes and
 * enums, never a secret: rows are kept forever and shown to auditors.
 *
 * @see openapi.yaml, AuditEntry
 */
// biome-ignore lint/suspicious/noEmptyInterface: each domain adds its own actions in its audit-events.ts
export interface AuditDetails {}

export type AuditAction = keyof AuditDetails;

/** An event to append to its chain. */
export type AuditEvent = {
  [Action in AuditAction]: {
    action: Action;
    /** null: the chain of the platform. */
    org_id: string | null;
    /** Empty for actions of the service itself. */
    actor_email: string;
    detail: AuditDetails[Action];
  };
}[AuditAction];

/** Writes audit events for all domains. */
export interface AuditWriter {
  /**
   * For requests, after their own commit: resolves once the row is durable, or after ten seconds without it. Never
   * rejects; a lost row is logged and counted.
   */
  record(event: AuditEvent): Promise<void>;
  /**
   * Appends within the caller's transaction, as its last statement: the chain stays locked until the transaction ends.
   *
   * @throws database errors; the caller's transaction must then roll back
   */
  recordIn(trx: Db, event: AuditEvent): Promise<void>;
}

/** An event to append; the database computes the chain columns. */
export interface EventRow {
  id: string;
  org_id: string | null;
  actor_email: string;
  action: AuditAction;
  /** Canonical JSON, see `auditDetailText`. */
  detail_text: string;
  created_at: Date;
}

export interface AuditEntry {
  id: string;
  actor_email: string;
  org_id: string | null;
  action: string;
  detail: Record<string, unknown>;
  created_at: Date;
}

/**
 * The columns of an entry as the driver reads them. An altered row can contain values that the service never writes.
 */
export interface StoredEntry {
  id: string | null;
  actor_email: string | null;
  org_id: string | null;
  action: string | null;
  detail: unknown;
  /** Infinities are read as numbers, and times beyond JavaScript's range as invalid dates. */
  created_at: Date | number | null;
}

export interface AuditFilter {
  /** null: the chain of the platform. */
  org_id?: string | null | undefined;
  action?: string | undefined;
  /** Recorded at this time or later. */
  since?: Date | undefined;
  /** Recorded before this time. */
  until?: Date | undefined;
}

/** The head of a chain; 0 and null before its first row. */
export interface ChainHead {
  seq: number;
  hash: string | null;
}

/** @see openapi.yaml, VerifyResult */
export interface Verification {
  checked: number;
  head_seq: number;
  /** Empty before the first row. */
  head_hash: string;
  status: 'ok' | 'broken';
  broken_at_seq: number | null;
  reason: ChainBreak | null;
  verified_at: Date;
}

/** Stores anchors: any store of bytes by name. */
export interface AnchorStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
}
