import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { diffValues } from '../../../engine/changes/diff.ts';
import { renderPath } from '../../../engine/changes/path.ts';
import type { AttributeDiff, JsonValue } from '../../../engine/model/result.ts';

const NO_MASKS = { unknown: {}, before_sensitive: {}, after_sensitive: {}, replace_paths: [] };
const key = fc.constantFrom('a', 'b', 'c', 'a.b', '__proto__', 'constructor', '');
const value = fc.letrec<{ node: JsonValue }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, false, 0, 1, '', 'x', 'y', '1'),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('node')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).node;
const resource = fc.array(fc.tuple(key, value), { maxLength: 5 }).map((entries) => Object.fromEntries(entries));

/** Applies diffs to a copy. Removed items become null. */
function apply(root: JsonValue, diffs: AttributeDiff[]): JsonValue {
  let result = structuredClone(root);
  for (const diff of diffs) result = put(result, diff.path_segments, diff.after);
  return result;
}

function put(target: JsonValue, path: (string | number)[], leaf: JsonValue): JsonValue {
  const [head, ...rest] = path;
  if (head === undefined) return leaf;
  if (typeof head === 'number') {
    const list = Array.isArray(target) ? [...target] : [];
    while (list.length < head) list.push(null);
    list[head] = put(list[head] ?? null, rest, leaf);
    return list;
  }
  const members = target !== null && typeof target === 'object' && !Array.isArray(target) ? Object.entries(target) : [];
  const old = members.find(([name]) => name === head)?.[1] ?? null;
  return Object.fromEntries([...members.filter(([name]) => name !== head), [head, put(old, rest, leaf)]]);
}

/** Removes nulls, empty containers and trailing nulls of lists, which are equivalent to absent values. */
function prune(node: JsonValue): JsonValue {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) {
    const items = node.map(prune);
    while (items.length > 0 && items.at(-1) === null) items.pop();
    return items.length === 0 ? null : items;
  }
  const members = Object.entries(node).flatMap(([name, member]) => {
    const kept = prune(member);
    return kept === null ? [] : [[name, kept] as const];
  });
  return members.length === 0 ? null : Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

test('a value has no diffs to itself', () => {
  fc.assert(
    fc.property(resource, (x) => expect(diffValues({ before: x, after: structuredClone(x), ...NO_MASKS })).toEqual([])),
  );
});

test('applying the diffs to before yields after', () => {
  fc.assert(
    fc.property(fc.option(resource), fc.option(resource), (before, after) => {
      const diffs = diffValues({ before, after, ...NO_MASKS });

      expect(JSON.stringify(prune(apply(before, diffs)))).toBe(JSON.stringify(prune(after)));
    }),
    { numRuns: 500 },
  );
});

test('each diff has a unique path that renders its segments', () => {
  fc.assert(
    fc.property(resource, resource, (before, after) => {
      const diffs = diffValues({ before, after, ...NO_MASKS });
      const paths = diffs.map((diff) => diff.path);

      expect(new Set(paths).size).toBe(paths.length);
      expect(paths).toEqual(diffs.map((diff) => renderPath(diff.path_segments)));
    }),
  );
});

test('both directions have diffs at the same paths', () => {
  fc.assert(
    fc.property(resource, resource, (a, b) => {
      const there = diffValues({ before: a, after: b, ...NO_MASKS }).map((diff) => diff.path);
      const back = diffValues({ before: b, after: a, ...NO_MASKS }).map((diff) => diff.path);

      expect(there.sort()).toEqual(back.sort());
    }),
  );
});
