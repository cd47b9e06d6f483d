import { createFormFact, type Place } from '../changes/place.ts';
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
export type Nomination =
  | { kind: Kind }
  /** The service fills in `value` where the configuration names nothing. */
  | { kind: 'default'; value: JsonValue };

export interface Nominations {
  /** By path without indexes. */
  paths: ReadonlyMap<string, Nomination>;
  /** Paths of lists that the service keeps as sets. */
  sets: ReadonlySet<string>;
  /** What the provider means by a name wherever it stands. */
  names: NameTable;
}

interface NameTable {
  nominations: ReadonlyMap<string, Nomination>;
  sets: ReadonlySet<string>;
}

/** One kind's paths by resource type, or its names by provider. */
type Section = Record<string, string[]>;
type Defaults = Record<string, Record<string, JsonValue>>;

const NO_PATHS: ReadonlyMap<string, Nomination> = new Map();
const NO_SETS: ReadonlySet<string> = new Set();
/** A plan names tens of types, which are read when they are asked for; a process that is fed made-up ones starts over. */
const MAX_KEPT = 5_000;
const byType = new Map<string, Nominations | undefined>();
const byProvider = new Map<string, Nominations>();

/** The nominated paths of a resource type, or undefined for the types of providers that nothing is known of. */
export function nominationsOf(type: string): Nominations | undefined {
  const known = byType.get(type);
  if (known !== undefined || byType.has(type)) return known;
  if (byType.size >= MAX_KEPT) byType.clear();
  const found = readType(type) ?? namesOf(providerOf(type));
  byType.set(type, found);
  return found;
}

/** What the names on the way to a place nominate it as. */
interface Nominated {
  /** The names with dots between them. */
  path: string;
  /** The last of them. */
  name: string;
  /** Of the place itself or of the innermost optional block that holds it. */
  found: Nomination | null;
  by_name: Nomination | null;
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
const NOWHERE: Nominated = {
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
export function createNominator(nominations: Nominations): {
  /** The nomination of the attribute itself or of the innermost optional block that holds it. */
  nominate(place: Place): Nomination | null;
  /** Where the outermost set begins that holds a leaf or is it: how many segments lead to it, or 0 where none does. */
  findSet(place: Place): { depth: number; path: string };
} {
  const factOf = createFormFact<Nominated>(NOWHERE, (above, name) => {
    if (above.depth >= MAX_LEVELS) return above;
    return name === null ? { ...above, is_name: false, depth: above.depth + 1 } : nominate(nominations, above, name);
  });
  return {
    nominate({ form }) {
      const { found, by_name } = factOf(form);
      return found ?? by_name;
    },
    findSet: ({ form }) => factOf(form).set,
  };
}

function nominate(nominations: Nominations, above: Nominated, name: string): Nominated {
  const { names, paths } = nominations;
  const path = extendNames(above.path, name);
  const depth = above.depth + 1;
  const own = path.length > MAX_PATH ? undefined : paths.get(path);
  const beyond = above.beyond || above.in_map;
  const in_map = above.depth > 0 && above.is_name;
  const is_set = above.set.depth === 0 && !in_map && !beyond && path.length <= MAX_PATH && isSetAt(nominations, path);
  return {
    path,
    name,
    found: own ?? (above.found?.kind === 'block' ? above.found : null),
    by_name: beyond ? null : nominationByName(names, in_map ? `${above.name}.*` : name, in_map),
    is_name: true,
    in_map,
    beyond,
    set: is_set ? { depth, path } : above.set,
    depth,
  };
}

/** Names are those of the schema: of an attribute, or one of a block in a list, but no key of a user's map. */
function nominationByName(names: NameTable, name: string, in_map: boolean): Nomination | null {
  return in_map ? (names.nominations.get(name) ?? null) : nominationOfName(names, name);
}

/** The nomination of an attribute of a block, by its path or its name. */
export function nominationAt({ paths, names }: Nominations, path: string): Nomination | null {
  return paths.get(path) ?? nominationOfName(names, path.slice(path.lastIndexOf('.') + 1));
}

export function isSetAt({ sets, names }: Nominations, path: string): boolean {
  return sets.has(path) || names.sets.has(path.slice(path.lastIndexOf('.') + 1));
}

/** By the whole name, else by its last word: `*_id`. */
function nominationOfName({ nominations }: NameTable, name: string): Nomination | null {
  return nominations.get(name) ?? nominations.get(`*_${name.slice(name.lastIndexOf('_') + 1)}`) ?? null;
}

function providerOf(type: string): string {
  return type.slice(0, type.indexOf('_'));
}

/** What the names of a provider mean, for the types of which no more is known. */
function namesOf(provider: string): Nominations | undefined {
  const known = byProvider.get(provider);
  if (known !== undefined || !Object.hasOwn(data.names, provider)) return known;
  const made = {
    paths: NO_PATHS,
    sets: NO_SETS,
    names: readNames((data.names as Record<string, NameData>)[provider]!),
  };
  byProvider.set(provider, made);
  return made;
}

type NameData = { [kind in Kind | 'order']?: string[] } & { default?: Record<string, JsonValue> };

function readNames({ order, default: defaults, ...kinds }: NameData): NameTable {
  const nominations = new Map<string, Nomination>();
  for (const kind of KINDS) for (const name of kinds[kind] ?? []) nominations.set(name, { kind });
  for (const [name, value] of Object.entries(defaults ?? {})) nominations.set(name, { kind: 'default', value });
  return { nominations, sets: new Set(order) };
}

/** undefined where the data does not name the type */
function readType(type: string): Nominations | undefined {
  const sections: { [kind in Kind]?: Section } = data;
  const defaults = own(data.default as Defaults, type);
  const sets = own(data.order as Section, type);
  const paths = new Map<string, Nomination>();
  for (const kind of KINDS) for (const path of own(sections[kind] ?? {}, type) ?? []) paths.set(path, { kind });
  for (const [path, value] of Object.entries(defaults ?? {})) paths.set(path, { kind: 'default', value });
  if (paths.size === 0 && sets === undefined) return undefined;
  const names = namesOf(providerOf(type))?.names ?? { nominations: NO_PATHS, sets: NO_SETS };
  return { paths, sets: new Set(sets), names };
}

/** Types come from plans: one may be called as what every object inherits. */
function own<Value>(section: Record<string, Value>, type: string): Value | undefined {
  return Object.hasOwn(section, type) ? section[type] : undefined;
}
