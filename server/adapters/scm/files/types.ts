/** Files of a repository on a Git host, as its token can read and write them. */
import type { RepositoryAccess } from '../per-repository.ts';

export interface NewFile {
  /** null: the default branch. */
  branch: string | null;
  path: string;
  text: string;
  /** Message of the commit. */
  message: string;
}

/** Implementations limit their own writes, and honor Retry-After and rate limits. @throws PlatformError */
export interface RepositoryFiles {
  /** The text of a file; undefined if there is none. */
  read(file: Pick<NewFile, 'branch' | 'path'>): Promise<string | undefined>;
  /** Commits a file that does not exist. @throws PlatformError `rejected` also if it exists */
  create(file: NewFile): Promise<void>;
}

/**
 * Commits a new file. Commits nothing if the file has this text.
 *
 * @returns false if the file has another text
 * @throws PlatformError
 */
export type CommitOnce = (access: RepositoryAccess, file: NewFile) => Promise<boolean>;
