import { isObject } from '../../lib/is-object.ts';
import type { JsonObject } from '../../model/result.ts';
import { scrubText } from '../../redact/scrub-text.ts';
import { scrubProperties, scrubTags } from '../scrub.ts';
import type { ListedResource } from '../types.ts';

/** A resource as Cloud Control describes it. */
export interface AwsDescription {
  provider_type: string;
  region: string | null;
  /** Primary identifier; parts of a compound one are joined with `|`. */
  identifier: string;
  /** As received: a JSON text, or undefined if the listing gives only the identifier. */
  properties: string | undefined;
}

/** @returns the properties as an object; undefined if the text is not one */
export function parseAwsProperties(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A resource of a listing, without secrets. */
export function toAwsResource({ provider_type, region, identifier, properties }: AwsDescription): ListedResource {
  const parsed = properties === undefined ? undefined : parseAwsProperties(properties);
  const tags = readTags(parsed ?? {});
  return {
    provider_resource_id: identifier,
    provider_type,
    region,
    name: readName(provider_type, parsed ?? {}, tags),
    tags: scrubTags(tags),
    aliases: readAliases(provider_type, identifier, parsed ?? {}),
    properties: parsed === undefined ? null : scrubProperties(parsed, provider_type),
  };
}

/** A tag named `Name` is what the console of AWS shows. */
function readName(
  provider_type: string,
  properties: Record<string, unknown>,
  tags: Record<string, string>,
): string | null {
  const short = readShortName(provider_type);
  const candidates = [tags.Name, properties[`${short}Name`], properties.Name, properties.DisplayName];
  const name = candidates.find((one): one is string => typeof one === 'string' && one !== '');
  return name === undefined ? null : scrubText(name);
}

function readAliases(provider_type: string, identifier: string, properties: Record<string, unknown>): string[] {
  const short = readShortName(provider_type);
  const candidates = ['Arn', `${short}Arn`, `${short}ARN`, 'Id', `${short}Id`].map((key) => properties[key]);
  const others = candidates.filter((one): one is string => typeof one === 'string' && one !== identifier);
  return [...new Set(others)];
}

function readShortName(provider_type: string): string {
  return provider_type.split('::')[2] ?? '';
}

/** Types write tags as a list of pairs, with keys in either case, or as a map; some name the member after themselves. */
function readTags(properties: Record<string, unknown>): Record<string, string> {
  const names = Object.keys(properties).filter((key) => /^(?:tags|TagList)$|Tags$/.test(key));
  const found = names.sort((a, b) => Number(b === 'Tags') - Number(a === 'Tags')).map((key) => properties[key]);
  return Object.fromEntries(found.flatMap(readTagPairs));
}

/** @returns the tags of a list of pairs, or of a map */
export function readTagPairs(tags: unknown): [string, string][] {
  if (Array.isArray(tags)) return tags.flatMap(readPair);
  if (!isObject(tags)) return [];
  return Object.entries(tags).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
}

function readPair(tag: unknown): [string, string][] {
  if (!isObject(tag)) return [];
  const [key, value] = [tag.Key ?? tag.key ?? tag.TagKey, tag.Value ?? tag.value ?? tag.TagValue ?? ''];
  return typeof key === 'string' && typeof value === 'string' ? [[key, value]] : [];
}
