import type { CloudAdapter, CloudSession, FoundResource, ScanPart } from '../../server/adapters/cloud/types.ts';
import { ACCOUNT_ID } from '../scans/made-account.ts';
import { BENCH_ACCOUNT, makePair } from './account-generator.ts';

const PAGE = 500;

/** An account with the live resources of so many pairs, read page by page as one part for each type. */
export function createPairAdapter(count: number): CloudAdapter {
  return { provider: 'aws', calls: [], open: () => openSession(count) };
}

const PARTS: readonly ScanPart[] = BENCH_ACCOUNT.parts.map(({ region, provider_type }) => ({
  key: `pairs/${region}/${provider_type}`,
  service: 'pairs',
  region,
  provider_type,
}));

function openSession(count: number): CloudSession {
  return {
    identify: async () => ({ identity: 'bench', external_account_id: ACCOUNT_ID }),
    checkPermissions: async () => [],
    outline: async () => ({ parts: PARTS, unchecked: [] }),
    async readPage({ key }, cursor) {
      const from = Number(cursor ?? PARTS.findIndex((part) => part.key === key));
      const to = Math.min(count, from + PAGE * PARTS.length);
      const resources: FoundResource[] = [];
      for (let i = from; i < to; i += PARTS.length) resources.push(...toFound(i));
      return { resources, next_cursor: to < count ? String(from + PAGE * PARTS.length) : null, faults: [] };
    },
    close() {},
  };
}

function toFound(i: number): FoundResource[] {
  const { live } = makePair(i);
  if (live === null) return [];
  const { is_complete: _, live_resource_id: __, ...found } = live;
  return [found as FoundResource];
}
