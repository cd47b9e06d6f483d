import type { ChainBreak } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';

/**
 * What each action says beside who, when and where. Ids, names, prefixes and enums only, never a secret: rows are kept
 * for ever and shown to auditors.
 *
 * @see openapi.yaml, AuditEntry
 */
// biome-ignore lint/suspicious/noEmptyInterface: each domain adds its own actions in its audit-events.ts
export interface AuditDetails {}

export type AuditAction = keyof AuditDetails;

/** Something that happened, to be appended to its chain. */
export type AuditEvent = {
  [Action in AuditAction]: {
    action: Action;
    /** null: the chain of the platform. */
    org_id: string | null;
    /** Empty for what the system does by itself. */
    actor_email: string;
    detail: AuditDetails[Action];
  };
}[AuditAction];

/** The door through which every domain writes to the audit log. */
export interface AuditWriter {
  /**
   * For requests, after their own commit: resolves once the row is durable, or after ten seconds without it. Never
   * rejects; a lost row is logged and counted.
   */
  record(event: AuditEvent): Promise<void>;
  /**
   * Appends within the caller's transaction, as its last statement: the chain stays locked until it ends.
   *
   * @throws what the database says; the caller's transaction is then lost with it
   */
  recordIn(trx: Db, event: AuditEvent): Promise<void>;
}

/** An event as it is appended; the chain columns are made by the database. */
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

/** The columns of an entry as the driver reads them: beyond what is ever written, whatever a superuser left there. */
export interface StoredEntry {
  id: string | null;
  actor_email: string | null;
  org_id: string | null;
  action: string | null;
  detail: unknown;
  /** Infinities are read as numbers, and times beyond JavaScript's as invalid dates. */
  created_at: Date | number | null;
}

export interface AuditFilter {
  /** null: the platform's chain. */
  org_id?: string | null | undefined;
  action?: string | undefined;
  /** Made at this moment or later. */
  since?: Date | undefined;
  /** Made before this moment. */
  until?: Date | undefined;
}

/** Where a chain ends; 0 and null before its first row. */
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

/** Where anchors go: anything that keeps bytes by name. */
export interface AnchorStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
}
