export { scanParts } from './parts.ts';
export { type ScanRunRecord, scanRunRecord, scanStatusKind, toCiContext } from './record.ts';
export { createScans, type Scans } from './service.ts';
export type { CiContext, NewCloudRun, Provider, ScanError, ScanRun } from './types.ts';
