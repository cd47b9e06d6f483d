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
 *   spaces
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

/** Reads one type after the other; nothing is decoded before the first lookup. */
export class EffectTableReader {
  readonly #effects: Effect[];
  readonly #names: string[];
  readonly #places: string[];
  readonly #types: Map<string, number>;
  readonly #blocks: (TableBlock | undefined)[] = [];

  constructor({ effects, names, blocks, types }: EffectTable) {
    this.#effects = effects.map(readEffect);
    this.#names = names.split(' ');
    this.#places = blocks.split(' ');
    this.#types = new Map(types.split(' ').map(readType));
  }

  /** Types without the provider's prefix, in alphabetical order. */
  listTypes(): string[] {
    return [...this.#types.keys()];
  }

  /** Arguments of a type, or undefined for an unknown type. */
  findType(name: string): TableBlock | undefined {
    const line = this.#types.get(name);
    return line === undefined ? undefined : this.#readBlock(line);
  }

  #readBlock(line: number): TableBlock {
    const known = this.#blocks[line];
    if (known !== undefined) return known;
    const numbers = decodeNumbers(this.#places[line]!);
    const block = new Map<string, TableEntry>();
    for (let at = 0; at < numbers.length; ) {
      const name = this.#names[numbers[at]!]!;
      const code = numbers[at + 1]!;
      const inner = code % 2 === 1 ? this.#readBlock(numbers[at + 2]!) : undefined;
      block.set(name, { effect: this.#effects[Math.floor(code / 2)]!, block: inner });
      at += code % 2 === 1 ? 3 : 2;
    }
    this.#blocks[line] = block;
    return block;
  }
}

function readEffect([effect, safe_end, value, as]: EffectTable['effects'][number]): Effect {
  const sentinel = as === undefined ? null : ({ value, as } as Sentinel);
  return { effect: effect as EffectName, safe_end: (safe_end ?? null) as SafeEnd | null, sentinel, inferred: false };
}

function readType(entry: string): [string, number] {
  const [name, line] = entry.split('=') as [string, string];
  return [name, Number(line)];
}
