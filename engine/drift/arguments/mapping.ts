/** Where a cloud keeps the arguments of a Terraform type, as data. */
import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import aws from '../data/aws-arguments.json' with { type: 'json' };
import azure from '../data/azure-arguments.json' with { type: 'json' };
import gcp from '../data/gcp-arguments.json' with { type: 'json' };

/** A value at a path, in the notation `Path[!][ = default][ | transform]…`. */
export interface LeafSpec {
  kind: 'leaf';
  path: string;
  transforms: readonly string[];
  /** `!`: where all properties are shown, a missing one means that nothing is set. A default does, too. */
  is_always_shown: boolean;
  /** What the cloud uses where nothing is set. */
  fallback: JsonValue;
}

/** Nested blocks: one at most (`$block`) or one for each item of a list (`$each`). */
export interface BlockSpec {
  kind: 'block' | 'each';
  path: string;
  is_always_shown: boolean;
  /** The argument that identifies a block among its siblings; null if they are compared as a set. */
  key: string | null;
  members: ReadonlyMap<string, Spec>;
}

export type Spec = LeafSpec | BlockSpec;
export type Mapping = ReadonlyMap<string, Spec>;

const compiled = new Map<string, Mapping>();

/** The mapping of a Terraform type; undefined if there is none. */
export function findMapping(type: string): Mapping | undefined {
  const known = compiled.get(type);
  if (known !== undefined) return known;
  const made = readMapping(type);
  if (made !== undefined) compiled.set(type, made);
  return made;
}

/** Every Terraform type with a mapping, sorted. */
export function listMappedTypes(): string[] {
  return [aws, gcp, azure].flatMap((types) => Object.keys(types)).sort();
}

function readMapping(type: string): Mapping | undefined {
  for (const types of [aws, gcp, azure] as unknown as JsonObject[]) {
    const found = Object.hasOwn(types, type) ? types[type] : undefined;
    if (isObject(found)) return compileMembers(found);
  }
  return undefined;
}

function compileMembers(members: JsonObject): Mapping {
  const named = Object.entries(members).filter(([name]) => !name.startsWith('$'));
  return new Map(named.map(([name, spec]) => [name, compileSpec(spec)]));
}

function compileSpec(spec: JsonValue): Spec {
  if (!isObject(spec)) return compileLeaf(String(spec));
  const kind = Object.hasOwn(spec, '$each') ? 'each' : 'block';
  const { path, is_always_shown } = compileLeaf(String(spec[`$${kind}`]));
  const key = typeof spec['$key'] === 'string' ? spec['$key'] : null;
  return { kind, path, is_always_shown, key, members: compileMembers(spec) };
}

function compileLeaf(text: string): LeafSpec {
  const [source = '', ...transforms] = text.split(' | ');
  const [shown = '', fallback] = source.split(' = ');
  const path = shown.endsWith('!') ? shown.slice(0, -1) : shown;
  const is_always_shown = shown.endsWith('!') || fallback !== undefined;
  return {
    kind: 'leaf',
    path,
    transforms,
    is_always_shown,
    fallback: fallback === undefined ? null : (JSON.parse(fallback) as JsonValue),
  };
}
