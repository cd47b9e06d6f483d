/** Tags and labels, compared as maps: without those that the cloud sets, and with those that a provider adds by default. */
import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import type { CloudProvider, LiveResource } from '../types.ts';
import { isWithheld } from './secret.ts';

/** Where the state holds what is configured, and all tags including those of the provider's defaults. */
const ATTRIBUTES: Readonly<Record<CloudProvider, { own: string; all: readonly string[] }>> = {
  aws: { own: 'tags', all: ['tags_all'] },
  gcp: { own: 'labels', all: ['effective_labels', 'terraform_labels'] },
  azure: { own: 'tags', all: [] },
};

/** Prefixes of tags that only the cloud sets. */
const SYSTEM: Readonly<Record<CloudProvider, readonly string[]>> = {
  aws: ['aws:'],
  gcp: ['goog-'],
  azure: ['hidden-', 'ms-resource-usage'],
};

export interface ComparedTags {
  /** `tags` or `labels`. */
  attribute: string;
  before: JsonObject;
  after: JsonObject;
  /** Attributes that repeat them, and would tell the rules about noise that nothing changed. */
  mirrors: readonly string[];
}

/**
 * The tags of the state and of the cloud under the name of the configured ones. A tag that a provider's default sets is in
 * the result only if it differs.
 *
 * @returns undefined if the state holds no tags, or the inventory does not show them
 */
export function compareTags(
  attributes: JsonObject,
  live: LiveResource,
  provider: CloudProvider,
): ComparedTags | undefined {
  const { own, all } = ATTRIBUTES[provider];
  if (!Object.hasOwn(attributes, own) || !showsTags(live)) return undefined;
  const before = toTags(attributes[own], provider);
  const whole = all.map((name) => attributes[name]).find(isObject);
  const expected = whole === undefined ? before : toTags(whole, provider);
  const found = toTags(live.tags, provider);
  const after = { ...before };
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [was, is] = [read(expected, name), read(found, name)];
    if (was === is || isWithheld(was) || isWithheld(is)) continue;
    if (was !== undefined) before[name] = was;
    if (is === undefined) delete after[name];
    else after[name] = is;
  }
  return { attribute: own, before, after, mirrors: all };
}

/** A listing without any tag may just not show them. */
function showsTags({ tags, properties, is_complete }: LiveResource): boolean {
  if (is_complete || Object.keys(tags).length > 0) return true;
  return properties !== null && Object.keys(properties).some((name) => /^(?:tags|labels|taglist)$/i.test(name));
}

function toTags(tags: JsonValue | Readonly<Record<string, string>> | undefined, provider: CloudProvider): JsonObject {
  const entries = Object.entries(isObject(tags) ? tags : {});
  return Object.fromEntries(entries.filter(([name]) => !SYSTEM[provider].some((prefix) => name.startsWith(prefix))));
}

function read(tags: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(tags, name) ? tags[name] : undefined;
}
