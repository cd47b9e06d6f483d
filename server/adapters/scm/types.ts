import type { CheckConclusion } from '../../../engine/index.ts';

/**
 * What was linked to an org: an installation of the GitHub App, or a repository that is wired by a webhook.
 * `id` is the id of its row.
 */
export type Source = { org_id: string; id: string } & (
  | { kind: 'installation'; installation_id: number }
  | { kind: 'config'; provider: 'github' | 'gitlab'; provider_base_url: string; repo_path: string }
);

/** A pull request of a repository, which its host names `owner/name` or `group/subgroup/project`. */
export interface PullRequestRef {
  repo: string;
  pr_number: number;
}

/** A pull (merge) request as its host tells it now. */
export interface HostedPullRequest extends PullRequestRef {
  url: string;
  state: 'open' | 'closed' | 'merged';
  head_sha: string;
  /** The source branch. */
  branch: string;
  /** The commit of the target branch: settings of the repository are read from there, never from the proposal. */
  base_sha: string;
  is_fork: boolean;
}

/** A finished run of a workflow (GitHub) or a pipeline (GitLab). */
export interface CiRun {
  id: string;
  /** Grows with every later run and every repetition of one. */
  number: number;
  head_sha: string;
  /** Where people read its log. */
  url: string;
}

export interface ArtifactRef {
  id: string;
  /** GitHub: the artifact's name. GitLab: the job's. */
  name: string;
  /** Packed, in bytes, as the host says it; null when it does not. */
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
  /** Where the verdict links to; null = nowhere. */
  url: string | null;
}

/**
 * What a bot asks of the host of a source's repositories. Paces its own writes, retries what may be retried, honours
 * Retry-After and secondary rate limits, and reads every page of what it lists.
 *
 * @throws PlatformError
 */
export interface Platform {
  readonly dialect: 'github' | 'gitlab';
  /**
   * The open pull request whose head this commit is, or whose merge with its target: GitLab runs pipelines on such, too.
   * Its own `head_sha` is what to go on with. null when there is none.
   */
  findPullRequest(repo: string, head_sha: string): Promise<HostedPullRequest | null>;
  getPullRequest(pr: PullRequestRef): Promise<HostedPullRequest>;
  /** Finished runs of this commit, newest first, at most 20. */
  listRuns(repo: string, head_sha: string): Promise<CiRun[]>;
  listArtifacts(repo: string, run: CiRun): Promise<ArtifactRef[]>;
  /** The ZIP archive's bytes. @throws PlatformError `too_large` beyond `max_bytes`, without reading on */
  downloadArtifact(repo: string, artifact: ArtifactRef, max_bytes: number): Promise<Uint8Array>;
  /** A file of the repository at a commit; null when there is none, or it is larger than 64 KiB. */
  readFile(repo: string, path: string, sha: string): Promise<string | null>;
  /** Comments that our own user wrote, oldest first. */
  listOwnComments(pr: PullRequestRef): AsyncIterable<{ id: string; body: string }>;
  createComment(pr: PullRequestRef, body: string): Promise<{ id: string }>;
  /** @returns false when the comment is there no more */
  updateComment(pr: PullRequestRef, id: string, body: string): Promise<boolean>;
  /**
   * Tells the check of a commit: creates it, or updates the one with this id, which an earlier call returned for the same
   * commit.
   */
  setCheck(pr: PullRequestRef, check_id: string | null, update: CheckUpdate): Promise<{ id: string }>;
  /** Whether a person has approved the pull request as it is. */
  isApproved(pr: PullRequestRef): Promise<boolean>;
  readPermission(repo: string, login: string): Promise<Permission>;
  /** Acknowledges that a comment was read as a command. */
  react(pr: PullRequestRef, comment_id: string): Promise<void>;
}

/**
 * `gone`: 404, 410, or access withdrawn for this repository. `forbidden`: 401, or a 403 that is no rate limit. `rate_limited`:
 * to be asked again after `retry_after` seconds. `unavailable`: 5xx, no connection, timeout. `rejected`: any other 4xx, which
 * no retry mends. `too_large`: more than was asked for.
 */
export type PlatformErrorClass = 'gone' | 'forbidden' | 'rate_limited' | 'unavailable' | 'rejected' | 'too_large';

/** Its message is made of our words alone: a host's error text may echo what we sent. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly error_class: PlatformErrorClass;
  /** Seconds; null when the host did not say. */
  readonly retry_after: number | null;

  constructor(error_class: PlatformErrorClass, message: string, retry_after: number | null = null) {
    super(message);
    this.error_class = error_class;
    this.retry_after = retry_after;
  }
}

/** What a delivery means, the same for every host. */
export type BotEvent =
  /** A run has ended: its artifacts may hold plans. */
  | { what: 'run_finished'; repo: string; run: CiRun }
  /** Someone pressed "re-run" at our check. */
  | { what: 'check_rerequested'; repo: string; head_sha: string }
  /** Opened, pushed to, reopened, closed, merged. */
  | { what: 'pull_request_changed'; pr: PullRequestRef }
  /** A new comment of a person whose first line is one of our commands; never an edited one, never one of a bot. */
  | { what: 'command'; pr: PullRequestRef; comment_id: string; author: string; line: string };
