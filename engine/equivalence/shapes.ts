import type { ResourceLocation } from '../canonical/resource-location.ts';
import { toPathNode } from '../changes/path-node.ts';
import { isSameContent } from '../documents/differences.ts';
import type { DocumentReader } from '../documents/reader.ts';
import type { Document } from '../documents/types.ts';
import { looksLikeJson } from '../lib/json-text.ts';
import type { AttributeDiff, Equivalence, JsonValue } from '../model/result.ts';
import { isSameTree } from './document-values.ts';
import type { EquivalenceHint } from './equivalences.ts';
import { isSameDocument } from './same-document.ts';
import { findTextEquivalence } from './texts.ts';

/** How a leaf changed, without its values; part of the fingerprint. */
export type ChangeShape =
  | 'to_unknown'
  | 'null_to_empty'
  | 'empty_to_null'
  | 'reorder'
  /** Equivalent texts: JSON documents and, with a hint, policies, times, addresses and names. */
  | 'json_equivalent'
  | 'case_only'
  | 'whitespace_only'
  | 'numeric_string'
  | 'timestamp_like'
  | 'hash_like'
  | 'default_filled'
  | 'value_change';

const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;
const HASH = /^(sha\d{1,3}[:-])?([0-9a-f]{32,128}|[0-9A-F]{32,128}|[A-Za-z0-9+/]{27,86}={1,2})$/;
const HASH_NAME = /hash|sha\d|md5|etag|checksum|digest|fingerprint/i;

/** The shape of a leaf and, if its values are proven equivalent, the kind of equivalence. */
export interface LeafShape {
  shape: ChangeShape;
  same: Equivalence | null;
}

const UNPROVEN = { same: null } as const;

/**
 * The shape of one changed leaf, from the leaf alone.
 *
 * Sensitive values are never read; their shape is always `value_change`. Shapes that claim equality require proof from
 * the values, and `default_filled` also requires a hint with the default. Reordered lists, and null that became empty,
 * cannot be proven from the leaf alone.
 *
 * @param diff with raw values
 * @param hint the hint for this path, or null
 * @param location project, region and account of the resource
 * @param documents reads documents inside attributes; without it, only JSON is compared as a document
 */
export function classifyLeaf(
  diff: AttributeDiff,
  hint: EquivalenceHint | null,
  location: ResourceLocation,
  documents: DocumentReader | null = null,
): LeafShape {
  if (diff.after_unknown) return { shape: 'to_unknown', ...UNPROVEN };
  if (diff.before_sensitive || diff.after_sensitive) return { shape: 'value_change', ...UNPROVEN };
  if (diff.op === 'reorder') return { shape: 'reorder', ...UNPROVEN };
  const { before, after } = diff;
  if (typeof before === 'string' && typeof after === 'string') {
    if (hint?.kind === 'default' && isUnsetAgainst(hint.value, before, after)) return DEFAULT_FILLED;
    const leaf = readTexts(before, after, diff, hint, location);
    return leaf.same === null && documents !== null ? readDocuments(before, after, leaf, documents) : leaf;
  }
  const shape = shapeOfValues(before, after, hint);
  if (shape === 'default_filled') return { shape, same: 'default' };
  return { shape, same: shape === 'numeric_string' ? 'number' : null };
}

const DEFAULT_FILLED = { shape: 'default_filled', same: 'default' } as const;

/** Providers also write empty text for what is not set. */
function isUnsetAgainst(value: JsonValue, before: string, after: string): boolean {
  return (before === '' && after === value) || (after === '' && before === value);
}

function shapeOfValues(before: JsonValue, after: JsonValue, hint: EquivalenceHint | null): ChangeShape {
  if (before === null) return shapeOfLone(after, 'null_to_empty', hint);
  if (after === null) return shapeOfLone(before, 'empty_to_null', hint);
  if (typeof before === 'string') return shapeOfMixed(after, before);
  if (typeof after === 'string') return shapeOfMixed(before, after);
  if (hint?.kind !== 'block') return 'value_change';
  if (isEmpty(after) && isHollow(before)) return 'empty_to_null';
  return isEmpty(before) && isHollow(after) ? 'null_to_empty' : 'value_change';
}

/** One side is null or absent. */
function shapeOfLone(
  value: JsonValue,
  empty: 'null_to_empty' | 'empty_to_null',
  hint: EquivalenceHint | null,
): ChangeShape {
  if (isEmpty(value)) return empty;
  if (hint?.kind === 'block' && isHollow(value)) return empty;
  return hint?.kind === 'default' && value === hint.value ? 'default_filled' : 'value_change';
}

