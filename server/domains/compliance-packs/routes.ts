import type { Handlers } from '../../contract/operation.ts';
import { packRecord } from './record.ts';
import type { CompliancePacks } from './service.ts';
import type { Pack } from './types.ts';

type PackHandlers = Pick<
  Handlers,
  | 'listCompliancePacks'
  | 'createCompliancePack'
  | 'getCompliancePack'
  | 'deleteCompliancePack'
  | 'downloadCompliancePack'
>;

export function packRoutes({ requests, download }: CompliancePacks): PackHandlers {
  return {
    async listCompliancePacks({ org, query }) {
      const { limit, offset } = query;
      const { packs, total } = await requests.list(org.id, { limit, offset });
      return { status: 200, body: { items: packs.map(packRecord), total }, page: { total, limit, offset } };
    },

    async createCompliancePack({ principal, org, body, once }) {
      return once(
        (pack: Pack) => {
          const Location = `/api/v2/orgs/${org.id}/audit-exports/${pack.id}`;
          return { status: 202, body: packRecord(pack), headers: { Location } };
        },
        (keep) => requests.create(principal, org.id, body, keep),
      );
    },

    async getCompliancePack({ org, path }) {
      return { status: 200, body: packRecord(await requests.get(org.id, path.eid)) };
    },

    async deleteCompliancePack({ principal, org, path }) {
      await requests.remove(principal, org.id, path.eid);
      return { status: 204 };
    },

    async downloadCompliancePack({ principal, org, path }) {
      const got = await download(principal, await requests.get(org.id, path.eid));
      const checksum = { 'X-Checksum-SHA256': got.artifact_sha256 };
      if (got.url !== null) return { status: 302, headers: { ...checksum, Location: got.url } };
      const disposition = `attachment; filename="${got.filename}"`;
      const headers = { ...checksum, 'Content-Disposition': disposition, 'Content-Length': got.artifact_bytes };
      return { status: 200, headers, body: got.file };
    },
  };
}
