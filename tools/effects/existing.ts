import { readFileSync } from 'node:fs';
import { type EffectTable, EffectTableReader, type TableBlock } from '../../engine/effects/table.ts';
import type { Row } from './build-table.ts';
import type { Reviewed } from './reviewed.ts';
import type { Argument } from './sources/types.ts';

/**
 * Rows of a table that was built before, with the corrections of today. For corrections without the packages from which
 * a table is built; documentation and kinds of values are not in a table.
 *
 * @param prefix of the resource types, such as `aws_`
 */
export function readRows(file: string, prefix: string, reviewed: Reviewed): Row[] {
  const reader = new EffectTableReader(JSON.parse(readFileSync(file, 'utf8')) as EffectTable);
  return reader.listTypes().flatMap((name) => listRows(prefix + name, reader.findType(name)!, [], reviewed));
}

function listRows(type: string, block: TableBlock, parents: readonly string[], reviewed: Reviewed): Row[] {
  return [...block].flatMap(([name, { effect, block: inner }]) => {
    const path = [...parents, name];
    const known = { effect: effect.effect, safe_end: effect.safe_end, sentinel: effect.sentinel };
    const final = reviewed.find(type, path.join('.')) ?? known;
    const row: Row = { type, path: path.join('.'), argument: toArgument(name, inner), rule: known, final };
    return inner === undefined ? [row] : [row, ...listRows(type, inner, path, reviewed)];
  });
}

function toArgument(name: string, block: TableBlock | undefined): Argument {
  const inner =
    block === undefined
      ? {}
      : { block: new Map([...block].map(([key, entry]) => [key, toArgument(key, entry.block)])) };
  return { name, kind: block === undefined ? 'string' : 'block', doc: '', ...inner };
}
