import type { CheckConclusion } from '../../../engine/index.ts';

/** A pull request; `repo` is `owner/name` or `group/subgroup/project`. */
export interface PullRequestRef {
  repo: string;
  pr_number: number;
}

/** The current state of a pull request or merge request on its Git host. */
export interface HostedPullRequest extends PullRequestRef {
  url: string;
  state: 'open' | 'closed' | 'merged';
  head_sha: string;
  /** The source branch. */
  branch: string;
  /** The commit of the target branch: settings are read from there, never from the pull request. */
  base_sha: string;
  is_fork: boolean;
}

/** A finished run of a workflow (GitHub) or a pipeline (GitLab). */
export interface CiRun {
  id: string;
  /** Increases with each run and each rerun. */
  number: number;
  head_sha: string;
  /** Address of its log. */
  url: string;
}

export interface ArtifactRef {
  id: string;
  /** GitHub: the artifact's name. GitLab: the job's. */
  name: string;
  /** Packed size in bytes; null if the Git host does not report it. */
  size: number | null;
}

export type Permission = 'none' | 'read' | 'write';

/** The check run or commit status `drift/plan`. */
export interface CheckUpdate {
  head_sha: string;
  /** null = in progress. */
  conclusion: CheckConclusion | null;
  title: string;
  summary: string;
  text: string;
  /** Details link; null = none. */
  url: string | null;
}

/**
 * A Git host. Implementations limit their own writes, retry what can be repeated safely, honor Retry-After and secondary
 * rate limits, and read every page of a list.
 *
 * @throws PlatformError
 */
export interface Platform {
  readonly dialect: 'github' | 'gitlab';
  /**
   * Finds the open pull request with this head commit, or with this temporary merge commit (GitLab runs pipelines on those).
   * Use `head_sha` of the result from then on. Returns null if there is none.
   */
  findPullRequest(repo: string, head_sha: string): Promise<HostedPullRequest | null>;
  getPullRequest(pr: PullRequestRef): Promise<HostedPullRequest>;
  /** Finished runs of this commit, newest first, at most 20. */
  listRuns(repo: string, head_sha: string): Promise<CiRun[]>;
  listArtifacts(repo: string, run: CiRun): Promise<ArtifactRef[]>;
  /** Downloads the ZIP archive. @throws PlatformError `too_large` beyond `max_bytes`; the rest is not read */
  downloadArtifact(repo: string, artifact: ArtifactRef, max_bytes: number): Promise<Uint8Array>;
  /** Reads a file at a commit; null if it does not exist or is larger than 64 KiB. */
  readFile(repo: string, path: string, sha: string): Promise<string | null>;
  /** Lists the comments of our own user, oldest first. */
  listOwnComments(pr: PullRequestRef): AsyncIterable<{ id: string; body: string }>;
  createComment(pr: PullRequestRef, body: string): Promise<{ id: string }>;
  /** @returns false if the comment has been deleted */
  updateComment(pr: PullRequestRef, id: string, body: string): Promise<boolean>;
  /**
   * Sets the check of a commit: creates it, or updates the one with this ID, which an earlier call for the same commit
   * returned.
   */
  setCheck(pr: PullRequestRef, check_id: string | null, update: CheckUpdate): Promise<{ id: string }>;
  /** Whether a person has approved the current state of the pull request. */
  isApproved(pr: PullRequestRef): Promise<boolean>;
  readPermission(repo: string, login: string): Promise<Permission>;
  /** Acknowledges a command with a reaction. */
  react(pr: PullRequestRef, comment_id: string): Promise<void>;
}

/**
 * - `gone`: 404, 410, or no access to this repository
 * - `forbidden`: 401, or a 403 that is not a rate limit
 * - `rate_limited`: retry after `retry_after` seconds
 * - `unavailable`: 5xx, no connection, timeout
 * - `rejected`: any other 4xx; a retry does not help
 * - `too_large`: the response exceeds the limit
 */
export type PlatformErrorClass = 'gone' | 'forbidden' | 'rate_limited' | 'unavailable' | 'rejected' | 'too_large';

/** An error of a Git host. The message never contains text of the host, which can echo what we sent. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly error_class: PlatformErrorClass;
  /** Seconds; null if the Git host did not say. */
  readonly retry_after: number | null;

  constructor(error_class: PlatformErrorClass, message: string, retry_after: number | null = null) {
    super(message);
    this.error_class = error_class;
    this.retry_after = retry_after;
  }
}

/** The meaning of a delivery, the same for every Git host. */
export type BotEvent =
  /** A CI run has ended; its artifacts may contain plans. */
  | { what: 'run_finished'; repo: string; run: CiRun }
  /** Someone pressed "Re-run" on our check. */
  | { what: 'check_rerequested'; repo: string; head_sha: string }
  /** Opened, pushed to, reopened, approved, closed, merged. */
  | { what: 'pull_request_changed'; pr: PullRequestRef }
  /** A new comment of a person whose first line is a command; not an edited comment, not a comment of a bot. */
  | { what: 'command'; pr: PullRequestRef; comment_id: string; author: string; line: string };
