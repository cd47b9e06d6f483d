const ROWS_AT_ONCE = 1_000;

/**
 * Repeats a statement that changes up to `limit` rows until it changes fewer, so that no statement holds many locks.
 *
 * @param work returns the number of changed rows
 */
export async function inBatches(work: (limit: number) => Promise<number>): Promise<void> {
  while ((await work(ROWS_AT_ONCE)) >= ROWS_AT_ONCE);
}
