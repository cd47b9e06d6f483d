/** Tags and labels, compared as maps: without those that the cloud sets, and with those that a provider adds by default. */
import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import type { CloudProvider, LiveResource } from '../types.ts';
import { hasTags, isWithheld } from './withheld.ts';

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
  /** Both sides; null if they are the same. */
  sides: { before: JsonObject; after: JsonObject } | null;
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
  const whole = all.map((name) => attributes[name]).find(isObject) ?? attributes[own];
  const expected = isObject(whole) ? whole : {};
  const names = [
    ...Object.keys(expected),
    ...Object.keys(live.tags).filter((name) => !Object.hasOwn(expected, name)),
  ].filter((name) => !isSystemTag(name, provider) && differs(expected[name], read(live.tags, name)));
  const sides = names.length === 0 ? null : toSides(names, attributes[own], expected, live.tags);
  return { attribute: own, sides, mirrors: all };
}

/** The tags that a configuration can have. */
export function listOwnTags(tags: LiveResource['tags'], provider: CloudProvider): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).filter(([name]) => !isSystemTag(name, provider)));
}

function differs(was: JsonValue | undefined, is: string | undefined): boolean {
  return was !== is && !isWithheld(was) && !isWithheld(is);
}

function isSystemTag(name: string, provider: CloudProvider): boolean {
  return SYSTEM[provider].some((prefix) => name.startsWith(prefix));
}

function toSides(
  names: readonly string[],
  own: JsonValue | undefined,
  expected: JsonObject,
  found: LiveResource['tags'],
): { before: JsonObject; after: JsonObject } {
  const before: JsonObject = isObject(own) ? { ...own } : {};
  const after: JsonObject = { ...before };
  for (const name of names) {
    const [was, is] = [expected[name], read(found, name)];
    if (was !== undefined) before[name] = was;
    if (is === undefined) delete after[name];
    else after[name] = is;
  }
  return { before, after };
}

/** A listing without any tag may just not show them. */
function showsTags({ tags, properties, is_complete }: LiveResource): boolean {
  if (!hasTags(tags)) return false;
  if (is_complete || Object.keys(tags).length > 0) return true;
  return properties !== null && Object.keys(properties).some((name) => /^(?:tags|labels|taglist)$/i.test(name));
}

function read(tags: LiveResource['tags'], name: string): string | undefined {
  return Object.hasOwn(tags, name) ? tags[name] : undefined;
}
