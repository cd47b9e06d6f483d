import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { readConfigRow, readDescription, readExplorerRow, readTaggedRow } from './aws/rows.ts';
import { readAzureRow } from './azure/rows.ts';
import { readAsset, readAssetOrSearch } from './gcp/rows.ts';
import { readRecordedRow } from './recorded/rows.ts';
import type { InventoryFormat, InventoryProvider, ListedResource } from './types.ts';

/** One resource of a document, before resources of several documents are merged. */
export interface ReadRow {
  provider: InventoryProvider;
  format: InventoryFormat;
  resource: ListedResource;
  is_complete: boolean;
  account_id: string | null;
  /** The number of the Google Cloud project, where the row has it. */
  project_number?: string | undefined;
}

/** The members of a document besides its list. */
export type Header = ReadonlyMap<string, JsonValue>;

export interface ListFormat {
  /** Members of which a document with an empty list must have one, because other documents have such a list, too. */
  marks: readonly string[];
  /** A member that is needed to read rows; until it is known, rows wait. */
  needs?: string;
  format: InventoryFormat;
  /** @returns undefined if the row is not such a resource */
  read(row: JsonObject, header: Header): ReadRow | undefined;
}

/** The lists that contain resources, by the name of their member. */
export const LISTS: Readonly<Record<string, ListFormat>> = {
  ResourceDescriptions: { marks: [], needs: 'TypeName', format: 'aws_list_resources', read: readDescription },
  ResourceTagMappingList: { marks: [], format: 'aws_tagged_resources', read: readTaggedRow },
  Resources: { marks: ['ViewArn', 'Count'], format: 'aws_resource_explorer', read: readExplorerRow },
  Results: { marks: ['QueryInfo'], format: 'aws_config_query', read: readConfigRow },
  assets: { marks: ['readTime'], format: 'gcp_asset_list', read: readAsset },
  results: { marks: ['nextPageToken'], format: 'gcp_asset_search', read: readAssetOrSearch },
  data: {
    marks: ['skip_token', 'total_records', 'totalRecords', 'resultTruncated'],
    format: 'azure_graph_query',
    read: (row) => readAzureRow(row, 'azure_graph_query'),
  },
  value: {
    marks: ['nextLink'],
    format: 'azure_resource_list',
    read: (row) => readAzureRow(row, 'azure_resource_list'),
  },
  resources: { marks: ['faults'], format: 'recorded_page', read: readRecordedRow },
};

/** A document that is one resource, or an item of a list of resources. @returns undefined if it is something else */
export function readSingle(members: Header, is_item: boolean): ReadRow | undefined {
  const object = Object.fromEntries(members);
  const description = object.ResourceDescription;
  if (isObject(description)) return readDescription(description, members, true);
  return readAssetOrSearch(object) ?? readAzureRow(object, is_item ? 'azure_resource_list' : 'azure_resource');
}

/** AWS Config writes each row as a JSON text. */
export function toRow(value: JsonValue): JsonObject | undefined {
  if (isObject(value)) return value;
  if (typeof value !== 'string' || !value.startsWith('{')) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
