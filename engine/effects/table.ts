import type { Effect, EffectName, SafeEnd, Sentinel } from './types.ts';
import { decodeNumbers } from './varint.ts';

/**
 * The table of one provider, written by `npm run effects`. Equal blocks of different types are stored once.
 *
 * - `effects`: effect, safe end, and the value and side of a sentinel
 * - `names`: names of arguments, separated by spaces
 * - `blocks`: numbers for each block, separated by spaces: for each argument its name, twice its effect (plus one if it
 *   has a block), and the place of its block in this list
 * - `types`: resource types without the provider's prefix and the place of their block, as `name=place`, separated by
 *   spaces, in alphabetical order of their names
 */
export interface EffectTable {
  effects: (string | number | null | string[])[][];
  names: string;
  blocks: string;
  types: string;
}

/** An argument of a block. */
export interface TableEntry {
  effect: Effect;
  block: TableBlock | undefined;
}

export type TableBlock = ReadonlyMap<string, TableEntry>;

/**
 * Reads one type after the other; nothing is decoded before the first lookup. Types and blocks are searched in their
 * texts, because a plan needs a few of the thousand types of a provider.
 */
export class EffectTableReader {
  readonly #table: EffectTable;
  readonly #effects: Effect[] = [];
  readonly #blocks: (TableBlock | undefined)[] = [];
  #names: string[] | undefined;
  #starts: number[] | undefined;

  constructor(table: EffectTable) {
    this.#table = table;
  }

  /** Types without the provider's prefix, in alphabetical order. */
  listTypes(): string[] {
    return this.#table.types.split(' ').map((entry) => entry.slice(0, entry.indexOf('=')));
  }

  /** Arguments of a type, or undefined for an unknown type. */
  findType(name: string): TableBlock | undefined {
    if (!TYPE_NAME.test(name)) return undefined;
    const line = findEntry(this.#table.types, name);
    return line === undefined ? undefined : this.#readBlock(line);
  }

  #readBlock(line: number): TableBlock {
    const known = this.#blocks[line];
    if (known !== undefined) return known;
    this.#names ??= this.#table.names.split(' ');
    const numbers = decodeNumbers(this.#readLine(line));
    const block = new Map<string, TableEntry>();
    for (let at = 0; at < numbers.length; ) {
      const name = this.#names[numbers[at]!]!;
      const code = numbers[at + 1]!;
      const inner = code % 2 === 1 ? this.#readBlock(numbers[at + 2]!) : undefined;
      block.set(name, { effect: this.#readEffect(Math.floor(code / 2)), block: inner });
      at += code % 2 === 1 ? 3 : 2;
    }
    this.#blocks[line] = block;
    return block;
  }

  #readLine(line: number): string {
    const { blocks } = this.#table;
    this.#starts ??= listStarts(blocks);
    const end = this.#starts[line + 1];
    return blocks.slice(this.#starts[line], end === undefined ? blocks.length : end - 1);
  }

  #readEffect(index: number): Effect {
    const known = this.#effects[index] ?? readEffect(this.#table.effects[index]!);
    this.#effects[index] = known;
    return known;
  }
}

/** Names in a plan can contain every character. */
const TYPE_NAME = /^[A-Za-z0-9_]{1,200}$/;

/** The number of an entry in a sorted text of entries such as `name=12`. A plan can name any number of types. */
function findEntry(text: string, name: string): number | undefined {
  let [low, high] = [0, text.length];
  while (low < high) {
    const start = text.lastIndexOf(' ', (low + high) >> 1) + 1;
    const sign = text.indexOf('=', start);
    const found = text.slice(start, sign);
    const space = text.indexOf(' ', sign);
    const end = space < 0 ? text.length : space;
    if (found === name) return Number(text.slice(sign + 1, end));
    if (found < name) low = end + 1;
    else high = start - 1;
  }
  return undefined;
}

/** Where each entry of a text with spaces between entries starts. */
function listStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) starts.push(at + 1);
  return starts;
}

function readEffect([effect, safe_end, value, as]: EffectTable['effects'][number]): Effect {
  const sentinel = as === undefined ? null : ({ value, as } as Sentinel);
  return { effect: effect as EffectName, safe_end: (safe_end ?? null) as SafeEnd | null, sentinel, inferred: false };
}
