export { cloudScanParts } from './parts.ts';
export { type CloudScans, createCloudScans } from './service.ts';
