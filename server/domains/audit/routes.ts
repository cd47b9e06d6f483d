import type { Handlers } from '../../contract/operation.ts';
import type { Audit } from './service.ts';
import type { AuditEntry, Verification } from './types.ts';

export function auditRoutes(audit: Audit): Pick<Handlers, 'listAuditLog' | 'verifyAuditLog' | 'verifyOrgAuditLog'> {
  return {
    async listAuditLog({ query }) {
      const { limit, offset, org_id, action, since, until } = query;
      const filter = { org_id, action, since: toDate(since), until: toDate(until) };
      const { entries, total } = await audit.list(filter, { limit, offset });
      return { status: 200, body: entries.map(entryRecord), page: { total, limit, offset } };
    },

    async verifyAuditLog({ query }) {
      const { org_id, expected_min_seq } = query;
      return { status: 200, body: verificationRecord(await audit.verifyAny(org_id ?? null, expected_min_seq)) };
    },

    async verifyOrgAuditLog({ org, query }) {
      return { status: 200, body: verificationRecord(await audit.verifyOrg(org.id, query.expected_min_seq)) };
    },
  };
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

function entryRecord({ id, actor_email, org_id, action, detail, created_at }: AuditEntry) {
  return { id, actor_email, org_id: org_id ?? '', action, detail, created_at: created_at.toISOString() };
}

function verificationRecord({
  checked,
  head_hash,
  head_seq,
  status,
  broken_at_seq,
  reason,
  verified_at,
}: Verification) {
  return { checked, head_hash, head_seq, status, broken_at_seq, reason, verified_at: verified_at.toISOString() };
}
