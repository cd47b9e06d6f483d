import { createTemplateFold, type PathNode } from '../changes/path-node.ts';
import type { JsonValue } from '../model/result.ts';
import data from './equivalences.json' with { type: 'json' };
import { findSchemaSets } from './schema-sets.ts';

/** Kinds of equivalence without parameters. */
const KINDS = [
  /** Case-insensitive (enumerations, region names). */
  'case',
  /** Whitespace is not significant (XML documents, SSH keys). */
  'space',
  /** An optional block: a block with only empty members is the same as no block. */
  'block',
  /** An AWS access policy document, compared by meaning. */
  'policy',
  /** A Google access policy document. */
  'bindings',
  /** An AWS event pattern. */
  'pattern',
  /** The columns of a BigQuery table; the default mode is NULLABLE. */
  'table_schema',
  /** A state machine in the Amazon States Language. */
  'state_machine',
  /** Container definitions of ECS. */
  'containers',
  /** The same where each task has a network interface of its own. */
  'containers_awsvpc',
  /** Code, without comments and white space that its language does not read. */
  'hcl',
  /** A policy whose blocks, arguments and lists have no order. */
  'policy_blocks',
  /** A job of Nomad, whose arguments have no order. */
  'job',
  'azure_policy',
  /** A document that the service stores with members of its own, such as a version. */
  'stored_document',
  /** A query of New Relic, whose clauses have no order. */
  'nrql',
  /** A filter of Cloud Logging, in which a line break joins two comparisons like AND. */
  'log_filter',
  /** A pattern of log events in braces. */
  'log_pattern',
  /** A value of an organization policy, with or without the prefix of exact values. */
  'policy_value',
  'chart_version',
  'rego',
  'kql',
  'vcl',
  'sql',
  'cel',
  /** A query of metrics, in which spaces around signs have no meaning. */
  'metric_query',
  /** A number in a text. */
  'number',
  'corefile',
  /** A filter or query; whitespace between terms is not significant. */
  'expression',
  /** A boolean condition; parentheses around its parts are not significant, either. */
  'condition',
  'yaml',
  /** A date with its time, or a time of day. */
  'time',
  'time_zone',
  /** A duration with its unit. */
  'duration',
  /** The rate of an AWS schedule. */
  'rate',
  /** A weekly or daily AWS time window. */
  'window',
  /** An IPv6 address or block. */
  'address',
  /** A CIDR block. */
  'cidr',
  /** A port, or a range of ports. */
  'ports',
  /** A protocol by name or number. */
  'protocol',
  /** A host name or DNS zone name. */
  'host',
  /** A value of a DNS record. */
  'record',
  /** The same where the quotes around a text are optional. */
  'quoted_record',
  /** A name in a database that is in upper case unless it is quoted. */
  'identifier',
  /** An email address that receives messages. */
  'email',
  /** The address of a service: scheme, host and port. */
  'endpoint',
  /** A region by its name or display name. */
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
  /** A size in binary units; other texts are compared as they are. */
  'size',
] as const;

type Kind = (typeof KINDS)[number];

/**
 * How values of one attribute may be compared, from the source code of the provider. Whether two values are equal is
 * decided from the values.
 */
export type EquivalenceHint =
  | { kind: Kind }
  /** The service uses `value` if the configuration sets none. */
  | { kind: 'default'; value: JsonValue };

