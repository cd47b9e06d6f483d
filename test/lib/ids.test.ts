import { expect, jest, test } from '@jest/globals';
import { newId } from '../../server/lib/ids.ts';

test('an id is a UUID of version 7 that contains its millisecond', () => {
  const before = Date.now();
  const id = newId();

  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBeGreaterThanOrEqual(before);
});

test('ids increase, even many in a millisecond and when the clock steps back', () => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  const ids = Array.from({ length: 10_000 }, newId);
  clock.mockReturnValue(Date.now() - 3_600_000);
  ids.push(...Array.from({ length: 10 }, newId));
  clock.mockRestore();

  expect(ids).toEqual([...new Set(ids)].sort());
});
