/** Parsers of packages. Loading this file takes milliseconds, so hosts load it only when a plan needs it. */
import { gunzipSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import { parseAllDocuments } from 'yaml';
import type { JsonValue } from '../model/result.ts';
import type { DocumentParsers } from './types.ts';

/** YAML expands aliases, so a few lines could otherwise become gigabytes. */
const MAX_ALIASES = 100;
const MAX_DOCUMENTS = 500;

export const documentParsers: DocumentParsers = { parseYaml, parseXml, gunzip };

function parseYaml(text: string): JsonValue[] {
  const documents = parseAllDocuments(text, { version: '1.2', strict: false, uniqueKeys: true, logLevel: 'silent' });
  if (!Array.isArray(documents)) return [];
  if (documents.length > MAX_DOCUMENTS) throw new RangeError('too many YAML documents');
  return documents.map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    // Dates and other types without a form in JSON become text.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES }) ?? null)) as JsonValue;
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
