import type { Handlers } from '../../contract/operation.ts';
import type { Allowlist } from './service.ts';
import type { DomainEntry } from './types.ts';

export function allowlistRoutes(allowlist: Allowlist): Pick<Handlers, 'listDomains' | 'addDomain' | 'deleteDomain'> {
  return {
    async listDomains() {
      return { status: 200, body: (await allowlist.list()).map(domainRecord) };
    },

    async addDomain({ principal, body, once }) {
      return once(
        (entry: DomainEntry) => ({ status: 201, body: domainRecord(entry) }),
        (keep) => allowlist.add(principal, body, keep),
      );
    },

    async deleteDomain({ principal, path }) {
      await allowlist.remove(principal, path.id);
      return { status: 204 };
    },
  };
}

function domainRecord({ id, domain, created_at, created_by }: DomainEntry) {
  return { id, domain, created_at: created_at.toISOString(), created_by: created_by ?? '' };
}
