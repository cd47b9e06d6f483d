/** Lets so many in at once; the others wait outside, in the order they came. */
export function createGate(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let inside = 0;
  const waiting: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (inside < places) inside += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve)); // a place is handed over
  }

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) inside -= 1;
    else next();
  }

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
