import { JsonText } from '../../contract/json-text.ts';
import type { Handlers } from '../../contract/operation.ts';
import { listedScanRunRecord, scanRunRecord } from './record.ts';
import type { Scans } from './service.ts';

export function scanRoutes(scans: Scans): Pick<Handlers, 'listScans' | 'getScan'> {
  return {
    async listScans({ org, query }) {
      const { limit, offset, ...filter } = query;
      const page = await scans.list(org.id, filter, { limit, offset });
      return {
        status: 200,
        body: { limit, offset, scans: page.scans.map(listedScanRunRecord), total: page.total },
      };
    },

    async getScan({ org, path }) {
      const { run, result_text } = await scans.get(org.id, path.scan_id);
      const record = JSON.stringify(scanRunRecord(run));
      // The stored result can be megabytes: it is inserted as text, never parsed on the event loop.
      return { status: 200, body: new JsonText(`${record.slice(0, -1)},"result_json":${result_text ?? 'null'}}`) };
    },
  };
}
