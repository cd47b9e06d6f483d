import type { Sweep } from '../../queue/index.ts';
import type { Audit } from './service.ts';

const HOUR_MS = 3_600_000;

export function auditSweeps(audit: Audit): Sweep[] {
  return [
    { name: 'audit.write-anchors', every_ms: HOUR_MS, run: audit.writeAnchors },
    { name: 'audit.delete-verification-counts', every_ms: HOUR_MS, run: audit.deleteOldCounts },
  ];
}
