import type { JsonObject, JsonValue } from '../../engine/result.ts';
import { type Actions, changeEntry, many, planOf, planWith, type Shape } from './plans.ts';
import { listRuleReads, type Reads } from './reads.ts';
import { type Fill, fillFor, wordFor } from './words.ts';

const MANY_CHANGES = 20_000;

/** For every kind of rule, each attribute that it reads, grown in one dimension at a time. */
export function ruleShapes(): Shape[] {
  const shapes = new Map<string, Shape>();
  for (const { type, reads } of listRuleReads()) {
    for (const [attribute, below] of reads.members) {
      for (const shape of attributeShapes(type, attribute, below, reads)) shapes.set(shape.name, shape);
    }
    for (const shape of manyOf(type, reads)) shapes.set(shape.name, shape);
  }
  return [...shapes.values()];
}

function attributeShapes(type: string, attribute: string, below: Reads, reads: Reads): Shape[] {
  const rest = itemOf(reads, 0, 'distinct', 1);
  const grow = (what: string, action: Actions, value: (count: number) => [JsonValue, JsonValue]): Shape => ({
    name: `${type}.${attribute}: ${what}, ${action}`,
    build(count) {
      const [before, after] = value(count);
      return planOf(type, action, { before: { ...rest, [attribute]: before }, after: { ...rest, [attribute]: after } });
    },
  });
  const item = (i: number, fill: Fill = 'distinct', width = 1): JsonValue =>
    below.members.size > 0 ? itemOf(below, i, fill, width) : fillFor(attribute, i, fill);
  const half = (count: number) => Math.ceil(count / 2);
  return [
    grow('items, all changed', 'update', (n) => [many(half(n), item), many(half(n), item, half(n))]),
    grow('items, reversed', 'update', (n) => [many(half(n), item), many(half(n), item).reverse()]),
    grow('items, new', 'create', (n) => [null, many(n, item)]),
    grow('items, removed', 'update', (n) => [many(n, item), []]),
    grow('items, one removed', 'update', (n) => [many(half(n), item), many(half(n) - 1, item)]),
    grow('items to the world', 'update', (n) => [
      many(half(n), (i) => item(i, 'world')),
      many(half(n), (i) => item(i, 'world'), half(n)),
    ]),
    grow('equal items', 'replace', (n) => [
      many(half(n), () => item(1, 'equal')),
      many(half(n), () => item(2, 'equal')),
    ]),
    grow('items', 'delete', (n) => [many(n, item), null]),
    grow('lists in one item', 'update', (n) => [[item(0, 'distinct', half(n))], [item(n, 'distinct', half(n))]]),
    grow('lists in one item to the world', 'create', (n) => [null, [item(0, 'world', n)]]),
    grow('members of a map', 'update', (n) => [
      Object.fromEntries(many(half(n), (i) => [`k${i}`, item(i)])),
      Object.fromEntries(many(half(n), (i) => [`k${i}`, item(i + n)])),
    ]),
    grow('length of a text', 'update', (n) => ['a, b '.repeat(n), 'a: c '.repeat(n)]),
  ];
}

/** One resource beside the other, at most as many as a request may have. */
function manyOf(type: string, reads: Reads): Shape[] {
  return (['create', 'update', 'delete', 'replace'] as const).map((action) => ({
    name: `${type}: resources, ${action}`,
    build: (count) =>
      planWith({
        resource_changes: many(Math.min(count, MANY_CHANGES), (i) =>
          changeEntry(type, i, action, {
            before: itemOf(reads, i, 'distinct', 1),
            after: itemOf(reads, i + 1, 'distinct', 1),
          }),
        ),
      }),
  }));
}

/** @param width how many entries its innermost lists have */
function itemOf(reads: Reads, i: number, fill: Fill, width: number): JsonObject {
  const item: JsonObject = {};
  const leaves = [...reads.members.values()].filter(({ members }) => members.size === 0).length;
  const each = Math.max(1, Math.ceil(width / Math.max(leaves, 1)));
  for (const [name, below] of reads.members) {
    if (below.members.size > 0) item[name] = [itemOf(below, i, fill, width)];
    else if (width > 1 && wordFor(name, 0) === undefined) item[name] = many(each, (j) => fillFor(name, j, fill), i);
    else item[name] = wordFor(name, i) ?? fillFor(name, i, fill);
  }
  return item;
}
