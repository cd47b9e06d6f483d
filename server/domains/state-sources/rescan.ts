/** States of one glob. */
export const MOST_CHILDREN = 500;

/** What the last rescan of a glob found wrong. */
export interface RescanFacts {
  /** Why it ended early. */
  failure: string | null;
  /** There are more matches than can be registered. */
  truncated: boolean;
  /** Registered sources that the bucket no longer contains. */
  missing: number;
}

/** For people: what is wrong and what to do; null if nothing is. */
export function describeRescan({ failure, truncated, missing }: RescanFacts): string | null {
  if (failure !== null) return failure;
  const problems = [
    ...(truncated ? [`more than ${MOST_CHILDREN} states match: use globs with longer prefixes`] : []),
    ...(missing > 0 ? [`${describeCount(missing)} no longer in the bucket: delete sources that you do not need`] : []),
  ];
  return problems.length === 0 ? null : problems.join('; ');
}

function describeCount(missing: number): string {
  return missing === 1 ? '1 registered state is' : `${missing} registered states are`;
}
