import { hash } from 'node:crypto';
import type { FoundResource } from '../../adapters/cloud/types.ts';
import type { ResourceRow } from './inventory-types.ts';
import { lookUpType } from './normalized-type.ts';

/** A resource of a page, before it is compared with what is stored. */
export type ListedResource = Omit<ResourceRow, 'id' | 'listed_ct'> & { properties: Buffer | null };

/**
 * The resources of a page without duplicates, in the order in which their rows are locked. The last of several
 * resources with the same type, region and ID counts.
 *
 * @param key of the organization, so that hashes of one cannot be compared with those of another
 */
export function toListedResources(resources: readonly FoundResource[], key: Uint8Array): ListedResource[] {
  const by_key = new Map<string, ListedResource>();
  for (const resource of resources) {
    const listed = toListed(resource, key);
    by_key.set(listed.resource_key.toString('latin1'), listed);
  }
  return [...by_key.values()].sort((a, b) => Buffer.compare(a.resource_key, b.resource_key));
}

function toListed({ properties: shown, ...resource }: FoundResource, key: Uint8Array): ListedResource {
  const provider_type = clean(resource.provider_type);
  const provider_resource_id = clean(resource.provider_resource_id);
  const region = cleanOptional(resource.region);
  const properties = shown === null ? null : Buffer.from(JSON.stringify(shown));
  return {
    ...lookUpType(provider_type),
    resource_key: toResourceKey({ provider_type, region, provider_resource_id }),
    provider_type,
    provider_resource_id,
    region,
    name: cleanOptional(resource.name),
    tags: Object.fromEntries(Object.entries(resource.tags).map(([name, value]) => [clean(name), clean(value)])),
    aliases: resource.aliases.map(clean),
    listed_hash: properties === null ? null : hash('sha256', Buffer.concat([key, properties, key]), 'buffer'),
    properties,
  };
}

/** Identifies a resource in its account. IDs can be longer than an index entry, and are unique only in their region. */
export function toResourceKey(
  resource: Pick<FoundResource, 'provider_type' | 'region' | 'provider_resource_id'>,
): Buffer {
  const { provider_type, region, provider_resource_id } = resource;
  return hash('sha256', JSON.stringify([provider_type, region, provider_resource_id]), 'buffer');
}

/** PostgreSQL stores neither NUL nor unpaired surrogates, and one such name must not fail its page. */
function clean(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed();
  return formed.includes('\0') ? formed.replaceAll('\0', '\uFFFD') : formed;
}

function cleanOptional(text: string | null): string | null {
  return text === null ? null : clean(text);
}
