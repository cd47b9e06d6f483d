export { scanParts } from './parts.ts';
export { type ScanRunRecord, scanRunRecord, scanStatusKind } from './record.ts';
export { createScans, type Scans } from './service.ts';
export type { CiContext, Provider, ScanError, ScanRun } from './types.ts';
