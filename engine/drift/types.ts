import type { JsonObject, JsonValue } from '../model/result.ts';

/** A resource of a cloud account, as an inventory shows it. Secrets are already removed. */
export interface LiveResource {
  provider: 'aws' | 'gcp' | 'azure';
  /** Such as `AWS::S3::Bucket`, `storage.googleapis.com/Bucket`, `microsoft.storage/storageaccounts`. */
  provider_type: string;
  /** The cloud's own ID: ARN or primary identifier, full resource name, or ARM ID. */
  provider_resource_id: string;
  /** Other IDs of the same resource, such as its ARN. */
  aliases: readonly string[];
  /** Null for global resources. */
  region: string | null;
  name: string | null;
  tags: Readonly<Record<string, string>>;
  /** Null if the inventory only knows that the resource exists. */
  properties: JsonObject | null;
  /**
   * Whether `properties` has every property that is set. Listings of some clouds show only a part; there, a missing
   * property says nothing.
   */
  is_complete: boolean;
}

/** The values of one Terraform resource, as far as they can be read from the cloud. Paths that are missing are unknown. */
export type LiveArguments = Readonly<Record<string, JsonValue>>;
