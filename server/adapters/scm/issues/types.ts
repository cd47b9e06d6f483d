/** Issues of a repository on a Git host, as its token can read and write them. */
import type { RepositoryAccess } from '../per-repository.ts';

export interface IssueContent {
  title: string;
  /** Markdown; its first line identifies the issue. */
  body: string;
}

/**
 * Why a repository does not accept issues:
 * - `no_repository`: it does not exist, has moved, or the token cannot see it
 * - `issues_disabled`: it has no issues
 * - `archived`: it is read-only
 * - `no_permission`: the token may not write issues
 */
export type IssueObstacle = 'no_repository' | 'issues_disabled' | 'archived' | 'no_permission';

/**
 * The issues of one repository. Implementations limit their own writes, retry what can be repeated safely, honor
 * Retry-After and rate limits, and read every page of a list.
 *
 * @throws PlatformError
 */
export interface IssueTracker {
  /** Finds an issue of our own user whose body begins with `mark`; undefined if there is none that changed since then. */
  find(mark: string, since: Date): Promise<number | undefined>;
  /** @returns the number of the new issue */
  create(content: IssueContent): Promise<number>;
  /** Replaces title and text, and opens or closes the issue. @returns false if it does not exist anymore */
  update(number: number, content: IssueContent & { is_open: boolean }): Promise<boolean>;
  /** Whether our own user has written a comment since then that begins with `mark`. */
  hasComment(number: number, mark: string, since: Date): Promise<boolean>;
  comment(number: number, body: string): Promise<void>;
  /** Asks why an issue could not be read or written. */
  explain(): Promise<IssueObstacle>;
}

export type OpenIssues = (access: RepositoryAccess) => IssueTracker;
