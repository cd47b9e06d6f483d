/**
 * Public API for inventories: what a cloud says that exists. Separate from the engine's main API, because an analysis of a
 * plan never loads it.
 */
export { findIndexedType, toArnResource } from './aws/arns.ts';
export { ARN_TYPES } from './aws/data/arn-types.ts';
export { findGlobalTypeRegion } from './aws/global-types.ts';
export { parseAwsProperties, toAwsResource } from './aws/resource.ts';
export { AZURE_COLUMNS, toAzureRegion, toAzureResource } from './azure/resource.ts';
export { InventoryError, type InventoryErrorClass } from './errors.ts';
export type { InventoryLimits } from './file-reader.ts';
export { toGoogleResource } from './gcp/resource.ts';
export { createInventoryReader, type InventoryFileReader, type InventoryReader } from './reader.ts';
export { scrubProperties, scrubTags } from './scrub.ts';
export type * from './types.ts';
