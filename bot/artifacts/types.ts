import type { PlanAnalysis } from '../../engine/index.ts';
import type { ArchiveOptions, OpenedArchive } from '../../server/adapters/plan-pool/tasks.ts';

export type { ArchiveOptions, OpenedArchive } from '../../server/adapters/plan-pool/tasks.ts';

/** What a repository says in its `.drift.yml`. */
export interface RepoSettings {
  /** Globs over the names of artifacts, or over `artifact/path/in/it.json`. */
  artifacts: string[];
}

/** Plan text is read elsewhere: the event loop never unpacks or parses it. */
export interface PlanReader {
  /** Takes the bytes: they are not to be used afterwards. Whatever they are, it answers. */
  openArchive(org_id: string, zip: Uint8Array, options: ArchiveOptions): Promise<OpenedArchive>;
  /** Judges a plan by the built-in rules alone. */
  judge(
    org_id: string,
    payload: Uint8Array,
    context: { repo: string; branch: string | null },
  ): Promise<PlanAnalysis | { error: string }>;
}
