/** Lets at most `max` pieces of work go on at once; others wait their turn, in order. */
export function createTurns(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let going = 0;

  return async (work) => {
    if (going === max) await new Promise<void>((resolve) => waiting.push(resolve));
    else going += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The turn is handed on as it is.
      if (next === undefined) going -= 1;
      else next();
    }
  };
}
