export { cloudScanParts } from './parts.ts';
export { type CloudScans, createCloudScans } from './service.ts';
export type { ScansStarted, ScheduledScan } from './types.ts';
