import { isContainer } from '../changes/values.ts';
import { isProvable, listNumbers } from '../lib/json-text.ts';
import type { JsonValue } from '../model/result.ts';
import { parseProperties } from './properties.ts';
import { decodeBase64, decodeText, isGzip, recognizeFormat } from './recognize.ts';
import { hasQuotes, isPlainShell, splitExactLines, splitLines, splitSql } from './statements.ts';
import type { Document, DocumentParsers } from './types.ts';

/** Longer texts are not read. */
export const MAX_DOCUMENT_CHARS = 1_048_576;
/** Base64 in gzip in base64: more layers do not occur. */
const MAX_LAYERS = 4;
const MAX_DEPTH = 100;
const BYTE_ORDER_MARK = '\uFEFF';
/** Both sides of a change are read for noise and again for risk. */
const CACHED = 64;

export interface DocumentReader {
  /**
   * Reads a text by its format, after decoding base64 and gzip.
   *
   * @returns null for texts that are empty, binary, or longer than 1 MiB
   */
  read(text: string): Document | null;
  /** Whether a text that was read has a part that would take too much time or memory to read. */
  isUnread(text: string): boolean;
}

/** Creates a reader that caches the latest documents. */
export function createDocumentReader(findParsers?: () => DocumentParsers | undefined): DocumentReader {
  const known = new Map<string, Document | null>();
  const unread = new Set<string>();

  function read(text: string): Document | null {
    if (text.length > MAX_DOCUMENT_CHARS) return null;
    const cached = known.get(text);
    if (cached !== undefined) return cached;
    const document = readLayers(text, findParsers?.(), MAX_LAYERS);
    if (known.size >= CACHED) known.delete(known.keys().next().value as string);
    known.set(text, document);
    if (document?.unread && unread.size < CACHED) unread.add(text);
    return document;
  }

  return { read, isUnread: (text) => unread.size > 0 && unread.has(text) };
}

function readLayers(text: string, parsers: DocumentParsers | undefined, layers: number): Document | null {
  if (text.trim() === '') return null;
  const bytes = decodeBase64(text);
  if (bytes === null || layers === 0) return readText(text, parsers);
  const inflated = inflate(bytes, parsers);
  if (inflated === null) return { ...readText(text, parsers), unread: true };
  const inner = decodeText(inflated);
  // A hash or an identifier can be valid base64, but then it does not decode to text.
  return inner === null ? readText(text, parsers) : readLayers(inner, parsers, layers - 1);
}

/** Null if the bytes expand to too much. */
function inflate(bytes: Uint8Array, parsers: DocumentParsers | undefined): Uint8Array | null {
  if (!isGzip(bytes) || parsers === undefined) return bytes;
  try {
    return parsers.gunzip(bytes, MAX_DOCUMENT_CHARS);
  } catch (error) {
    return error instanceof RangeError ? null : bytes;
  }
}

function readText(source: string, parsers: DocumentParsers | undefined): Document {
  const text = source.startsWith(BYTE_ORDER_MARK) ? source.slice(1) : source;
  const format = recognizeFormat(text);
  switch (format) {
    case 'json':
      return readJson(text);
    case 'yaml':
      return readYaml(text, parsers);
    case 'properties':
      return toTree('properties', parseProperties(text)) ?? asText(text);
    case 'xml':
      return parseXml(text, parsers) ?? asText(text);
    case 'sql':
      return { format, statements: splitSql(text), ...(hasQuotes(text) ? { exact: splitExactLines(text) } : {}) };
    default:
      return readLines(format, text);
  }
}

function readJson(text: string): Document {
  const tree = parseJson(text);
  const document = toTree('json', tree);
  if (document === null) return isContainer(tree) ? asUnread(text) : asText(text);
  if (isProvable(text, document.tree!)) return document;
  return isProvable(text, document.tree!, 'any')
    ? { ...document, numbers: listNumbers(text) }
    : { ...document, lossy: true };
}

/** Longer numbers have more digits than JavaScript keeps. */
const LONG_NUMBER = /\d{16}/;

function readYaml(text: string, parsers: DocumentParsers | undefined): Document {
  const tree = parseYaml(text, parsers);
  if (tree === TOO_LARGE) return asUnread(text);
  const document = toTree('yaml', tree);
  if (document === null) return isContainer(tree) ? asUnread(text) : asText(text);
  return LONG_NUMBER.test(text) ? { ...document, lossy: true } : document;
}

/** Its lines are read instead, which say less. */
function asUnread(text: string): Document {
  return { ...asText(text), unread: true };
}

function asText(text: string): Document {
  return readLines('text', text);
}

function readLines(format: 'script' | 'text', text: string): Document {
  const document: Document = { format, statements: splitLines(text) };
  return isPlainShell(text) ? document : { ...document, exact: splitExactLines(text) };
}

function toTree(format: Document['format'], tree: JsonValue | undefined): Document | null {
  if (tree === undefined || tree === null || typeof tree !== 'object') return null;
  return isDeeper(tree, MAX_DEPTH) ? null : { format, tree };
}

function isDeeper(value: JsonValue, left: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return left === 0 || Object.values(value).some((item) => isDeeper(item, left - 1));
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** In place of a tree that would take too much time or memory. */
const TOO_LARGE = Symbol('too large');

function parseYaml(text: string, parsers: DocumentParsers | undefined): JsonValue | undefined | typeof TOO_LARGE {
  if (parsers === undefined) return undefined;
  try {
    const documents = parsers.parseYaml(text).filter((document) => document !== null);
    return documents.length === 1 ? documents[0] : documents;
  } catch (error) {
    // Limits, and a stack that is too deep.
    return error instanceof RangeError ? TOO_LARGE : undefined;
  }
}

function parseXml(text: string, parsers: DocumentParsers | undefined): Document | null {
  if (parsers === undefined) return null;
  try {
    return { format: 'xml', statements: parsers.parseXml(text) };
  } catch {
    return null;
  }
}
