import type { ChainBreak } from '../../../engine/index.ts';
import type { Db } from '../../db/index.ts';
import type { Role } from '../../lib/principal.ts';
import type { Plan } from '../entitlements/index.ts';

/**
 * What each action says beside who, when and where. Ids, names, prefixes and enums only, never a secret: rows are kept
 * for ever and shown to auditors.
 *
 * @see openapi.yaml, AuditEntry
 */
export interface AuditDetails {
  'domain.added': { domain: string };
  'domain.removed': { domain: string };
  'user.deleted': { user_id: string; email: string };

  'org.created': { slug: string };
  'org.updated': { display_name: string };
  'org.settings_updated': { keys: string[] };
  'org.plan_overridden': { plan: Plan; limits: Record<string, number | null> };

  'membership.created': { user_id: string; role: Role };
  'membership.removed': { membership_id: string; user_id: string };
  'membership.role_changed': { membership_id: string; user_id: string; old_role: Role; new_role: Role };
  'membership.invited': { invitation_id: string; email: string; role: Role };
  'membership.invitation_revoked': { invitation_id: string };

  'api_key.created': { key_id: string; name: string; key_prefix: string; scopes: string[] };
  'api_key.revoked': { key_id: string; key_prefix: string };

  'custom_rule.created': { rule_id: string; name: string; rule_type: 'noise' | 'risk' };
  'custom_rule.updated': { rule_id: string };
  'custom_rule.enabled': { rule_id: string };
  'custom_rule.disabled': { rule_id: string };
  'custom_rule.deleted': { rule_id: string };
  'builtin_rule.disabled': { builtin_rule_id: string; rule_type: 'noise' | 'risk' };
  'builtin_rule.enabled': { builtin_rule_id: string; rule_type: 'noise' | 'risk' };
  'policy.updated': { rule_count: number; version: number };

  'federation_trust.created': { trust_id: string; issuer: string; scopes: string[] };
  'federation_trust.deleted': { trust_id: string };

  'webhook_config.created': {
    config_id: string;
    provider: string;
    repo_path: string | null;
    provider_base_url: string;
    secret_prefix: string;
    /** null, as the next two are, where no token was given. */
    api_token_prefix: string | null;
    api_token_status: string | null;
    api_token_expires: string | null;
  };
  'webhook_config.updated': { config_id: string; enabled: boolean };
  'webhook_config.token_updated': {
    config_id: string;
    token_cleared: boolean;
    api_token_prefix?: string;
    api_token_status?: string;
  };
  'webhook_config.secret_rotated': { config_id: string; secret_prefix: string };
  'webhook_config.deleted': { config_id: string };

  'scm_installation.created': {
    id: string;
    installation_id: number;
    account_login: string;
    /** Login at GitHub of the person who confirmed the link. */
    confirmed_by: string;
  };
  'scm_installation.deleted': { id: string };

  'scan_link.created': { scan_run_id: string; expires_at: string };

  'llm_config.created': { provider: string };
  'llm_config.updated': { provider: string };
  'llm_config.deleted': { provider: string };

  'plan_noise.settings_updated': { recurrence_threshold: number; window_days: number };
  'plan_noise.suppressed': {
    suppression_ids: string[];
    duration: '7d' | '30d' | '90d' | 'forever';
    is_false_positive: boolean;
  };
  'plan_noise.suppression_removed': { suppression_id: string };
}

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
