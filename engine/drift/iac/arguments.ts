/** The arguments of a live resource, as far as the inventory shows them and a provider accepts them. */
import { isComputedArgument } from '../../effects/index.ts';
import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import { findMapping, type Mapping, type Spec } from '../arguments/mapping.ts';
import { readShown, type Source } from '../arguments/overlay.ts';
import { readLive, toComparedBlocks } from '../arguments/security-group-rules.ts';
import { readPath } from '../arguments/source-path.ts';
import { listOwnTags } from '../arguments/tags.ts';
import type { DriftAccount, LiveResource } from '../types.ts';
import type { Entry } from './expression.ts';
import type { SecretVariables } from './secrets.ts';

/** Names of older versions of a provider, whose newer names are written. */
const FORMER: ReadonlySet<string> = new Set(['enable_https_traffic_only', 'enable_rbac_authorization']);

export function listArguments(
  type: string,
  live: LiveResource,
  { account, given, secrets }: { account: DriftAccount; given: JsonObject; secrets: SecretVariables },
): Entry[] {
  const { properties, is_complete, provider_resource_id } = live;
  const source = { properties: properties ?? undefined, is_complete };
  const mapping = findMapping(type) ?? new Map<string, Spec>();
  const isWritten = (name: string) => !FORMER.has(name) && !isComputedArgument(type, name);
  const shown = listMembers(mapping, source, { path: [], secrets, id: provider_resource_id });
  const own = Object.entries(given)
    .filter(([name, value]) => shown.every((entry) => entry.name !== name || isPathTo(entry, value)))
    .map(([name, value]): Entry => ({ name, value: secrets.replace(value, [name]) }));
  const named = new Set(own.map(({ name }) => name));
  const tags = listTags(live, account, secrets);
  return [...own, ...[...shown, ...tags].filter(({ name }) => isWritten(name) && !named.has(name))];
}

/** Google Cloud shows some names as paths. */
function isPathTo(entry: Entry, name: JsonValue): boolean {
  return 'value' in entry && typeof entry.value === 'string' && entry.value.endsWith(`/${String(name)}`);
}

interface Place {
  path: readonly string[];
  secrets: SecretVariables;
  /** The cloud's own ID, which rules of a security group refer to as `self`. */
  id: string;
}

function listMembers(members: Mapping, source: Source, place: Place): Entry[] {
  return [...members].flatMap(([name, spec]) =>
    listMember(name, spec, source, { ...place, path: [...place.path, name] }),
  );
}

function listMember(name: string, spec: Spec, source: Source, place: Place): Entry[] {
  const { properties, is_complete } = source;
  if (spec.kind === 'leaf') {
    const value = readShown(spec, source);
    if (value === undefined || isEmpty(value)) return [];
    if (spec.transforms.includes('rules')) return listRules(name, value, place);
    return [{ name, value: place.secrets.replace(value, place.path) }];
  }
  const found = readPath(properties, spec.path);
  const items = spec.kind === 'each' && Array.isArray(found) ? found : [found];
  return items
    .filter((item) => item !== undefined && item !== null)
    .map((item) => ({ name, body: listMembers(spec.members, { properties: item, is_complete }, place) }))
    .filter(({ body }) => body.length > 0);
}

/** Rules of a security group are blocks, one for each source. */
function listRules(name: string, value: JsonValue, { path, secrets, id }: Place): Entry[] {
  return toComparedBlocks([], readLive(value, id), id).after.map((rule) => ({
    name,
    body: Object.entries(rule)
      .filter(([, member]) => !isEmpty(member) && member !== false)
      .map(([member, held]) => ({ name: member, value: secrets.replace(held, [...path, member]) })),
  }));
}

function listTags({ tags }: LiveResource, { provider }: DriftAccount, secrets: SecretVariables): Entry[] {
  const own = listOwnTags(tags, provider);
  const name = provider === 'gcp' ? 'labels' : 'tags';
  return Object.keys(own).length === 0 ? [] : [{ name, value: secrets.replace(own, [name]) }];
}

/** What a configuration leaves out; false and zero are values. */
function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
