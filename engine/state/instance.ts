import { readProvider } from '../changes/provider.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { findModule, readProviderSource, writeAddress } from './address.ts';
import { UnreadableError } from './errors.ts';
import { expandFlat } from './flat.ts';
import { checkMask, countMarks, readPaths, withholdMasked, withholdPath } from './marks.ts';
import { type Entry, Members } from './members.ts';
import type { StateInstance } from './types.ts';

/** The members of a resource in a state file that all its instances share. */
export interface ResourceHeader {
  module: string | null;
  mode: string;
  type: string;
  name: string;
  provider: string;
}

/** Attributes in which marked values are withheld, but not yet other secrets. */
export interface MarkedValues {
  attributes: JsonObject;
  /** The texts that were withheld. */
  marked: readonly string[];
}

export interface ReadInstance {
  facts: StateInstance;
  identity: JsonObject | null;
  /** Parses the attributes. Call it at most once. */
  readMarked(): MarkedValues;
}

/** How one of the two formats records an instance. */
export interface InstanceFormat {
  /** The member with the attributes. */
  values: string;
  /** The other members that are read. */
  members: ReadonlySet<string>;
  /**
   * @param readAttributes null if there are none
   * @throws UnreadableError if a member has the wrong type
   */
  read(entry: Entry, readAttributes: (() => JsonObject) | null): ReadInstance;
}

const FILE_MEMBERS: ReadonlySet<string> = new Set([
  ...['index_key', 'status', 'deposed', 'schema_version', 'attributes_flat', 'sensitive_attributes'],
  ...['identity', 'dependencies', 'depends_on'],
]);

/**
 * An entry of `instances` of a state file (format 4).
 *
 * @see https://github.com/hashicorp/terraform/blob/v1.11.4/internal/states/statefile/version4.go
 */
export function createFileFormat(header: ResourceHeader): InstanceFormat {
  const provider = readProvider(readProviderSource(header.provider), header.type);

  function read(entry: Entry, readAttributes: (() => JsonObject) | null): ReadInstance {
    const members = new Members(entry);
    const readAny = readAttributes ?? readFlat(members);
    const paths = readPaths(members.value('sensitive_attributes'));
    const { type, name } = header;
    const parts = {
      module_address: header.module,
      mode: readMode(header.mode),
      type,
      name,
      index: readIndex(members.value('index_key')),
    };
    const facts: StateInstance = {
      address: writeAddress(parts),
      ...parts,
      deposed: members.text('deposed'),
      tainted: members.text('status') === 'tainted',
      ...provider,
      schema_version: members.number('schema_version'),
      dependencies: members.texts(members.value('dependencies') === null ? 'depends_on' : 'dependencies'),
      sensitive_count: paths.length,
    };
    return { facts, identity: members.object('identity'), readMarked: () => withholdAll(readAny(), paths) };
  }

  return { values: 'attributes', members: FILE_MEMBERS, read };
}

function readFlat(members: Members): () => JsonObject {
  members.object('attributes');
  const flat = members.object('attributes_flat');
  if (flat === null) throw new UnreadableError('it has no attributes');
  const attributes = expandFlat(flat);
  return () => attributes;
}

function withholdAll(attributes: JsonObject, paths: ReturnType<typeof readPaths>): MarkedValues {
  const marked: string[] = [];
  for (const path of paths) withholdPath(attributes, path, (text) => marked.push(text));
  return { attributes, marked };
}

const SHOWN_MEMBERS: ReadonlySet<string> = new Set([
  ...['address', 'mode', 'type', 'name', 'index', 'provider_name', 'schema_version', 'sensitive_values', 'depends_on'],
  ...['tainted', 'deposed_key', 'identity'],
]);

/**
 * An entry of `resources` of a module in the output of `terraform show -json`.
 *
 * @see https://developer.hashicorp.com/terraform/internals/json-format#values-representation
 */
export const SHOWN_FORMAT: InstanceFormat = {
  values: 'values',
  members: SHOWN_MEMBERS,
  read(entry, readAttributes) {
    const members = new Members(entry);
    members.object('values');
    if (readAttributes === null) throw new UnreadableError('it has no values');
    const mask = checkMask(members.value('sensitive_values'));
    const address = members.requireText('address');
    const type = members.requireText('type');
    const facts: StateInstance = {
      address,
      module_address: findModule(address),
      mode: readMode(members.requireText('mode')),
      type,
      name: members.requireText('name'),
      index: readIndex(members.value('index')),
      deposed: members.text('deposed_key'),
      tainted: members.value('tainted') === true,
      ...readProvider(members.text('provider_name') ?? undefined, type),
      schema_version: members.number('schema_version'),
      dependencies: members.texts('depends_on'),
      sensitive_count: countMarks(mask),
    };
    const readMarked = () => {
      const attributes = readAttributes();
      const marked: string[] = [];
      withholdMasked(attributes, mask, (text) => marked.push(text));
      return { attributes, marked };
    };
    return { facts, identity: members.object('identity'), readMarked };
  },
};

function readMode(mode: string): 'managed' | 'data' {
  if (mode === 'managed' || mode === 'data') return mode;
  throw new UnreadableError('its mode is neither "managed" nor "data"');
}

function readIndex(index: JsonValue): string | number | null {
  if (index === null || typeof index === 'string') return index;
  if (typeof index === 'number' && Number.isSafeInteger(index)) return index;
  throw new UnreadableError('its index key is neither a text nor a whole number');
}