export interface TypeHints {
  /** By path without indexes. */
  paths: ReadonlyMap<string, EquivalenceHint>;
  /** Paths of lists that the service treats as sets. */
  sets: ReadonlySet<string>;
  /** Hints that apply to an attribute name anywhere in the provider. */
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
/** Cache limit. Plans have tens of types; the cache is cleared if a process sees many made-up ones. */
const MAX_KEPT = 5_000;
const hintsByType = new Map<string, TypeHints | undefined>();
const hintsByProvider = new Map<string, TypeHints>();

/** Hints for a resource type, or undefined for unknown providers. */
export function findTypeHints(type: string): TypeHints | undefined {
  const known = hintsByType.get(type);
  if (known !== undefined || hintsByType.has(type)) return known;
  if (hintsByType.size >= MAX_KEPT) hintsByType.clear();
  const found = readType(type) ?? findProviderHints(extractProvider(type));
  hintsByType.set(type, found);
  return found;
}

/** Hints collected from the names along a path. */
interface PathHint {
  /** The names joined with dots. */
  path: string;
  /** The last of them. */
  name: string;
  /** Hint of the attribute itself or of the innermost optional block that contains it. */
  found: EquivalenceHint | null;
  by_name: EquivalenceHint | null;
  /** The last segment is a name, not a list index. */
  is_name: boolean;
  /** Inside a user-defined map; `beyond` is set below a second name. */
  in_map: boolean;
  beyond: boolean;
  /** The outermost set that contains or is this path; depth 0 if there is none. */
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
/** Longer paths are not looked up: no schema path is longer. */
const MAX_PATH = 512;
/** Deeper levels reuse the hint of this level: no schema nests as deep. */
const MAX_LEVELS = 64;

/** Appends a name to a path; returns paths over the limit unchanged. */
export function extendNames(path: string, name: string): string {
  if (path.length > MAX_PATH) return path;
  return path === '' ? name : `${path}.${name}`;
}

/** Looks up hints for paths in one resource. */
export function createHintFinder(hints: TypeHints): {
  /** Hint of the attribute itself or of the innermost optional block that contains it. */
  findHint(node: PathNode): EquivalenceHint | null;
  /** The outermost set that contains or is the leaf, and its depth in segments; 0 if there is none. */
  findSet(node: PathNode): { depth: number; path: string };
} {
  const resolveHint = createTemplateFold<PathHint>(
    ROOT_HINT,
    (parent, name) => {
      if (parent.depth >= MAX_LEVELS) return parent;
      return name === null ? { ...parent, is_name: false, depth: parent.depth + 1 } : extendHint(hints, parent, name);
    },
    hints,
  );
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

/** Applies to schema names of attributes and blocks, not to keys of user-defined maps. */
function findHintByName(names: NameHints, name: string, in_map: boolean): EquivalenceHint | null {
  return in_map ? (names.hints.get(name) ?? null) : matchNameHint(names, name);
}

/** Hint of an attribute of a block, by its path or its name. */
export function findHintAt({ paths, names }: TypeHints, path: string): EquivalenceHint | null {
  return paths.get(path) ?? matchNameHint(names, path.slice(path.lastIndexOf('.') + 1));
}

export function isSetAt({ sets, names }: TypeHints, path: string): boolean {
  return sets.has(path) || names.sets.has(path.slice(path.lastIndexOf('.') + 1));
}

/** Looks up the whole name, then its last word: `*_id`. */
function matchNameHint({ hints }: NameHints, name: string): EquivalenceHint | null {
  return hints.get(name) ?? hints.get(`*_${name.slice(name.lastIndexOf('_') + 1)}`) ?? null;
}

function extractProvider(type: string): string {
  return type.slice(0, type.indexOf('_'));
}

/** Name hints of a provider, for types without hints of their own. */
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

/** Returns undefined if the data does not contain the type. */
function readType(type: string): TypeHints | undefined {
  const sections: { [kind in Kind]?: Section } = data;
  const defaults = own(data.default as Defaults, type);
  const sets = [...(own(data.order as Section, type) ?? []), ...findSchemaSets(type)];
  const paths = new Map<string, EquivalenceHint>();
  for (const kind of KINDS) for (const path of own(sections[kind] ?? {}, type) ?? []) paths.set(path, { kind });
  for (const [path, value] of Object.entries(defaults ?? {})) paths.set(path, { kind: 'default', value });
  if (paths.size === 0 && sets.length === 0) return undefined;
  const names = findProviderHints(extractProvider(type))?.names ?? { hints: NO_PATHS, sets: NO_SETS };
  return { paths, sets: new Set(sets), names };
}

/** Type names come from plans and may equal an inherited property name such as `constructor`. */
function own<Value>(section: Record<string, Value>, type: string): Value | undefined {
  return Object.hasOwn(section, type) ? section[type] : undefined;
}
