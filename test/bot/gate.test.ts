import { expect, test } from '@jest/globals';
import { createGate } from '../../bot/gate.ts';

test('no more are inside at once than there are places, and everybody gets in, also after a failure', async () => {
  const gate = createGate(3);
  let inside = 0;
  let most = 0;
  const order: number[] = [];
  const visit = (n: number) =>
    gate(async () => {
      order.push(n);
      inside += 1;
      most = Math.max(most, inside);
      for (let turn = 0; turn <= n % 4; turn += 1) await Promise.resolve();
      inside -= 1;
      if (n % 5 === 0) throw new Error('it failed');
      return n;
    });

  const ends = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => visit(n)));

  expect(most).toBe(3);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  expect(await visit(1)).toBe(1);
});
