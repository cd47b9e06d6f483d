import { createTemplateFold, type PathNode } from '../changes/path-node.ts';
import type { JsonValue } from '../result.ts';
import data from './equivalences.json' with { type: 'json' };

/** What a path may be nominated as, where nothing more needs to be said. */
const KINDS = [
  /** Letter case means nothing (enumerations, region names). */
  'case',
  /** Runs of blanks mean nothing (XML documents, SSH keys). */
  'space',
  /** An optional block: one of nothing but empty members is the same as none. */
  'block',
  /** An access policy document of AWS: equal by meaning, not by text. */
  'policy',
  /** An access policy document of Google. */
  'bindings',
  /** A pattern that events of AWS are matched with. */
  'pattern',
  /** The columns of a BigQuery table: a mode that is not written is NULLABLE. */
  'table_schema',
  /** A filter or query: blanks between its words mean nothing. */
  'expression',
  'yaml',
  /** A date with its time, or a time of day. */
  'time',
  'time_zone',
  /** A length of time with its unit. */
  'duration',
  /** How often an AWS schedule fires. */
  'rate',
  /** A weekly or daily window of AWS. */
  'window',
  /** An IPv6 address or block. */
  'address',
  /** A block of addresses. */
  'cidr',
  /** A port, or a range of ports. */
  'ports',
  /** A protocol by name or number. */
  'protocol',
  /** A host or zone name. */
  'host',
  /** A value of a DNS record. */
  'record',
  /** The address of a service: scheme, host and port. */
  'endpoint',
  /** A region by its name or as it is displayed. */
  'region',
  /** The id of an Azure resource or principal. */
  'arm_id',
  /** An AWS object by ARN or by name. */
  'arn',
  /** A Google resource by link, path or name. */
  'link',
  /** A member of a Google policy. */
  'member',
  /** A quantity of Kubernetes. */
  'quantity',
] as const;

type Kind = (typeof KINDS)[number];

/**
 * What the provider's own source declares of one attribute. It nominates the path only: whether the two values at hand
 * are equal is decided by looking at them.
 */
export type EquivalenceHint =
  | { kind: Kind }
  /** The service fills in `value` where the configuration names nothing. */
  | { kind: 'default'; value: JsonValue };

export interface TypeHints {
  /** By path without indexes. */
  paths: ReadonlyMap<string, EquivalenceHint>;
  /** Paths of lists that the service keeps as sets. */
  sets: ReadonlySet<string>;
  /** What the provider means by a name wherever it stands. */
  names: NameHints;
}

interface NameHints {
  hints: ReadonlyMap<string, EquivalenceHint>;
  sets: ReadonlySet<string>;
}

/** One kind's paths by resource type, or its names by provider. */
type Section = Record<string, string[]>;
type Defaults = Record<string, Record<string, JsonValue>>;

const NO_PATHS: ReadonlyMap<string, EquivalenceHint> = new Map();
const NO_SETS: ReadonlySet<string> = new Set();
/** A plan names tens of types, which are read when they are asked for; a process that is fed made-up ones starts over. */
const MAX_KEPT = 5_000;
const hintsByType = new Map<string, TypeHints | undefined>();
const hintsByProvider = new Map<string, TypeHints>();

/** The nominated paths of a resource type, or undefined for the types of providers that nothing is known of. */
export function findTypeHints(type: string): TypeHints | undefined {
  const known = hintsByType.get(type);
  if (known !== undefined || hintsByType.has(type)) return known;
  if (hintsByType.size >= MAX_KEPT) hintsByType.clear();
  const found = readType(type) ?? findProviderHints(extractProvider(type));
  hintsByType.set(type, found);
  return found;
}

/** What the names on the way to a place nominate it as. */
interface PathHint {
  /** The names with dots between them. */
  path: string;
  /** The last of them. */
  name: string;
  /** Of the place itself or of the innermost optional block that holds it. */
  found: EquivalenceHint | null;
  by_name: EquivalenceHint | null;
  /** The last segment is a name, and not the index of an item. */
  is_name: boolean;
  /** Keys of a user's own map: one has been passed, and nothing is known below a second name. */
  in_map: boolean;
  beyond: boolean;
  /** The outermost set that holds the place or is it; a depth of 0 where none does. */
  set: { depth: number; path: string };
  depth: number;
}

const NO_SET = { depth: 0, path: '' };
const ROOT_HINT: PathHint = {
  path: '',
  name: '',
  found: null,
  by_name: null,
  is_name: false,
  in_map: false,
  beyond: false,
  set: NO_SET,
  depth: 0,
};
/** No path of a schema is longer; what lies below is not looked up. */
const MAX_PATH = 512;
/** No schema nests as deep; what lies below is what stands there. */
const MAX_LEVELS = 64;

/** A path with one more name; one that is too long to be looked up stays as it is. */
export function extendNames(path: string, name: string): string {
  if (path.length > MAX_PATH) return path;
  return path === '' ? name : `${path}.${name}`;
}

