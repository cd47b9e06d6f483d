/** Options of commands and lists in brackets, which are settings inside a single value. */
import type { MaybeJson } from '../../changes/values.ts';
import { listValueDifferences } from '../../documents/differences.ts';
import type { DocumentDifference } from '../../documents/types.ts';
import type { JsonObject } from '../../model/result.ts';

const FLAG = /^--?([A-Za-z][\w.-]{1,100})(?:=(.{0,500}))?$/s;
const IN_BRACKETS = /^\[[^[\]]{0,2000}\]$/;
const ENTRY = /"([^"]{0,500})"|'([^']{0,500})'|([^\s,'"[\]]{1,500})/g;
const MAX_ITEMS = 200;

/** Lists how the options of a command differ: `--auth-mode=none` is a setting `auth-mode`. */
export function listFlagDifferences(before: MaybeJson, after: MaybeJson): DocumentDifference[] {
  const [from, to] = [readFlags(before), readFlags(after)];
  if (from === null || to === null) return [];
  return listValueDifferences(from, to);
}

/** null unless the value is a list of texts, of which one is an option. An option that stands twice has both values. */
function readFlags(value: MaybeJson): JsonObject | null {
  if (!Array.isArray(value) || value.length > MAX_ITEMS || !value.every((item) => typeof item === 'string'))
    return null;
  const flags = Object.create(null) as JsonObject;
  for (const [at, item] of value.entries()) {
    const [, name, text] = FLAG.exec(item) ?? [];
    if (name === undefined) continue;
    const next = value[at + 1];
    const found = text ?? (next === undefined || next.startsWith('-') ? true : next);
    flags[name] = name in flags ? [flags[name] ?? null, found].flat() : found;
  }
  return flags;
}

/** The same difference with `[ "a", "b" ]` as a list. */
export function readBrackets({ path, before, after }: DocumentDifference): DocumentDifference {
  return { path, before: readBracket(before), after: readBracket(after) };
}

function readBracket(value: MaybeJson): MaybeJson {
  if (typeof value !== 'string' || !IN_BRACKETS.test(value.trim())) return value;
  return [...value.matchAll(ENTRY)].map(([, one, other, bare]) => one ?? other ?? bare ?? '');
}
