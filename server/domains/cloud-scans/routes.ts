import type { Handlers } from '../../contract/operation.ts';
import { type ScanRun, scanRunRecord } from '../scans/index.ts';
import type { CloudScans } from './service.ts';
import type { ScansStarted } from './types.ts';

export function cloudScanRoutes(
  cloudScans: CloudScans,
): Pick<Handlers, 'createScan' | 'createScansBulk' | 'cancelScan'> {
  return {
    async createScan({ principal, org, body, once }) {
      return once(
        (run: ScanRun) => {
          const Location = `/api/v2/orgs/${org.id}/scans/${run.id}`;
          return { status: 202, body: scanRunRecord(run), headers: { Location } };
        },
        (keep) => cloudScans.create(principal, org.id, body, keep),
      );
    },

    async createScansBulk({ principal, org, body, once }) {
      return once(
        (started: ScansStarted) => ({ status: 202, body: started }),
        (keep) => cloudScans.createBulk(principal, org.id, body, keep),
      );
    },

    async cancelScan({ org, path }) {
      return { status: 200, body: scanRunRecord(await cloudScans.cancel(org.id, path.scan_id)) };
    },
  };
}
