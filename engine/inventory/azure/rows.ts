import { isObject } from '../../lib/is-object.ts';
import type { JsonObject } from '../../model/result.ts';
import type { ReadRow } from '../rows.ts';
import type { InventoryFormat } from '../types.ts';
import { toAzureResource } from './resource.ts';

/** Columns that a row has, if only as null, unless the query left them out. */
const COLUMNS_OF_EVERY_ROW = ['location', 'kind', 'sku', 'identity', 'tags'];

/**
 * A row of Resource Graph, of `az resource list`, or the output of `az resource show`. `az resource list` has no
 * properties, and commands such as `az vm list` spread them over the row.
 */
export function readAzureRow(row: JsonObject, format: InventoryFormat): ReadRow | undefined {
  const resource = toAzureResource(row);
  if (resource === undefined) return undefined;
  const subscription = /^\/subscriptions\/([^/]+)/.exec(resource.provider_resource_id)?.[1];
  const is_complete = isObject(row.properties) && COLUMNS_OF_EVERY_ROW.every((name) => Object.hasOwn(row, name));
  return { provider: 'azure', format, resource, is_complete, account_id: subscription ?? null };
}
