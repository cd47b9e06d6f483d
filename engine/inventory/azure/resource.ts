import { isObject } from '../../lib/is-object.ts';
import type { JsonObject } from '../../model/result.ts';
import { scrubProperties, scrubTags } from '../scrub.ts';
import type { ListedResource } from '../types.ts';

/** Columns with the properties of a resource, besides the ones that have members of their own. */
const PROPERTY_COLUMNS = [
  'location',
  'kind',
  'sku',
  'plan',
  'identity',
  'zones',
  'managedBy',
  'extendedLocation',
  'properties',
] as const;

/** Columns of Resource Graph to select in a query. */
export const AZURE_COLUMNS: readonly string[] = ['id', 'name', 'type', 'tags', ...PROPERTY_COLUMNS];

/**
 * A resource as Resource Graph shows it; undefined if it has no ID or type. IDs of Azure ignore case, and Resource Graph
 * returns the same ID in different cases at different times: the ID is in lowercase, and the original is an alias.
 */
export function toAzureResource(row: unknown): ListedResource | undefined {
  if (!isObject(row)) return undefined;
  const { id, type, name, location, tags } = row;
  if (!isText(id) || !id.startsWith('/') || !isText(type)) return undefined;
  const provider_resource_id = id.toLowerCase();
  return {
    provider_resource_id,
    provider_type: type.toLowerCase(),
    region: toAzureRegion(location),
    name: isText(name) ? name : null,
    tags: readTags(tags),
    aliases: id === provider_resource_id ? [] : [id],
    properties: readProperties(row),
  };
}

/** `West Europe` and `westeurope` are the same region; null for `global`. */
export function toAzureRegion(location: unknown): string | null {
  const region = isText(location) ? location.toLowerCase().replaceAll(' ', '') : 'global';
  return region === 'global' ? null : region;
}

function readTags(tags: unknown): Record<string, string> {
  const entries = isObject(tags) ? Object.entries(tags) : [];
  return scrubTags(
    Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
  );
}

function readProperties(row: Record<string, unknown>): JsonObject {
  const present = PROPERTY_COLUMNS.filter(
    (column) => row[column] !== null && row[column] !== undefined && row[column] !== '',
  );
  return scrubProperties(Object.fromEntries(present.map((column) => [column, row[column]])));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
