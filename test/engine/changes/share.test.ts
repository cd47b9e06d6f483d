import { describe, expect, test } from '@jest/globals';
import { normalizeChange } from '../../../engine/changes/normalize.ts';
import { shareEqualParts } from '../../../engine/changes/share.ts';

function update(before: string, after: string) {
  const change = { actions: ['update'], before: JSON.parse(before), after: JSON.parse(after) };
  return normalizeChange({ address: 'a.b', type: 'a', name: 'b', mode: 'managed', change });
}

describe('equal parts of both sides', () => {
  test('are the same objects, and what differs stays', () => {
    const change = update('{"tags":{"a":"1"},"rule":[{"x":1},{"x":2}]}', '{"tags":{"a":"1"},"rule":[{"x":1},{"x":3}]}');

    shareEqualParts(change);

    expect(change.after?.['tags']).toBe(change.before?.['tags']);
    expect(change.after).toEqual({ tags: { a: '1' }, rule: [{ x: 1 }, { x: 3 }] });
    expect(change.before).toEqual({ tags: { a: '1' }, rule: [{ x: 1 }, { x: 2 }] });
  });

  test.each([
    ['members have another order', '{"m":{"a":1,"b":2}}', '{"m":{"b":2,"a":1}}'],
    ['a list stands for an object', '{"m":[1]}', '{"m":{"0":1}}'],
    ['a member is new', '{"m":{"a":1}}', '{"m":{"a":1,"b":2}}'],
    ['a member is gone', '{"m":{"a":1,"b":2}}', '{"m":{"a":1}}'],
  ])('are not shared when %s', (_, before, after) => {
    const change = update(before, after);

    shareEqualParts(change);

    expect(JSON.stringify(change.after)).toBe(after);
    expect(JSON.stringify(change.before)).toBe(before);
  });
});
