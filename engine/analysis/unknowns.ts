import type { ResourceChange } from '../changes/types.ts';
import { createWatchTest, type WatchTest } from '../risk/attributes/index.ts';

/** As many as the narrative names. */
const MAX_NAMED = 3;

/** Counts the attributes that only apply will tell, and remembers the first few that a rule watches. */
export class Unknowns {
  private count = 0;
  private readonly watched = new Set<string>();

  add({ diffs, type }: ResourceChange): void {
    let isWatched: WatchTest | undefined;
    for (const diff of diffs) {
      if (!diff.after_unknown) continue;
      this.count += 1;
      if (this.watched.size >= MAX_NAMED) continue;
      isWatched ??= createWatchTest(type);
      if (isWatched(diff)) this.watched.add(diff.path);
    }
  }

  present(redactText: (text: string) => string): { count: number; watched: string[] } {
    return { count: this.count, watched: [...this.watched].map(redactText) };
  }
}
