import type { JsonValue } from '../model/result.ts';
import { cutMiddle } from './data-text.ts';
import type { FixProjection, ShownOption } from './fix-project.ts';
import { MAX_NAME } from './project.ts';
import type { KnownFacts, KnownName } from './types.ts';

const NUMBER = /\d+(?:\.\d+)*/g;
/** Names in rule texts: file names, paths, function calls, and words such as `jsonencode`. */
const OWN_NAME =
  /\.?\b[A-Za-z]\w*(?:\.\w+)+|\.?\b[A-Za-z][A-Za-z0-9]*_\w+|\b[a-z]\w*\(\)|\binit -upgrade\b|\b[A-Za-z]{3,}\b/g;
const PART = /[A-Za-z_]\w*/g;

/**
 * Names and numbers that an answer about a pattern may use: names and values in the prompt, and names in the texts of
 * rules and options. Depends only on the prompt, so it can be recomputed from a trace.
 */
export function fixFacts(shown: FixProjection): KnownFacts {
  const names = new Map<string, KnownName>();
  const numbers = new Set<string>();
  const add = (name: string) => addName(names, name);
  const { pattern, rule, options } = shown;
  for (const text of ownTexts(shown)) {
    for (const [name] of text.matchAll(OWN_NAME)) for (const one of [name, name.replace(/\(\)$/, '')]) add(one);
    for (const [number] of text.matchAll(NUMBER)) numbers.add(number);
  }
  for (const option of options) addOption(add, option);
  for (const value of [pattern.values?.before, pattern.values?.after]) addValue(add, numbers, value ?? null);
  if (rule !== undefined) add(rule.id);
  for (let path = pattern.attribute; path !== ''; path = withoutLastPart(path)) {
    for (const name of [path, `${pattern.address}.${path}`, `${pattern.type}.${path}`]) add(name);
  }
  for (const [part] of pattern.attribute.matchAll(PART)) add(part);
  for (const name of [pattern.type, pattern.address]) add(name);
  return { names, numbers };
}

/** Removes the last part of a path, `.name` or `[…]`; empty if there is only one part. */
export function withoutLastPart(path: string): string {
  if (path.endsWith(']'))
    return path.slice(0, Math.max(0, path.indexOf('[', path.lastIndexOf(']', path.length - 2) + 1)));
  const dot = path.lastIndexOf('.');
  const is_name = dot + 1 < path.length && !/[[\]]/.test(path.slice(dot));
  return is_name ? path.slice(0, Math.max(0, dot)) : '';
}

function addName(names: Map<string, KnownName>, name: string): void {
  if (name === '') return;
  const known = { shown: cutMiddle(name, MAX_NAME), change: null };
  names.set(name, known);
  names.set(known.shown, known);
}

function ownTexts({ rule, options }: FixProjection): string[] {
  const facts = rule === undefined ? [] : [rule.what, rule.why, rule.remedy];
  return [...facts, ...options.flatMap(collectTexts)];
}

function collectTexts({ label, summary, detail, pros, cons, min_provider_version = '' }: ShownOption): string[] {
  return [label, summary, detail, ...pros, ...cons, min_provider_version];
}

function addOption(add: (name: string) => void, { min_provider_version, ignores, writes }: ShownOption): void {
  if (min_provider_version !== undefined) add(min_provider_version);
  if (ignores !== undefined) {
    const written = `ignore_changes = [${ignores}]`;
    for (const name of [ignores, written, `lifecycle { ${written} }`]) add(name);
  }
  if (writes !== undefined && !writes.includes('\n')) add(writes);
}

function addValue(add: (name: string) => void, numbers: Set<string>, value: JsonValue): void {
  if (Array.isArray(value)) {
    for (const item of value) addValue(add, numbers, item);
  } else if (typeof value === 'string') {
    for (const name of [value, `"${value}"`]) add(name);
    for (const [number] of value.matchAll(NUMBER)) numbers.add(number);
  } else if (typeof value === 'number') {
    add(String(value));
    numbers.add(String(Math.abs(value)));
  }
}
