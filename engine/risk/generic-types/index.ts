/** Generic resource types, whose actual type is in their values. */
import { diffValues } from '../../changes/diff.ts';
import { toPathNode } from '../../changes/path-node.ts';
import { createPathTree, createTouchTest } from '../../changes/path-tree.ts';
import type { ResourceChange } from '../../changes/types.ts';
import { isObject } from '../../lib/is-object.ts';
import type { AttributeDiff, JsonObject, JsonValue } from '../../model/result.ts';
import type { Mask } from '../../plan/types.ts';
import { mapCloudControl } from './aws.ts';
import { mapAzureResource } from './azure.ts';
import { mapManifest, mapYamlManifest } from './kubernetes.ts';
import type { TypeMapping } from './types.ts';

type Path = readonly (string | number)[];

/** A change that was translated to the type and attributes that rules know. */
export interface Unwrapped {
  change: ResourceChange;
  /** Maps a path of the translated change to its path in the plan. */
  toPlanPath(path: Path): Path;
}

const GENERIC_TYPES = new Map<string, (before: JsonObject | null, after: JsonObject | null) => TypeMapping | null>([
  ['kubernetes_manifest', mapManifest],
  ['kubectl_manifest', mapYamlManifest],
  ['azapi_resource', mapAzureResource],
  ['azapi_update_resource', mapAzureResource],
]);

/** Translates a change of a generic type; null for every other type. */
export function unwrap(change: ResourceChange): Unwrapped | null {
  const { type } = change;
  if (change.mode === 'data' || !(GENERIC_TYPES.has(type) || type.startsWith('awscc_'))) return null;
  const known = cache.get(change);
  if (known !== undefined) return known;
  const unwrapped = unwrapChange(change);
  cache.set(change, unwrapped);
  return unwrapped;
}

/** Caches translations, because each change is requested several times. */
const cache = new WeakMap<ResourceChange, Unwrapped | null>();

function unwrapChange(change: ResourceChange): Unwrapped | null {
  const { type, before, after } = change;
  const mapping = type.startsWith('awscc_')
    ? mapCloudControl(type)
    : (GENERIC_TYPES.get(type)?.(before, after) ?? null);
  if (mapping === null) return null;
  return { change: translateChange(change, mapping), toPlanPath: createPathMapper(after ?? before, mapping) };
}

function translateChange(change: ResourceChange, mapping: TypeMapping): ResourceChange {
  const side = (value: JsonObject | null): JsonObject | null => (value === null ? null : mapping.translate(value));
  const mask = (value: Mask): Mask => {
    if (holdsWhole(value, mapping.prefix)) return true;
    if (mapping.opaque) return false;
    return isObject(value as JsonValue)
      ? (mapping.translate(value as unknown as JsonObject) as unknown as Mask)
      : value;
  };
  const result: ResourceChange = {
    ...change,
    type: mapping.type,
    before: side(change.before),
    after: side(change.after),
    unknown: mask(change.unknown),
    before_sensitive: mask(change.before_sensitive),
    after_sensitive: mask(change.after_sensitive),
    diffs: [],
  };
  // Replace paths refer to the original attributes, so the translated change has none.
  if (change.diffs.length > 0) result.diffs = diffValues({ ...result, replace_paths: [] });
  return result;
}

/** Returns true when a mask marks everything below a path, or a parent of it. */
function holdsWhole(mask: Mask, path: Path): boolean {
  let here: Mask | undefined = mask;
  for (const name of path) {
    if (here === true) return true;
    here = isObject(here as JsonValue) ? (here as unknown as Record<string, Mask>)[name] : undefined;
  }
  return here === true;
}

/**
 * Returns a function that maps a translated path to its path in the plan. Segments that exist only in the translated
 * change are skipped.
 */
function createPathMapper(
  side: JsonObject | null,
  { prefix, translateName: nameOf }: TypeMapping,
): (path: Path) => Path {
  const names = new WeakMap<JsonObject, ReadonlyMap<string, string>>();
  return (path) => {
    const out: (string | number)[] = [];
    let here: JsonValue | undefined = side ?? undefined;
    for (const name of prefix) {
      here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
      if (here === undefined) return out;
      out.push(name);
    }
    for (const segment of path) {
      const key = findMember(here, segment);
      if (key === undefined) continue;
      out.push(key);
      here = (here as JsonObject)[key];
    }
    return out;
  };

  /** Returns the member of a value for a segment of the translated path. */
  function findMember(here: JsonValue | undefined, segment: string | number): string | number | undefined {
    if (Array.isArray(here)) return typeof segment === 'number' && segment < here.length ? segment : undefined;
    return isObject(here) && typeof segment === 'string' ? indexNames(here).get(segment) : undefined;
  }

  /** Indexes the members of an object by their translated and original names. The first member wins. */
  function indexNames(object: JsonObject): ReadonlyMap<string, string> {
    let known = names.get(object);
    if (known === undefined) {
      const found = new Map<string, string>();
      for (const name of Object.keys(object)) {
        for (const alias of [name, nameOf(name)]) if (!found.has(alias)) found.set(alias, name);
      }
      known = found;
      names.set(object, known);
    }
    return known;
  }
}

/** Copies the directions of the translated diffs to the diffs of the original change. */
export function copyDirections(change: ResourceChange, { change: unwrapped, toPlanPath: origin }: Unwrapped): void {
  const found = unwrapped.diffs.filter(({ direction }) => direction !== 'neutral');
  if (found.length === 0) return;
  const collectPaths = (direction: AttributeDiff['direction']) =>
    found.filter((diff) => diff.direction === direction).map(({ path_segments }) => origin(path_segments));
  const isWeaker = createTouchTest(createPathTree(collectPaths('weakening')));
  const isStronger =
    unwrapped.diffs.length === found.length
      ? createTouchTest(createPathTree(collectPaths('strengthening')))
      : () => false;
  for (const diff of change.diffs) {
    const node = toPathNode(diff);
    if (isWeaker(node)) diff.direction = 'weakening';
    else if (isStronger(node)) diff.direction = 'strengthening';
  }
}
