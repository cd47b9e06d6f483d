import { isObject } from '../../lib/is-object.ts';
import { scrubProperties, scrubTags } from '../scrub.ts';
import type { ListedResource } from '../types.ts';

/**
 * A resource as a search result shows it; undefined if it has no name or type.
 *
 * @param row `ResourceSearchResult` of the Cloud Asset API
 * @param project_id replaces the number of the project in aliases, because a state names projects by ID
 */
export function toGoogleResource(row: unknown, project_id: string): ListedResource | undefined {
  if (!isObject(row)) return undefined;
  const { name, assetType, displayName, labels } = row;
  if (!isText(name) || !isText(assetType)) return undefined;
  const resource = findRepresentation(row['versionedResources']);
  const properties = resource ?? (isObject(row['additionalAttributes']) ? row['additionalAttributes'] : null);
  return {
    provider_resource_id: name,
    provider_type: assetType,
    region: toRegion(row['location']),
    name: toShortName(isText(displayName) ? displayName : name),
    tags: readLabels(labels),
    aliases: listAliases({ name, resource, project: row['project'], project_id }),
    properties: properties === null ? null : scrubProperties(properties),
  };
}

/** The display name of some types is their whole path. */
function toShortName(name: string): string | null {
  return /^(?:\/\/|projects\/)/.test(name) ? (name.split('/').at(-1) ?? null) : name;
}

/** The region of a zone, such as `us-central1` for `us-central1-a`; null for `global`. */
function toRegion(location: unknown): string | null {
  if (!isText(location) || location.toLowerCase() === 'global') return null;
  return location.toLowerCase().replace(/(?<=\d)-[a-z]$/, '');
}

/** During a migration there are several versions; a stable one, such as `v1`, comes before `v1beta1`. */
function findRepresentation(versions: unknown): Record<string, unknown> | null {
  const readable = Array.isArray(versions) ? versions.filter(isObject).filter((one) => isObject(one['resource'])) : [];
  const best = readable.find(({ version }) => isText(version) && !/alpha|beta/.test(version)) ?? readable[0];
  return (best?.['resource'] as Record<string, unknown> | undefined) ?? null;
}

function readLabels(labels: unknown): Record<string, string> {
  const entries = isObject(labels) ? Object.entries(labels) : [];
  return scrubTags(Object.fromEntries(entries.filter((entry): entry is [string, string] => isText(entry[1]))));
}

interface Names {
  name: string;
  resource: Record<string, unknown> | null;
  /** Such as `projects/1234567890`. */
  project: unknown;
  project_id: string;
}

/**
 * Other names of the same resource: without the host, as in most IDs of a state; its self link, with and without the
 * host; its own name, such as that of a service account with the email; and each with the ID of the project instead of
 * its number.
 */
function listAliases({ name, resource, project, project_id }: Names): string[] {
  const self_link = resource?.['selfLink'];
  const own_name = resource?.['name'];
  const names = [
    name.replace(/^\/\/[^/]+\//, ''),
    ...(isText(self_link) ? [self_link, self_link.replace(/^https?:\/\/[^/]+\//, '')] : []),
    ...(isText(own_name) && own_name.includes('/') ? [own_name] : []),
  ];
  const number = isText(project) ? `${project}/` : null;
  const with_id = number === null ? [] : [name, ...names].map((one) => one.replace(number, `projects/${project_id}/`));
  return [...new Set([...names, ...with_id])].filter((alias) => alias !== name);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
