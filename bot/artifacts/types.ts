import type { PlanAnalysis } from '../../engine/index.ts';

/** What a repository says in its `.drift.yml`. */
export interface RepoSettings {
  /** Globs over the names of artifacts, or over `artifact/path/in/it.json`. */
  artifacts: string[];
}

export interface ArchiveOptions {
  /** Of the artifact: what globs see before the path of a file. */
  name: string;
  /** Globs over `name/path` of the files to read; null = every file whose name ends in .json. */
  patterns: string[] | null;
  max_plans: number;
  /** All files together, unpacked. */
  max_bytes: number;
}

/** A plan of an archive, pruned and compressed, or why it cannot be read; a path of `` stands for the archive. */
export type FoundArchivePlan = { path: string } & (
  | { plan_hash: string; payload: Uint8Array; error?: never }
  | { error: string; plan_hash?: never; payload?: never }
);

export interface OpenedArchive {
  plans: FoundArchivePlan[];
  /** JSON files that are something else. */
  skipped: number;
  /** Bytes that its files took, unpacked. */
  unpacked_bytes: number;
  /** Why nothing was read of it, in words for people. */
  refused: string | null;
}

/** Plan text is read elsewhere: the event loop never unpacks or parses it. */
export interface PlanReader {
  /** Takes the bytes: they are not to be used afterwards. Whatever they are, it answers. */
  openArchive(zip: Uint8Array, options: ArchiveOptions): Promise<OpenedArchive>;
  /** The JSON text of a plan that was found. */
  planText(payload: Uint8Array): Promise<string>;
  /** Judges a plan by the built-in rules alone. */
  judge(
    payload: Uint8Array,
    context: { repo: string; branch: string | null },
  ): Promise<PlanAnalysis | { error: string }>;
}
