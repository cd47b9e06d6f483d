import type { Handlers } from '../../contract/operation.ts';
import type { Scans } from '../scans/index.ts';
import type { Results } from './service.ts';

const DEFAULT_EXPIRES_IN_S = 7 * 86_400;

/** Records that must exist before the body of a request is validated. */
export function resultPathChecks(scans: Pick<Scans, 'assertExists'>) {
  return {
    createScanLink: ({ org_id, path }: { org_id: string; path: Record<string, string> }) =>
      scans.assertExists(org_id, path['scan_id'] ?? ''),
  };
}

export function resultRoutes(results: Results): Pick<Handlers, 'createScanLink'> {
  return {
    async createScanLink({ org, principal, path, body }) {
      const { expires_in_s = DEFAULT_EXPIRES_IN_S } = body;
      const { url, expires_at } = await results.createLink(principal, org.id, path.scan_id, expires_in_s);
      return { status: 201, body: { url, expires_at: expires_at.toISOString() } };
    },
  };
}
