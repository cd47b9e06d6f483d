import providerTypes from './data/provider-types.json' with { type: 'json' };

export interface TypeFacts {
  /** Broad category, such as `network`; `other` for a type that is not in the table. */
  normalized_type: string;
  /** The categories by which plans judge the Terraform type of the resource. */
  risk_categories: readonly string[];
}

const UNKNOWN: TypeFacts = { normalized_type: 'other', risk_categories: ['other'] };

let table: Map<string, TypeFacts> | undefined;

/**
 * The facts about a type of a cloud. The table comes from the providers' Terraform resources: which cloud type each
 * manages, and how the engine judges it.
 *
 * @param provider_type such as `AWS::S3::Bucket`, `storage.googleapis.com/Bucket`, `microsoft.storage/storageaccounts`
 */
export function lookUpType(provider_type: string): TypeFacts {
  table ??= buildTable();
  return table.get(provider_type.toLowerCase()) ?? UNKNOWN;
}

function buildTable(): Map<string, TypeFacts> {
  return new Map(
    providerTypes.flatMap(({ types, ...facts }) =>
      Object.entries(types).flatMap(([service, names]) =>
        names.split(' ').map((name): [string, TypeFacts] => [toType(service, name).toLowerCase(), facts]),
      ),
    ),
  );
}

function toType(service: string, name: string): string {
  return service.startsWith('AWS::') ? `${service}::${name}` : `${service}/${name}`;
}
