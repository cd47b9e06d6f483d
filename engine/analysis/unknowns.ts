import type { ResourceChange } from '../changes/types.ts';
import { isWatched } from '../risk/attributes/index.ts';

/** As many as the narrative names. */
const MAX_NAMED = 3;

/** Counts the attributes that only apply will tell, and remembers the first few that a rule watches. */
export class Unknowns {
  private count = 0;
  private readonly watched = new Set<string>();

  add({ diffs, type }: ResourceChange): void {
    for (const diff of diffs) {
      if (!diff.after_unknown) continue;
      this.count += 1;
      if (this.watched.size < MAX_NAMED && isWatched(type, diff.path_segments)) this.watched.add(diff.path);
    }
  }

  present(redactText: (text: string) => string): { count: number; watched: string[] } {
    return { count: this.count, watched: [...this.watched].map(redactText) };
  }
}
