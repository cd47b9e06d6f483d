import type { ResourceChange } from '../changes/types.ts';
import { cutText } from '../lib/trim.ts';
import { compareLevels } from '../model/levels.ts';
import type { NotEvaluated, RiskLevel } from '../model/result.ts';
import { createWatchTest, type WatchTest } from '../risk/attributes/index.ts';
import type { Judgement } from '../risk/types.ts';
import { compareText } from './ranking.ts';

const MAX_LISTED = 100;
const MAX_PATHS = 5;
const MAX_PATH = 300;

interface Unknown {
  address: string;
  level: RiskLevel;
  paths: string[];
  paths_total: number;
}

/** Counts attributes that are unknown until apply, and keeps resources for which a rule reads one of them. */
export class Unknowns {
  private attributes = 0;
  private resources = 0;
  private kept: Unknown[] = [];

  add({ address, type, diffs }: ResourceChange, { level }: Pick<Judgement, 'level'>): void {
    let isWatched: WatchTest | undefined;
    const found: Unknown = { address, level, paths: [], paths_total: 0 };
    for (const diff of diffs) {
      if (!diff.after_unknown) continue;
      this.attributes += 1;
      isWatched ??= createWatchTest(type);
      if (!isWatched(diff)) continue;
      found.paths_total += 1;
      if (found.paths.length < MAX_PATHS) found.paths.push(cutText(diff.path, MAX_PATH));
    }
    if (found.paths_total === 0) return;
    this.resources += 1;
    this.kept.push(found);
    if (this.kept.length === 2 * MAX_LISTED) this.kept = this.first();
  }

  /** @param header deferred changes and redaction according to the plan */
  present(
    { deferred, deferred_count, redacted }: { deferred: readonly string[]; deferred_count: number; redacted: boolean },
    redactText: (text: string) => string,
  ): NotEvaluated {
    const known_later = this.first().map(({ address, paths, paths_total }) => ({
      address: redactText(address),
      reason: 'known_after_apply' as const,
      paths: paths.map(redactText),
      paths_total,
    }));
    const later = deferred.map((address) => ({
      address: redactText(address),
      reason: 'deferred' as const,
      paths: [],
      paths_total: 0,
    }));
    return {
      resources: [...known_later, ...later].slice(0, MAX_LISTED),
      resources_total: this.resources + deferred_count,
      unknown_attributes: this.attributes,
      values_withheld: redacted,
    };
  }

  private first(): Unknown[] {
    const byWeight = (a: Unknown, b: Unknown) => compareLevels(b.level, a.level) || compareText(a.address, b.address);
    return this.kept.sort(byWeight).slice(0, MAX_LISTED);
  }
}
