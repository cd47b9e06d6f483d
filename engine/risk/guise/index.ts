/** Types that say nothing by their name: what they are stands in their values. */
import { diffValues } from '../../changes/diff.ts';
import { createPathTree, createTouchTest } from '../../changes/path-tree.ts';
import { placeOf } from '../../changes/place.ts';
import type { ResourceChange } from '../../changes/types.ts';
import type { Mask } from '../../plan/types.ts';
import type { AttributeDiff, JsonObject, JsonValue } from '../../result.ts';
import { ofCloudControl } from './aws.ts';
import { ofResource } from './azure.ts';
import { ofManifest, ofYaml } from './kubernetes.ts';
import { isObject } from './names.ts';
import type { Nature } from './types.ts';

type Path = readonly (string | number)[];

/** A change in the form by which the rules know it. */
export interface Revealed {
  change: ResourceChange;
  /** Where a path of that form stands in the plan. */
  origin(path: Path): Path;
}

const GENERAL = new Map<string, (before: JsonObject | null, after: JsonObject | null) => Nature | null>([
  ['kubernetes_manifest', ofManifest],
  ['kubectl_manifest', ofYaml],
  ['azapi_resource', ofResource],
  ['azapi_update_resource', ofResource],
]);

/** What a change really changes; null for the many types whose name says it. */
export function reveal(change: ResourceChange): Revealed | null {
  const { type } = change;
  if (change.mode === 'data' || !(GENERAL.has(type) || type.startsWith('awscc_'))) return null;
  const known = kept.get(change);
  if (known !== undefined) return known;
  const revealed = look(change);
  kept.set(change, revealed);
  return revealed;
}

/** A change is asked for more than once; a text is read once. */
const kept = new WeakMap<ResourceChange, Revealed | null>();

function look(change: ResourceChange): Revealed | null {
  const { type, before, after } = change;
  const nature = type.startsWith('awscc_') ? ofCloudControl(type) : (GENERAL.get(type)?.(before, after) ?? null);
  if (nature === null) return null;
  return { change: translated(change, nature), origin: createOrigin(after ?? before, nature) };
}

function translated(change: ResourceChange, nature: Nature): ResourceChange {
  const side = (value: JsonObject | null): JsonObject | null => (value === null ? null : nature.translate(value));
  const mask = (value: Mask): Mask => {
    if (holdsWhole(value, nature.prefix)) return true;
    if (nature.opaque) return false;
    return isObject(value as JsonValue) ? (nature.translate(value as unknown as JsonObject) as unknown as Mask) : value;
  };
  const seen: ResourceChange = {
    ...change,
    type: nature.type,
    before: side(change.before),
    after: side(change.after),
    unknown: mask(change.unknown),
    before_sensitive: mask(change.before_sensitive),
    after_sensitive: mask(change.after_sensitive),
    diffs: [],
  };
  // What forces a replacement, and what stays as it is, is said of the resource as the plan writes it.
  if (change.diffs.length > 0) seen.diffs = diffValues({ ...seen, replace_paths: [] });
  return seen;
}

/** True when a mask marks all that lies under a path, or something above it. */
function holdsWhole(mask: Mask, path: Path): boolean {
  let here: Mask | undefined = mask;
  for (const name of path) {
    if (here === true) return true;
    here = isObject(here as JsonValue) ? (here as unknown as Record<string, Mask>)[name] : undefined;
  }
  return here === true;
}

/**
 * Where a path of the translated form stands in the plan, as far as the plan's own values show it; the rest exists in that
 * form alone.
 */
function createOrigin(side: JsonObject | null, { prefix, nameOf }: Nature): (path: Path) => Path {
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
      const key = stepOf(here, segment);
      if (key === undefined) continue;
      out.push(key);
      here = (here as JsonObject)[key];
    }
    return out;
  };

  /** The member of a value that a segment of the translated path means. */
  function stepOf(here: JsonValue | undefined, segment: string | number): string | number | undefined {
    if (Array.isArray(here)) return typeof segment === 'number' && segment < here.length ? segment : undefined;
    return isObject(here) && typeof segment === 'string' ? namesIn(here).get(segment) : undefined;
  }

  /** The members of an object by the names they are translated to, and by their own; of two the first. */
  function namesIn(object: JsonObject): ReadonlyMap<string, string> {
    let known = names.get(object);
    if (known === undefined) {
      const found = new Map<string, string>();
      for (const name of Object.keys(object)) {
        for (const said of [name, nameOf(name)]) if (!found.has(said)) found.set(said, name);
      }
      known = found;
      names.set(object, known);
    }
    return known;
  }
}

/** Tells the plan's own leaves what was found of them in the other form. */
export function conclude(change: ResourceChange, { change: seen, origin }: Revealed): void {
  const found = seen.diffs.filter(({ direction }) => direction !== 'neutral');
  if (found.length === 0) return;
  const pathsOf = (direction: AttributeDiff['direction']) =>
    found.filter((diff) => diff.direction === direction).map(({ path_segments }) => origin(path_segments));
  const isWeaker = createTouchTest(createPathTree(pathsOf('weakening')));
  const isStronger =
    seen.diffs.length === found.length ? createTouchTest(createPathTree(pathsOf('strengthening'))) : () => false;
  for (const diff of change.diffs) {
    const place = placeOf(diff);
    if (isWeaker(place)) diff.direction = 'weakening';
    else if (isStronger(place)) diff.direction = 'strengthening';
  }
}
