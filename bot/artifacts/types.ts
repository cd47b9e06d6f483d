import type { PlanAnalysis } from '../../engine/index.ts';
import type { ArchiveOptions, OpenedArchive } from '../../server/adapters/plan-pool/tasks.ts';

export type { ArchiveOptions, OpenedArchive } from '../../server/adapters/plan-pool/tasks.ts';

/** The settings in `.drift.yml` of a repository. */
export interface RepoSettings {
  /** Globs for names of artifacts, or for `artifact/path/in/it.json`. */
  artifacts: string[];
}

/** Reads plans on plan threads: the event loop never unpacks or parses them. */
export interface PlanReader {
  /** Transfers the bytes, so that the caller must not use them afterwards. Never rejects, whatever the bytes are. */
  openArchive(org_id: string, zip: Uint8Array, options: ArchiveOptions): Promise<OpenedArchive>;
  /** Analyzes a plan with built-in rules only. */
  judge(
    org_id: string,
    payload: Uint8Array,
    context: { repo: string; branch: string | null },
  ): Promise<PlanAnalysis | { error: string }>;
}
