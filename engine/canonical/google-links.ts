import type { ResourceLocation } from './resource-location.ts';

const LINK =
  /^(?:(?:https:)?\/\/([a-z0-9-]+)\.googleapis\.com\/)?(?:([a-z]+)\/)?(?:v\d[a-z0-9]*\/|beta\/|alpha\/)?(projects\/.+)$/;
const PARTIAL = /^(?:global|(?:regions|zones|locations)\/[^/]+)\/[^/]+\/[^/]+$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** Collections that all projects share: a link identifies the same member in any project. */
const SHARED = new Set(['regions', 'zones', 'machineTypes', 'diskTypes', 'acceleratorTypes']);

interface Link {
  /** The API that the link names; null for a path without one. */
  service: string | null;
  /** The path, starting with `projects/`. */
  path: string;
}

/**
 * Returns true when two texts identify the same Google resource: by a link with or without API host and version, by a
 * path, by a path within the project, or by name only. Omitted parts must be the project and location of the resource
 * that contains the name. Project numbers and project ids are not matched.
 */
export function isSameLink(before: string, after: string, location: ResourceLocation): boolean {
  const [left, right] = [readLink(before, location), readLink(after, location)];
  if (left !== null && right !== null) return isSameService(left, right) && left.path === right.path;
  if (left === null && right === null) return false;
  const [link, name] = left === null ? [right as Link, before] : [left, after];
  return NAME.test(name) && isAtLocation(link.path.split('/'), name, location);
}

/** Returns a link as a path that starts with `projects/`; null for a bare name or a path without a project. */
export function linkForm(text: string, location: ResourceLocation): string | null {
  return readLink(text, location)?.path ?? null;
}

function readLink(text: string, location: ResourceLocation): Link | null {
  if (PARTIAL.test(text))
    return location.project === null ? null : { service: null, path: `projects/${location.project}/${text}` };
  const [, host, prefix, path] = LINK.exec(text) ?? [];
  if (path === undefined || path.includes('//') || path.endsWith('/')) return null;
  return { service: host === undefined || host === 'www' ? (prefix ?? null) : host, path };
}

function isSameService(left: Link, right: Link): boolean {
  return left.service === null || right.service === null || left.service === right.service;
}

/** Returns true when a path ends with a name and its other parts match the location. */
function isAtLocation(path: string[], name: string, location: ResourceLocation): boolean {
  if (path.at(-1) !== name) return false;
  const collection = path.at(-2) as string;
  if (path[1] !== location.project && !SHARED.has(collection)) return false;
  const between = path.slice(2, -2);
  if (between.length === 0) return true;
  if (between.length === 1) return between[0] === 'global';
  if (between.length > 2) return false;
  const [kind, place] = between;
  if (kind === 'zones') return place === location.zone;
  return (kind === 'regions' || kind === 'locations') && (place === location.region || place === location.zone);
}
