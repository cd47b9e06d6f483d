/** Authentication, permissions, and the audit log. */
import type { VerifyToken } from '../adapters/oidc/index.ts';
import type { Db, Knex } from '../db/index.ts';
import { type AllowlistSettings, allowlistParts, createAllowlist } from '../domains/allowlist/index.ts';
import { apiKeyParts, createApiKeys } from '../domains/api-keys/index.ts';
import { auditParts, createAudit } from '../domains/audit/index.ts';
import { createIdentity, identityParts } from '../domains/identity/index.ts';
import { createOrgs, type InvitedPerson, orgParts } from '../domains/orgs/index.ts';
import { createSso, ssoParts } from '../domains/sso/index.ts';
import type { ResolveChannel } from '../lib/resolve-channel.ts';
import type { Foundation } from './foundation.ts';

export interface PlatformDeps {
  verifyToken: VerifyToken;
  /** Is called in the transaction that changes the plan or the limits of an organization. */
  onLimitsChanged: (trx: Db, org_id: string) => Promise<void>;
  /** Called in the transaction that writes an invitation. */
  onInvited: (trx: Db, invited: InvitedPerson) => Promise<void>;
  /** A channel as it is stored: an ID for a name. */
  resolveChannel: ResolveChannel;
  /** Databases across organizations, for each domain that has one. */
  cross_org: {
    audit: { platform_db: Db; audit_db: Db; sweep_db: Db };
    allowlist: { platform_db: Knex };
    orgs: { platform_db: Db; sweep_db: Db };
    apiKeys: { platform_db: Db; sweep_db: Db };
    identity: { platform_db: Db };
  };
  settings: {
    allowlist: AllowlistSettings;
    /** Whether the audit log also records actions beyond the interface specification. */
    audit_extended: boolean;
    /** Default number of analyses that an organization can submit in an hour. */
    analyses_hourly: number;
  };
}

export function createPlatform(foundation: Foundation, deps: PlatformDeps) {
  const { verifyToken, onLimitsChanged, onInvited, resolveChannel, cross_org, settings } = deps;
  const { declared, columns, base_urls } = foundation;
  const isKept = (action: string) => {
    const kind = declared.audit_events.get(action);
    if (kind === undefined) throw new Error(`no domain declares the audit event ${action}`);
    return kind === 'specified' || settings.audit_extended;
  };
  const audit = createAudit({ ...foundation, ...cross_org.audit, isKept });
  const shared = { ...foundation, audit };
  const allowlist = createAllowlist({ ...shared, ...cross_org.allowlist, settings: settings.allowlist });
  const orgs = createOrgs({
    ...shared,
    ...cross_org.orgs,
    sealer: columns,
    maySignIn: allowlist.isAllowed,
    onLimitsChanged,
    onInvited,
    resolveChannel,
    analyses_hourly: settings.analyses_hourly,
  });
  const apiKeys = createApiKeys({ ...shared, ...cross_org.apiKeys, orgs });
  const identity = createIdentity({ ...shared, ...cross_org.identity, verifyToken, allowlist, apiKeys });
  const sso = createSso({ ...shared, orgs });
  return {
    audit,
    allowlist,
    orgs,
    apiKeys,
    identity,
    parts: [
      auditParts(audit),
      allowlistParts(allowlist),
      orgParts(orgs, base_urls),
      apiKeyParts(apiKeys),
      identityParts(identity),
      ssoParts(sso),
    ],
  };
}

export type Platform = ReturnType<typeof createPlatform>;
