import type { JsonObject } from '../model/result.ts';

export type InventoryProvider = 'aws' | 'gcp' | 'azure';

/** A resource as one listing shows it. Secrets are already removed. */
export interface ListedResource {
  /** The cloud's own ID: ARN or primary identifier, full resource name, or ARM ID. */
  provider_resource_id: string;
  /** Such as `AWS::S3::Bucket`, `storage.googleapis.com/Bucket`, `microsoft.storage/storageaccounts`. */
  provider_type: string;
  /** Null for global resources. */
  region: string | null;
  name: string | null;
  tags: Readonly<Record<string, string>>;
  /** Other IDs of the same resource, such as its ARN, for matching with state. */
  aliases: readonly string[];
  /** Null if the listing only tells that the resource exists. */
  properties: JsonObject | null;
}
