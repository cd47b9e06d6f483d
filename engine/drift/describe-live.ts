/** Live resources as arguments of Terraform, so that the rules for plans can judge them. */
import type { JsonObject } from '../model/result.ts';
import { findMapping } from './arguments/mapping.ts';
import { readPath } from './arguments/source-path.ts';
import { buildArguments } from './compare.ts';
import { listPartRules } from './type-rules.ts';
import type { DriftAccount, LiveResource } from './types.ts';

/** What the inventory shows of the parts of an object, as arguments of the types that manage them. */
export function describeParts(live: LiveResource, { provider }: DriftAccount): [type: string, values: JsonObject][] {
  const { properties, is_complete, provider_resource_id } = live;
  if (properties === null) return [];
  return listPartRules(provider, live.provider_type).flatMap(({ type, part }): [string, JsonObject][] => {
    const mapping = findMapping(type);
    const found =
      mapping === undefined || part === null || part.shown === '' ? undefined : readPath(properties, part.shown);
    if (mapping === undefined || found === undefined) return [];
    return [[type, buildArguments(mapping, { properties: found, is_complete }, provider_resource_id)]];
  });
}

export function toProviderName({ provider }: DriftAccount): string {
  return `hashicorp/${{ aws: 'aws', gcp: 'google', azure: 'azurerm' }[provider]}`;
}

/** What the inventory shows of a resource, as arguments. */
export function describeNew(type: string, live: LiveResource, { provider }: DriftAccount): JsonObject {
  const { properties, is_complete, provider_resource_id, tags } = live;
  const mapping = findMapping(type);
  const source = { properties: properties ?? undefined, is_complete };
  const shown = mapping === undefined ? {} : buildArguments(mapping, source, provider_resource_id);
  const named = live.name === null ? {} : { name: live.name };
  return { id: provider_resource_id, ...named, ...shown, [provider === 'gcp' ? 'labels' : 'tags']: { ...tags } };
}
