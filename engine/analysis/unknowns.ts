import type { ResourceChange } from '../changes/types.ts';
import { type DocumentReader, MAX_DOCUMENT_CHARS } from '../documents/reader.ts';
import { cutText } from '../lib/trim.ts';
import { compareLevels } from '../model/levels.ts';
import type { AttributeDiff, JsonValue, NotEvaluated, RiskLevel, UnevaluatedResource } from '../model/result.ts';
import { createWatchTest, type WatchTest } from '../risk/attributes/index.ts';
import type { Judgement } from '../risk/types.ts';
import { compareText } from './ranking.ts';

const MAX_LISTED = 100;
const MAX_PATHS = 5;
const MAX_PATH = 300;

interface Unknown extends UnevaluatedResource {
  level: RiskLevel;
}

/**
 * Counts attributes that are unknown until apply, and keeps resources for which a rule reads one of them, or of which a
 * document was too large to read.
 */
export class Unknowns {
  private attributes = 0;
  private resources = 0;
  private kept: Unknown[] = [];
  private readonly documents: DocumentReader;

  constructor(documents: DocumentReader) {
    this.documents = documents;
  }

  add({ address, type, diffs }: ResourceChange, { level }: Pick<Judgement, 'level'>): void {
    let isWatched: WatchTest | undefined;
    let unknown: Unknown | undefined;
    let unread: Unknown | undefined;
    for (const diff of diffs) {
      if (isUnread(diff, this.documents)) {
        unread ??= { address, level, reason: 'too_large', paths: [], paths_total: 0 };
        addPath(unread, diff);
      }
      if (!diff.after_unknown) continue;
      this.attributes += 1;
      isWatched ??= createWatchTest(type);
      if (!isWatched(diff)) continue;
      unknown ??= { address, level, reason: 'known_after_apply', paths: [], paths_total: 0 };
      addPath(unknown, diff);
    }
    this.keep(unknown);
    this.keep(unread);
  }

  private keep(found: Unknown | undefined): void {
    if (found === undefined) return;
    this.resources += 1;
    this.kept.push(found);
    if (this.kept.length === 2 * MAX_LISTED) this.kept = this.first();
  }

  /** @param header deferred changes and redaction according to the plan */
  present(
    { deferred, deferred_count, redacted }: { deferred: readonly string[]; deferred_count: number; redacted: boolean },
    redactText: (text: string) => string,
  ): NotEvaluated {
    const named = this.first().map(({ address, reason, paths, paths_total }) => ({
      address: redactText(address),
      reason,
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
      resources: [...named, ...later].slice(0, MAX_LISTED),
      resources_total: this.resources + deferred_count,
      unknown_attributes: this.attributes,
      values_withheld: redacted,
    };
  }

  private first(): Unknown[] {
    const byWeight = (a: Unknown, b: Unknown) =>
      compareLevels(b.level, a.level) || compareText(a.address, b.address) || compareText(a.reason, b.reason);
    return this.kept.sort(byWeight).slice(0, MAX_LISTED);
  }
}

function addPath(found: Unknown, { path }: AttributeDiff): void {
  found.paths_total += 1;
  if (found.paths.length < MAX_PATHS) found.paths.push(cutText(path, MAX_PATH));
}

/** A text that is not proven equal, and that no rule reads because of its length or of what it would expand to. */
function isUnread({ before, after, same }: AttributeDiff, documents: DocumentReader): boolean {
  const isTooLarge = (side: JsonValue) =>
    typeof side === 'string' && (side.length > MAX_DOCUMENT_CHARS || documents.isUnread(side));
  return same === undefined && (isTooLarge(before) || isTooLarge(after));
}
