import { createRandom } from '../plan/plan-generator.ts';

export type Dice = ReturnType<typeof createDice>;

/** Random choices that a seed determines. */
export function createDice(seed: number) {
  const next = createRandom(seed);
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    chance: (share: number) => next() < share,
    pick<T>(list: readonly T[]): T {
      const found = list[below(list.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
    hex: (length: number) => Array.from({ length }, () => below(16).toString(16)).join(''),
  };
}
