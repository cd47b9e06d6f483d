import { analyzePlan } from '../../engine/index.ts';
import { CODE_RULES } from '../../engine/risk/attributes/catalog.ts';

/** Analyzes a plan in which one attribute has changed to a given text. */
export interface AttributeReader {
  name: string;
  run(text: string): unknown;
}

type Json = string | Json[] | { [name: string]: Json };

/** One reader for each attribute that a rule written as code reads. */
export function createAttributeReaders(): AttributeReader[] {
  const readers = new Map<string, AttributeReader>();
  for (const { types, watches, find } of CODE_RULES) {
    const type = (types[0] ?? '').replaceAll('*', 'x');
    for (const { path } of watches) {
      const name = `${find.name} of ${type}.${path}`;
      readers.set(`${find.name} ${path}`, {
        name,
        run: (text) => analyzePlan(Buffer.from(buildPlan(type, path, text))),
      });
    }
  }
  return [...readers.values()];
}

function buildPlan(type: string, path: string, text: string): string {
  const change = { actions: ['update'], before: nestValue(path, `${text}b`), after: nestValue(path, text) };
  const entry = { address: `${type}.x`, type, name: 'x', mode: 'managed', change };
  return JSON.stringify({ format_version: '1.2', resource_changes: [entry] });
}

/** Builds `{ rule: [{ port }] }` from `rule.*.port`. */
function nestValue(path: string, text: string): Json {
  return path.split('.').reduceRight<Json>((inner, name) => (name === '*' ? [inner] : { [name]: inner }), text);
}
