import type { CloudProvider, LiveResource } from '../../../engine/drift/index.ts';
import type { DriftLive } from './types.ts';

/** A resource of the inventory as the engine reads it. One literal, because V8 describes spread ones one by one. */
export function toLiveResource(
  live: Omit<DriftLive, 'normalized_type' | 'iac_resource_id'>,
  provider: CloudProvider,
): LiveResource {
  const { properties } = live;
  return {
    provider_type: live.provider_type,
    provider_resource_id: live.provider_resource_id,
    aliases: live.aliases,
    region: live.region,
    name: live.name,
    tags: live.tags,
    live_resource_id: live.id,
    properties: properties === null ? null : JSON.parse(properties),
    // Resource Graph shows all properties of a resource; listings of AWS and Google Cloud may not.
    is_complete: provider === 'azure',
  };
}

export type Lives = ReturnType<typeof createLives>;

/** Keeps of the live resources what the comparison does not return: their categories, and which addresses they have. */
export function createLives(provider: CloudProvider) {
  const normalized_types = new Map<string, string>();
  /** The stored addresses, by the IDs of the live resources that have one. */
  const stored = new Map<string, string>();
  /** The first address in order that describes each of them. */
  const found = new Map<string, string>();
  return {
    add(live: DriftLive): LiveResource {
      normalized_types.set(live.provider_type, live.normalized_type);
      if (live.iac_resource_id !== null) stored.set(live.id, live.iac_resource_id);
      return toLiveResource(live, provider);
    },
    match({ live_resource_id }: Pick<LiveResource, 'live_resource_id'>, address: string): void {
      if (live_resource_id === undefined) return;
      const known = found.get(live_resource_id);
      if (known === undefined || address < known) found.set(live_resource_id, address);
    },
    /** The category of a type of the cloud; undefined if no resource has it. */
    findNormalizedType: (provider_type: string) => normalized_types.get(provider_type),
    /** The resources whose address is not the stored one. */
    *listChanged(): Iterable<{ id: string; iac_resource_id: string | null }> {
      for (const id of stored.keys()) if (!found.has(id)) yield { id, iac_resource_id: null };
      for (const [id, iac_resource_id] of found) if (stored.get(id) !== iac_resource_id) yield { id, iac_resource_id };
    },
  };
}
