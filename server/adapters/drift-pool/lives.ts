import type { CloudProvider, LiveResource } from '../../../engine/drift/index.ts';
import type { DriftLive } from './types.ts';

/** A resource of the inventory as the engine reads it. */
export function toLiveResource(
  { id, properties, ...live }: Omit<DriftLive, 'normalized_type' | 'iac_resource_id'>,
  provider: CloudProvider,
): LiveResource {
  return {
    ...live,
    live_resource_id: id,
    properties: properties === null ? null : JSON.parse(properties),
    // Resource Graph shows all properties of a resource; listings of AWS and Google Cloud may not.
    is_complete: provider === 'azure',
  };
}

interface Kept extends Pick<DriftLive, 'normalized_type' | 'iac_resource_id' | 'tags'> {
  /** The first address in order that describes the object; null if none does. */
  address: string | null;
}

export type Lives = ReturnType<typeof createLives>;

/** Keeps of the live resources what the comparison does not return: categories, tags, and which addresses they have. */
export function createLives(provider: CloudProvider) {
  const kept = new Map<string, Kept>();
  return {
    add({ normalized_type, iac_resource_id, ...listed }: DriftLive): LiveResource {
      kept.set(listed.id, { normalized_type, iac_resource_id, tags: listed.tags, address: null });
      return toLiveResource(listed, provider);
    },
    match({ live_resource_id = '' }: LiveResource, address: string): void {
      const one = kept.get(live_resource_id);
      if (one !== undefined && (one.address === null || address < one.address)) one.address = address;
    },
    find: (id: string): Readonly<Kept> | undefined => kept.get(id),
    /** The resources whose address is not the stored one. */
    *listChanged(): Iterable<{ id: string; iac_resource_id: string | null }> {
      for (const [id, { address, iac_resource_id }] of kept)
        if (address !== iac_resource_id) yield { id, iac_resource_id: address };
    },
  };
}
