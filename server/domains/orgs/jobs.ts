import type { Sweep } from '../../queue/index.ts';
import type { Orgs } from './service.ts';

const HOUR_MS = 3_600_000;

export function orgSweeps({ invitations }: Orgs): Sweep[] {
  return [{ name: 'orgs.delete-old-invitations', every_ms: HOUR_MS, run: invitations.deleteOld }];
}
