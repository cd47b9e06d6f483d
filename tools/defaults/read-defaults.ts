import type { JsonValue } from '../../engine/model/result.ts';
import type { Argument, Block } from '../effects/sources/types.ts';

/** `Defaults to `false`.`, `The default value is 5`, `(Default: "main")`. */
const DEFAULT =
  /\bdefaults?(?: value)?(?: is| to|:| to be| of)?(?: is)?(?: set to| the)?\s{0,3}(?:[`"'](?<quoted>[\w./-]{1,60})[`"']|(?<plain>-?\d{1,15}(?:\.\d{1,6})?|true|false))(?<rest>[^.\n]*)/gi;
/** What may follow in the same sentence: a unit, that the argument is not set, or a list of values. */
const REST =
  /^\s*(?:seconds?|minutes?|days?|hours?|milliseconds?|MB|GB)?\s*(?:,?\s*(?:if|when) (?:not|un|omitted)[\w ]*)?\)?\s*(?:possible values:.*)?$/i;
/** Deeper blocks repeat themselves. */
const MAX_DEPTH = 6;

/** The values that a provider uses for arguments that are not set, by path without indexes, as its documentation says. */
export function readDefaults(block: Block): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  collect(block, [], found);
  return found;
}

function collect(block: Block, above: readonly string[], found: Map<string, JsonValue>): void {
  for (const argument of block.values()) {
    const path = [...above, argument.name];
    const value = readDefault(argument);
    if (value !== undefined) found.set(path.join('.'), value);
    if (argument.block !== undefined && path.length < MAX_DEPTH) collect(argument.block, path, found);
  }
}

/** The default of an argument; undefined if its text gives none, gives several, or makes it depend on something. */
export function readDefault({ kind, doc }: Pick<Argument, 'kind' | 'doc'>): JsonValue | undefined {
  if ((doc.match(/default/gi) ?? []).length !== 1) return undefined;
  const { quoted, plain, rest } = [...doc.matchAll(DEFAULT)][0]?.groups ?? {};
  const text = quoted ?? plain;
  if (text === undefined || !REST.test(rest ?? '')) return undefined;
  if (kind === 'string') return /^(?:null|nil)$/.test(text) ? undefined : text;
  if (kind === 'bool') return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
  return kind === 'number' && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
}