/** Looks up nominations of places in one resource. */
export function createHintFinder(hints: TypeHints): {
  /** The nomination of the attribute itself or of the innermost optional block that holds it. */
  findHint(node: PathNode): EquivalenceHint | null;
  /** Where the outermost set begins that holds a leaf or is it: how many segments lead to it, or 0 where none does. */
  findSet(node: PathNode): { depth: number; path: string };
} {
  const resolveHint = createTemplateFold<PathHint>(ROOT_HINT, (parent, name) => {
    if (parent.depth >= MAX_LEVELS) return parent;
    return name === null ? { ...parent, is_name: false, depth: parent.depth + 1 } : extendHint(hints, parent, name);
  });
  return {
    findHint({ template: form }) {
      const { found, by_name } = resolveHint(form);
      return found ?? by_name;
    },
    findSet: ({ template: form }) => resolveHint(form).set,
  };
}

function extendHint(hints: TypeHints, parent: PathHint, name: string): PathHint {
  const { names, paths } = hints;
  const path = extendNames(parent.path, name);
  const depth = parent.depth + 1;
  const own = path.length > MAX_PATH ? undefined : paths.get(path);
  const beyond = parent.beyond || parent.in_map;
  const in_map = parent.depth > 0 && parent.is_name;
  const is_set = parent.set.depth === 0 && !in_map && !beyond && path.length <= MAX_PATH && isSetAt(hints, path);
  return {
    path,
    name,
    found: own ?? (parent.found?.kind === 'block' ? parent.found : null),
    by_name: beyond ? null : findHintByName(names, in_map ? `${parent.name}.*` : name, in_map),
    is_name: true,
    in_map,
    beyond,
    set: is_set ? { depth, path } : parent.set,
    depth,
  };
}

/** Names are those of the schema: of an attribute, or one of a block in a list, but no key of a user's map. */
function findHintByName(names: NameHints, name: string, in_map: boolean): EquivalenceHint | null {
  return in_map ? (names.hints.get(name) ?? null) : matchNameHint(names, name);
}

/** The nomination of an attribute of a block, by its path or its name. */
export function findHintAt({ paths, names }: TypeHints, path: string): EquivalenceHint | null {
  return paths.get(path) ?? matchNameHint(names, path.slice(path.lastIndexOf('.') + 1));
}

export function isSetAt({ sets, names }: TypeHints, path: string): boolean {
  return sets.has(path) || names.sets.has(path.slice(path.lastIndexOf('.') + 1));
}

/** By the whole name, else by its last word: `*_id`. */
function matchNameHint({ hints }: NameHints, name: string): EquivalenceHint | null {
  return hints.get(name) ?? hints.get(`*_${name.slice(name.lastIndexOf('_') + 1)}`) ?? null;
}

function extractProvider(type: string): string {
  return type.slice(0, type.indexOf('_'));
}

/** What the names of a provider mean, for the types of which no more is known. */
function findProviderHints(provider: string): TypeHints | undefined {
  const known = hintsByProvider.get(provider);
  if (known !== undefined || !Object.hasOwn(data.names, provider)) return known;
  const made = {
    paths: NO_PATHS,
    sets: NO_SETS,
    names: readNames((data.names as Record<string, NameData>)[provider]!),
  };
  hintsByProvider.set(provider, made);
  return made;
}

type NameData = { [kind in Kind | 'order']?: string[] } & { default?: Record<string, JsonValue> };

function readNames({ order, default: defaults, ...kinds }: NameData): NameHints {
  const hints = new Map<string, EquivalenceHint>();
  for (const kind of KINDS) for (const name of kinds[kind] ?? []) hints.set(name, { kind });
  for (const [name, value] of Object.entries(defaults ?? {})) hints.set(name, { kind: 'default', value });
  return { hints, sets: new Set(order) };
}

/** undefined where the data does not name the type */
function readType(type: string): TypeHints | undefined {
  const sections: { [kind in Kind]?: Section } = data;
  const defaults = own(data.default as Defaults, type);
  const sets = own(data.order as Section, type);
  const paths = new Map<string, EquivalenceHint>();
  for (const kind of KINDS) for (const path of own(sections[kind] ?? {}, type) ?? []) paths.set(path, { kind });
  for (const [path, value] of Object.entries(defaults ?? {})) paths.set(path, { kind: 'default', value });
  if (paths.size === 0 && sets === undefined) return undefined;
  const names = findProviderHints(extractProvider(type))?.names ?? { hints: NO_PATHS, sets: NO_SETS };
  return { paths, sets: new Set(sets), names };
}

/** Types come from plans: one may be called as what every object inherits. */
function own<Value>(section: Record<string, Value>, type: string): Value | undefined {
  return Object.hasOwn(section, type) ? section[type] : undefined;
}