function isEmpty(value: JsonValue): boolean {
  if (value === '') return true;
  if (value === null || typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** Contains only values that a service returns for "not set". */
function isHollow(value: JsonValue): boolean {
  if (value === null || typeof value !== 'object')
    return value === null || value === false || value === 0 || value === '';
  return Object.values(value).every(isHollow);
}

/** A number or boolean and a string are equal only if the string is its exact format (`80`, not `080`). */
function shapeOfMixed(value: JsonValue, text: string): ChangeShape {
  if (typeof value === 'boolean' && String(value) === text) return 'numeric_string';
  const exact = typeof value === 'number' && text.length <= 16 && String(value) === text;
  return exact ? 'numeric_string' : 'value_change';
}

function readTexts(
  before: string,
  after: string,
  diff: AttributeDiff,
  hint: EquivalenceHint | null,
  location: ResourceLocation,
): LeafShape {
  const same = findEquivalence(before, after, hint, location);
  if (same !== null) return { shape: 'json_equivalent', same };
  const is_case = hint?.kind === 'case';
  if (equalButCase(before, after)) return { shape: 'case_only', same: is_case ? 'case' : null };
  if (is_case && equalButCase(withoutBlanks(before), withoutBlanks(after))) return { shape: 'case_only', same: 'case' };
  const is_space = hint?.kind === 'space';
  if (equalButBlanks(before, after)) return { shape: 'whitespace_only', same: is_space ? 'blanks' : null };
  if (is_space && equalButBlanks(withoutIndent(before), withoutIndent(after))) {
    return { shape: 'whitespace_only', same: 'blanks' };
  }
  if (before.length <= 40 && TIMESTAMP.test(before) && TIMESTAMP.test(after)) {
    return { shape: 'timestamp_like', ...UNPROVEN };
  }
  return { shape: areHashes(before, after, diff) ? 'hash_like' : 'value_change', ...UNPROVEN };
}

/** A line this short holds no document worth reading. */
const MIN_DOCUMENT_CHARS = 16;

function mayHoldDocument(text: string): boolean {
  return text.length >= MIN_DOCUMENT_CHARS || text.includes('\n');
}

/** Compares two texts by their format: YAML, XML, scripts and SQL; also encoded ones. */
function readDocuments(before: string, after: string, leaf: LeafShape, documents: DocumentReader): LeafShape {
  if (![before, after].every(mayHoldDocument)) return leaf;
  const [left, right] = [documents.read(before), documents.read(after)];
  const same = left !== null && right !== null && (isSameContent(left, right) || isSameByValues(left, right));
  return same ? { shape: 'json_equivalent', same: 'document' } : leaf;
}

/** Equal up to the notation of values. */
function isSameByValues(before: Document, after: Document): boolean {
  if (before.lossy || after.lossy || before.numbers !== undefined || after.numbers !== undefined) return false;
  return before.tree !== undefined && after.tree !== undefined && isSameTree(before.tree, after.tree);
}

function findEquivalence(
  before: string,
  after: string,
  hint: EquivalenceHint | null,
  location: ResourceLocation,
): Equivalence | null {
  // A pattern of log events is in braces, too.
  if (hint?.kind !== 'log_pattern' && looksLikeJson(before) && looksLikeJson(after)) {
    if (!isSameDocument(before, after, hint ?? findPolicyHint(before, after))) return null;
    return hint?.kind === 'policy' || hint?.kind === 'bindings' ? 'policy' : 'document';
  }
  return hint === null ? null : findTextEquivalence(before, after, hint, location);
}

const POLICY = { kind: 'policy' } as const;
const POLICY_VERSION = /"Version"\s{0,20}:\s{0,20}"20(?:08-10-17|12-10-17)"/;

/** The version of its language tells an AWS access policy, whichever argument contains it. */
function findPolicyHint(before: string, after: string): EquivalenceHint | null {
  return [before, after].every((text) => text.includes('"Statement"') && POLICY_VERSION.test(text)) ? POLICY : null;
}

/** Ignores the case of ASCII letters only. */
function equalButCase(before: string, after: string): boolean {
  if (before.length !== after.length) return false;
  for (let i = 0; i < before.length; i += 1) {
    if (foldCase(before.charCodeAt(i)) !== foldCase(after.charCodeAt(i))) return false;
  }
  return true;
}

function foldCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(' ', '');
}

/** Collapses runs of whitespace and ignores it at both ends. */
function equalButBlanks(before: string, after: string): boolean {
  let i = skipBlanks(before, 0);
  let j = skipBlanks(after, 0);
  for (;;) {
    const next = skipBlanks(before, i);
    const other = skipBlanks(after, j);
    if (next === before.length || other === after.length) return next === before.length && other === after.length;
    if (next > i !== other > j || before.charCodeAt(next) !== after.charCodeAt(other)) return false;
    i = next + 1;
    j = other + 1;
  }
}

/** Removes whitespace next to tags. */
function withoutIndent(text: string): string {
  const pieces = text.split(/([<>])/);
  return pieces.map((piece) => piece.trim()).join('');
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function areHashes(before: string, after: string, diff: AttributeDiff): boolean {
  if (before.length !== after.length || before.length < 28 || before.length > 140) return false;
  return HASH_NAME.test(toPathNode(diff).name) && HASH.test(before) && HASH.test(after);
}
