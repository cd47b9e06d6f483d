import type { EffectTable } from '../../engine/effects/table.ts';
import { encodeNumbers } from '../../engine/effects/varint.ts';
import { type Classified, classify } from './classify.ts';
import { groupBy } from './group.ts';
import type { Reviewed } from './reviewed.ts';
import type { Argument, Block, Schema } from './sources/types.ts';

/** A classified argument and, for disagreements, what the rules alone say. */
export interface Row {
  type: string;
  path: string;
  argument: Argument;
  final: Classified;
  rule: Classified;
}

/** Numbers for keys in order of first use. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  find(key: string): number {
    const known = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, known);
    return known;
  }

  list(): string[] {
    return [...this.#numbers.keys()];
  }
}

/** Classifies every argument of a provider. Rows come type by type, blocks before their arguments. */
export function listRows(schema: Schema, reviewed: Reviewed): Row[] {
  const rows: Row[] = [];
  const walk = (type: string, block: Block, parents: string[]) => {
    for (const argument of [...block.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = [...parents, argument.name];
      const rule = classify(type, path, argument);
      rows.push({ type, path: path.join('.'), argument, rule, final: reviewed.find(type, path.join('.')) ?? rule });
      if (argument.block !== undefined) walk(type, argument.block, path);
    }
  };
  for (const type of [...schema.keys()].sort()) walk(type, schema.get(type)!, []);
  return rows;
}

/** The compact table of classified arguments. */
export function buildTable(rows: readonly Row[], prefix: string): EffectTable {
  const effects = numberByFrequency(rows.map(({ final }) => formatEffect(final)));
  const names = numberByFrequency(rows.map(({ argument }) => argument.name));
  const blocks = new Numbering();
  const types = [...groupBy(rows, ({ type }) => type)].map(([type, own]) => {
    const byParent = groupBy(own, ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('.'))));
    return `${type.slice(prefix.length)}=${encodeBlock(byParent, '', names, effects, blocks)}`;
  });
  return {
    effects: [...effects.keys()].map((text) => JSON.parse(text) as EffectTable['effects'][number]),
    names: [...names.keys()].join(' '),
    blocks: blocks.list().join(' '),
    types: types.join(' '),
  };
}

/** The table as JSON, one line for each member. */
export function formatTable(table: EffectTable): string {
  const members = Object.entries(table).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${members.join(',\n')}\n}\n`;
}

/** Number of the line that holds the block; equal blocks share one. */
function encodeBlock(
  byParent: Map<string, Row[]>,
  path: string,
  names: Map<string, number>,
  effects: Map<string, number>,
  blocks: Numbering,
): number {
  const numbers: number[] = [];
  for (const row of byParent.get(path) ?? []) {
    const effect = effects.get(formatEffect(row.final))! * 2;
    const name = names.get(row.argument.name)!;
    if (row.argument.block === undefined || row.argument.block.size === 0) numbers.push(name, effect);
    else numbers.push(name, effect + 1, encodeBlock(byParent, row.path, names, effects, blocks));
  }
  return blocks.find(encodeNumbers(numbers));
}

/** Frequent texts get small numbers, which take less space. */
function numberByFrequency(texts: string[]): Map<string, number> {
  const groups = [...groupBy(texts, (text) => text)];
  const sorted = groups.sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  return new Map(sorted.map(([text], index) => [text, index]));
}

/** An effect as one text, without what is not set. */
export function formatEffect({ effect, safe_end, sentinel }: Classified): string {
  if (sentinel !== null) return JSON.stringify([effect, safe_end, sentinel.value, sentinel.as]);
  return JSON.stringify(safe_end === null ? [effect] : [effect, safe_end]);
}
