import type { Entry } from './state-index.ts';
import type { LiveResource } from './types.ts';

/** What is kept of the object of every resource. */
export type ObjectRef = Pick<LiveResource, 'provider_type' | 'provider_resource_id' | 'region' | 'live_resource_id'>;

/** The usual type of the cloud comes first, then the ID, so that the order of pages does not matter. */
export function toRank(
  { rule }: Pick<Entry, 'rule'>,
  { provider_type, region, provider_resource_id }: ObjectRef,
): string {
  const at = rule?.cloud_types.indexOf(provider_type) ?? -1;
  return `${at < 0 ? 9 : at} ${region ?? ''} ${provider_resource_id}`;
}

/** Takes the texts of the resource of the state where they are the same, because a million refs stay in memory. */
export function toRef(
  live: LiveResource,
  { rule, region, identifiers }: Pick<Entry, 'rule' | 'region' | 'identifiers'>,
): ObjectRef {
  const ref: ObjectRef = {
    provider_type: rule?.cloud_types.find((type) => type === live.provider_type) ?? live.provider_type,
    provider_resource_id: findHeld(identifiers, live.provider_resource_id) ?? live.provider_resource_id,
    region: region === live.region ? region : live.region,
  };
  if (live.live_resource_id !== undefined) ref.live_resource_id = live.live_resource_id;
  return ref;
}

function findHeld(identifiers: Entry['identifiers'], id: string): string | undefined {
  for (const name in identifiers) if (identifiers[name] === id) return identifiers[name];
  return undefined;
}

export function isSameObject(a: ObjectRef, b: ObjectRef): boolean {
  return (
    a.provider_resource_id === b.provider_resource_id && a.provider_type === b.provider_type && a.region === b.region
  );
}

export function toIdentity({ provider_type, region, provider_resource_id }: ObjectRef): string {
  return `${provider_type} ${region ?? ''} ${provider_resource_id}`;
}
