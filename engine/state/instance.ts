import { readProvider } from '../changes/provider.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { findModule, readProviderSource, writeAddress } from './address.ts';
import { UnreadableError } from './errors.ts';
import { expandFlat } from './flat.ts';
import { withholdMasked, withholdPaths } from './marks.ts';
import { readIdentifiers } from './scrub.ts';
import type { StateInstance } from './types.ts';

/** The members of a resource in a state file that all its instances share. */
export interface ResourceHeader {
  module: string | null;
  mode: string;
  type: string;
  name: string;
  provider: string;
}

/** An instance whose marked values are withheld, but not yet other secrets. */
export interface MarkedInstance {
  facts: StateInstance;
  attributes: JsonObject;
  identity: JsonObject | null;
  /** The texts that were withheld. */
  marked: readonly string[];
}

/**
 * Reads one entry of `instances` of a state file (format 4).
 *
 * @throws UnreadableError if a member has the wrong type
 * @see https://github.com/hashicorp/terraform/blob/v1.11.4/internal/states/statefile/version4.go
 */
export function readFileInstance(header: ResourceHeader, entry: JsonValue): MarkedInstance {
  if (!isObject(entry)) throw new UnreadableError('it is not an object');
  const members = new Members(entry);
  const attributes = members.object('attributes') ?? expandFlat(members.requireObject('attributes_flat'));
  const marked: string[] = [];
  const sensitive_count = withholdPaths(attributes, members.value('sensitive_attributes'), (text) => marked.push(text));
  const parts = {
    module_address: header.module,
    mode: readMode(header.mode),
    type: header.type,
    name: header.name,
    index: readIndex(members.value('index_key')),
  };
  const facts: StateInstance = {
    address: writeAddress(parts),
    ...parts,
    deposed: members.text('deposed'),
    tainted: members.text('status') === 'tainted',
    ...readProvider(readProviderSource(header.provider), header.type),
    schema_version: members.number('schema_version'),
    identifiers: readIdentifiers(attributes, marked),
    dependencies: members.texts(entry['dependencies'] === undefined ? 'depends_on' : 'dependencies'),
    sensitive_count,
  };
  return { facts, attributes, identity: members.object('identity'), marked };
}

/**
 * Reads one entry of `resources` of a module in the output of `terraform show -json`.
 *
 * @throws UnreadableError if a member has the wrong type
 * @see https://developer.hashicorp.com/terraform/internals/json-format#values-representation
 */
export function readShownInstance(entry: JsonValue): MarkedInstance {
  if (!isObject(entry)) throw new UnreadableError('it is not an object');
  const members = new Members(entry);
  const attributes = members.requireObject('values');
  const marked: string[] = [];
  const sensitive_count = withholdMasked(attributes, members.value('sensitive_values'), (text) => marked.push(text));
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
    identifiers: readIdentifiers(attributes, marked),
    dependencies: members.texts('depends_on'),
    sensitive_count,
  };
  return { facts, attributes, identity: members.object('identity'), marked };
}

function readMode(mode: string): 'managed' | 'data' {
  if (mode === 'managed' || mode === 'data') return mode;
  throw new UnreadableError('its mode is neither "managed" nor "data"');
}

function readIndex(index: JsonValue): string | number | null {
  if (index === null || typeof index === 'string' || Number.isSafeInteger(index))
    return index as string | number | null;
  throw new UnreadableError('its index key is neither a text nor a whole number');
}

/** Reads members by type; absent ones are null, and a wrong type is an error. */
class Members {
  private readonly entry: JsonObject;

  constructor(entry: JsonObject) {
    this.entry = entry;
  }

  value(name: string): JsonValue {
    return Object.hasOwn(this.entry, name) ? (this.entry[name] ?? null) : null;
  }

  text(name: string): string | null {
    const value = this.value(name);
    if (value === null || typeof value === 'string') return value;
    throw new UnreadableError(`${name} is not a text`);
  }

  requireText(name: string): string {
    const text = this.text(name);
    if (text !== null) return text;
    throw new UnreadableError(`it has no ${name}`);
  }

  number(name: string): number | null {
    const value = this.value(name);
    if (value === null || typeof value === 'number') return value;
    throw new UnreadableError(`${name} is not a number`);
  }

  object(name: string): JsonObject | null {
    const value = this.value(name);
    if (value === null || isObject(value)) return value;
    throw new UnreadableError(`${name} is not an object`);
  }

  requireObject(name: string): JsonObject {
    const object = this.object(name);
    if (object !== null) return object;
    throw new UnreadableError(`it has no ${name.replace('_flat', '')}`);
  }

  texts(name: string): string[] {
    const value = this.value(name);
    if (value === null) return [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    throw new UnreadableError(`${name} is not a list of texts`);
  }
}
