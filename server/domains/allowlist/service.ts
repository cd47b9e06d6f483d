import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Keep, Knex } from '../../db/index.ts';
import { assertFound, Conflict } from '../../lib/errors.ts';
import { createLookupCache } from '../../lib/lookup-cache.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { asciiLower, extractDomain, parseDomain } from './email-domain.ts';
import * as store from './store.ts';
import type { AllowlistSettings, DomainEntry, EmailLogin } from './types.ts';

/** A removal takes effect in all processes within this time, even if a broadcast is lost. */
const LIST_TTL_MS = 30_000;

export interface AllowlistDeps extends Pick<ServiceDeps, 'authz' | 'now'> {
  platform_db: Knex;
  audit: Pick<AuditWriter, 'record'>;
  settings: AllowlistSettings;
}

export function createAllowlist({ platform_db, audit, authz, now, settings }: AllowlistDeps) {
  const lists = createLookupCache<ReadonlySet<string>>({ max: 1, ttl_ms: LIST_TTL_MS });
  const addresses = new Set(settings.allowed_emails.map(asciiLower));
  authz.onChange((change) => {
    if (change === 'everything' || change.what === 'allowlist') lists.clear();
  });

  /** Whether this email can use the service: by its domain, its address, or its issuer. */
  async function isAllowed({ email, issuer }: EmailLogin): Promise<boolean> {
    if (issuer === settings.trusted_issuer || addresses.has(asciiLower(email))) return true;
    const domains = await lists.get('domains', async () => new Set(await store.listDomainNames(platform_db)));
    return domains.has(extractDomain(email));
  }

  /** All domains, sorted by name. */
  async function list(): Promise<DomainEntry[]> {
    return store.listDomains(platform_db);
  }

  /** @throws InvalidInput `invalid_domain`; Conflict `domain_exists` */
  async function add(principal: Principal, input: { domain: string }, keep?: Keep<DomainEntry>): Promise<DomainEntry> {
    const domain = parseDomain(input.domain);
    const { id, email } = principal.user;
    const entry = await platform_db.transaction(async (trx) => {
      const row = await store.insertDomain(trx, { domain, created_by: id, now: now() });
      if (row === undefined) throw new Conflict(`the domain "${domain}" is already on the list`, 'domain_exists');
      const added = { ...row, created_by: email };
      await keep?.(trx, added);
      return added;
    });
    authz.announce({ what: 'allowlist' });
    await audit.record({ action: 'domain.added', org_id: null, actor_email: email, detail: { domain } });
    return entry;
  }

  /** @throws NotFound */
  async function remove(principal: Principal, id: string): Promise<void> {
    const domain = assertFound(await store.deleteDomain(platform_db, id));
    authz.announce({ what: 'allowlist' });
    const actor_email = principal.user.email;
    await audit.record({ action: 'domain.removed', org_id: null, actor_email, detail: { domain } });
  }

  /**
   * Adds the deployment's own domains to an empty list, once in the life of the database. Call it before serving.
   *
   * @throws InvalidInput if one of them is not a domain
   */
  async function seed(): Promise<void> {
    const domains = [...new Set(settings.seed_domains.map(parseDomain))];
    if (domains.length === 0) return;
    const seeded = await platform_db.transaction(async (trx) => {
      if (!(await store.claimSeed(trx, now()))) return false;
      for (const domain of domains) await store.insertDomain(trx, { domain, created_by: null, now: now() });
      return true;
    });
    if (!seeded) return;
    authz.announce({ what: 'allowlist' });
    for (const domain of domains) {
      await audit.record({ action: 'domain.added', org_id: null, actor_email: '', detail: { domain } });
    }
  }

  return { isAllowed, list, add, remove, seed };
}

export type Allowlist = ReturnType<typeof createAllowlist>;
