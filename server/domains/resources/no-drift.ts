import type { DriftReader } from './types.ts';

/** For a release that does not compute drift. */
export const NO_DRIFT: DriftReader = {
  listLatest: async () => [],
  listDaily: async () => [],
};
