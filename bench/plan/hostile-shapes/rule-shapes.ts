import type { JsonObject, JsonValue } from '../../../engine/model/result.ts';
import { buildFillValue, type Fill, findBranchValue } from './branch-values.ts';
import { type Actions, buildChangeEntry, buildChangePlan, buildMany, buildPlan, type Shape } from './plans.ts';
import { listRuleReads, type Reads } from './reads.ts';

const MANY_CHANGES = 20_000;

/** For each kind of rule, each attribute that it reads, grown in one dimension at a time. */
export function buildRuleShapes(): Shape[] {
  const shapes = new Map<string, Shape>();
  for (const { type, reads } of listRuleReads()) {
    for (const [attribute, below] of reads.members) {
      for (const shape of buildAttributeShapes(type, attribute, below, reads)) shapes.set(shape.name, shape);
    }
    for (const shape of buildResourceShapes(type, reads)) shapes.set(shape.name, shape);
  }
  return [...shapes.values()];
}

function buildAttributeShapes(type: string, attribute: string, below: Reads, reads: Reads): Shape[] {
  const rest = buildItem(reads, 0, 'distinct', 1);
  const createShape = (what: string, action: Actions, value: (count: number) => [JsonValue, JsonValue]): Shape => ({
    name: `${type}.${attribute}: ${what}, ${action}`,
    build(count) {
      const [before, after] = value(count);
      return buildChangePlan(type, action, {
        before: { ...rest, [attribute]: before },
        after: { ...rest, [attribute]: after },
      });
    },
  });
  const item = (i: number, fill: Fill = 'distinct', width = 1): JsonValue =>
    below.members.size > 0 ? buildItem(below, i, fill, width) : buildFillValue(attribute, i, fill);
  const half = (count: number) => Math.ceil(count / 2);
  return [
    createShape('items, all changed', 'update', (n) => [buildMany(half(n), item), buildMany(half(n), item, half(n))]),
    createShape('items, reversed', 'update', (n) => [buildMany(half(n), item), buildMany(half(n), item).reverse()]),
    createShape('items, new', 'create', (n) => [null, buildMany(n, item)]),
    createShape('items, removed', 'update', (n) => [buildMany(n, item), []]),
    createShape('items, one removed', 'update', (n) => [buildMany(half(n), item), buildMany(half(n) - 1, item)]),
    createShape('items to the internet', 'update', (n) => [
      buildMany(half(n), (i) => item(i, 'public')),
      buildMany(half(n), (i) => item(i, 'public'), half(n)),
    ]),
    createShape('equal items', 'replace', (n) => [
      buildMany(half(n), () => item(1, 'equal')),
      buildMany(half(n), () => item(2, 'equal')),
    ]),
    createShape('items', 'delete', (n) => [buildMany(n, item), null]),
    createShape('lists in one item', 'update', (n) => [[item(0, 'distinct', half(n))], [item(n, 'distinct', half(n))]]),
    createShape('lists in one item to the internet', 'create', (n) => [null, [item(0, 'public', n)]]),
    createShape('members of a map', 'update', (n) => [
      Object.fromEntries(buildMany(half(n), (i) => [`k${i}`, item(i)])),
      Object.fromEntries(buildMany(half(n), (i) => [`k${i}`, item(i + n)])),
    ]),
    createShape('length of a text', 'update', (n) => ['a, b '.repeat(n), 'a: c '.repeat(n)]),
  ];
}

/** Many resources of one type, up to the limit of a request. */
function buildResourceShapes(type: string, reads: Reads): Shape[] {
  return (['create', 'update', 'delete', 'replace'] as const).map((action) => ({
    name: `${type}: resources, ${action}`,
    build: (count) =>
      buildPlan({
        resource_changes: buildMany(Math.min(count, MANY_CHANGES), (i) =>
          buildChangeEntry(type, i, action, {
            before: buildItem(reads, i, 'distinct', 1),
            after: buildItem(reads, i + 1, 'distinct', 1),
          }),
        ),
      }),
  }));
}

/** @param width number of items in its innermost lists */
function buildItem(reads: Reads, i: number, fill: Fill, width: number): JsonObject {
  const item: JsonObject = {};
  const leaves = [...reads.members.values()].filter(({ members }) => members.size === 0).length;
  const each = Math.max(1, Math.ceil(width / Math.max(leaves, 1)));
  for (const [name, below] of reads.members) {
    if (below.members.size > 0) item[name] = [buildItem(below, i, fill, width)];
    else if (width > 1 && findBranchValue(name, 0) === undefined)
      item[name] = buildMany(each, (j) => buildFillValue(name, j, fill), i);
    else item[name] = findBranchValue(name, i) ?? buildFillValue(name, i, fill);
  }
  return item;
}
