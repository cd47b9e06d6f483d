/** Parsers of packages. Loading this file takes milliseconds, so hosts load it only when a plan needs it. */
import { gunzipSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import { isMap, isScalar, parseAllDocuments, Scalar, visit, type Document as YamlDocument } from 'yaml';
import type { JsonValue } from '../model/result.ts';
import type { DocumentParsers } from './types.ts';
import { assertParsable } from './yaml-limits.ts';

/** YAML expands aliases, so a few lines could otherwise become gigabytes. */
const MAX_ALIASES = 100;

export const documentParsers: DocumentParsers = { parseYaml, parseXml, gunzip };

function parseYaml(text: string): JsonValue[] {
  assertParsable(text);
  const documents = parseAllDocuments(text, { version: '1.2', strict: false, uniqueKeys: false, logLevel: 'silent' });
  if (!Array.isArray(documents)) return [];
  return documents.map((document) => {
    const [error] = document.errors;
    // The parser reports a stack that is too deep as an error of the text.
    if (error?.code === 'RESOURCE_EXHAUSTION') throw new RangeError(error.message);
    if (error !== undefined) throw error;
    assertUniqueKeys(document);
    readOldBooleans(document);
    // Dates and other types without a form in JSON become text.
    return JSON.parse(JSON.stringify(expand(document) ?? null)) as JsonValue;
  });
}

function expand(document: YamlDocument): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (error instanceof ReferenceError && error.message.startsWith('Excessive')) throw new RangeError(error.message);
    throw error;
  }
}

/**
 * Rejects maps in which a key occurs twice. The parser compares each key with each other one of its map, which takes
 * minutes for a text of 1 MiB.
 *
 * @throws SyntaxError
 */
function assertUniqueKeys(document: YamlDocument.Parsed): void {
  visit(document, {
    Map(_, map) {
      if (!isMap(map) || map.items.length < 2) return;
      const known = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key) || Number.isNaN(key.value)) continue;
        if (known.has(key.value)) throw new SyntaxError('a YAML map has a key twice');
        known.add(key.value);
      }
    },
  });
}

const OLD_BOOLEAN = /^(?:yes|on|no|off)$/i;
const OLD_TRUE = /^(?:yes|on)$/i;

/** Most tools read YAML 1.1, in which a plain `no` or `off` is false, also in a list of countries. Keys stay texts. */
function readOldBooleans(document: YamlDocument.Parsed): void {
  visit(document, {
    Scalar(key, node) {
      const { value } = node;
      if (key === 'key' || node.type !== Scalar.PLAIN || typeof value !== 'string' || !OLD_BOOLEAN.test(value)) return;
      node.value = OLD_TRUE.test(value);
    },
  });
}

const ATTRIBUTES = ':@';
const TEXT = '#text';

/** One element, as the parser returns it: its only other member has the name of the element and its children. */
type Element = Record<string, unknown>;

const xml = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  processEntities: false,
  parseTagValue: false,
  trimValues: true,
});

function parseXml(text: string): string[] {
  const statements: string[] = [];
  flatten(xml.parse(text) as Element[], '', statements);
  return statements;
}

function flatten(elements: Element[], parent: string, statements: string[]): void {
  for (const element of elements) {
    if (TEXT in element) {
      statements.push(`${parent} = ${String(element[TEXT]).replace(/\s+/g, ' ')}`);
      continue;
    }
    const name = Object.keys(element).find((key) => key !== ATTRIBUTES);
    if (name === undefined || name.startsWith('?')) continue;
    const path = parent === '' ? name : `${parent}/${name}`;
    statements.push(`${path}${formatAttributes(element[ATTRIBUTES])}`);
    flatten((element[name] ?? []) as Element[], path, statements);
  }
}

function formatAttributes(attributes: unknown): string {
  if (typeof attributes !== 'object' || attributes === null) return '';
  const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, value]) => ` ${name}="${String(value)}"`).join('');
}

function gunzip(bytes: Uint8Array, max_bytes: number): Uint8Array {
  return gunzipSync(bytes, { maxOutputLength: max_bytes });
}
