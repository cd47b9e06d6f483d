import type { PlanSnapshot, RiskLevel } from '../../../engine/index.ts';

/** The source of a repository: a webhook configuration or an installation. */
export type PullRequestSource =
  | { config_id: string; installation_row_id: null }
  | { config_id: null; installation_row_id: string };

/** A host's data about a pull request. */
export interface ObservedPullRequest {
  repo: string;
  pr_number: number;
  url: string;
  state: 'open' | 'closed' | 'merged';
  is_fork: boolean;
  branch: string | null;
  head_sha: string;
}

/** The published content of comment and check. */
export interface PublishedReview {
  /** RenderedReview.hash of the comment; null if there is none. */
  comment_hash: string | null;
  /** SHA-256 of the check's content. */
  check_hash: string | null;
  /** The commit and CI run that the comment shows. */
  head_sha: string;
  run: number;
  risk_level: RiskLevel | null;
  /** The level that an additional warning comment was posted for; null = none. */
  warned_of: RiskLevel | null;
}

/** A reply to a command, to be posted as a separate comment. */
export interface CommandAnswer {
  /** Id of the command's comment: a repeated delivery is answered once. */
  comment_id: string;
  /** Login of the person who wrote the command. */
  author: string;
  /** Text of the command. */
  title: string;
  /** Markdown written by this service. */
  body: string;
}

/**
 * `new`: to be posted. `posting`: a process has begun to post it, and may have died before recording the result.
 * `posted`: its comment exists; `refused`: the host rejects it. In both cases only the id of the command's comment is
 * kept.
 */
export type KeptAnswer =
  | ({ state: 'new' | 'posting' } & CommandAnswer)
  | { state: 'posted' | 'refused'; comment_id: string };

/** A pull request that the bot comments on. */
export type PullRequest = ObservedPullRequest &
  PullRequestSource & {
    id: string;
    org_id: string;
    is_quiet: boolean;
    head_changed_at: Date;
    comment_id: string | null;
    check_id: string | null;
    /** The commit that has the check. */
    check_sha: string | null;
    published: PublishedReview | null;
    /** The newest hundred, oldest first. */
    answers: KeptAnswer[];
  };

/**
 * `waiting`: to be submitted. `deferred`: the service accepts no more for now; to be submitted at `due_at`.
 * `submitted`: its job was created. `done`: its result was read. `failed`: there will be no result, `error` says why.
 * `superseded`: replaced by a later commit or run.
 */
export type PullRequestPlanStatus = 'waiting' | 'deferred' | 'submitted' | 'done' | 'failed' | 'superseded';

/** A plan that a CI run created for one commit of a pull request. */
export interface PullRequestPlan {
  id: string;
  /** Artifact and path inside it, which distinguish modules. */
  plan_key: string;
  head_sha: string;
  run_id: string;
  run_number: number;
  /** URL of its log; null if it is not known. */
  run_url: string | null;
  /** Hash of the plan's content (64 hex digits); null if the plan could not be read. */
  plan_hash: string | null;
  status: PullRequestPlanStatus;
  job_id: string | null;
  scan_run_id: string | null;
  due_at: Date | null;
  error: string | null;
  snapshot: PlanSnapshot | null;
  created_at: Date;
}

/** A plan whose bytes are still stored, and its pull request. */
export type KeptPullRequestPlan = Pick<PullRequestPlan, 'id' | 'head_sha'> &
  Pick<ObservedPullRequest, 'repo' | 'url' | 'pr_number' | 'branch'>;

/** A plan found among the artifacts of a run: its bytes, pruned and compressed, or why it cannot be read. */
export type FoundPlan = { plan_key: string } & (
  | { plan_hash: string; payload: Uint8Array; error?: never }
  | { error: string; plan_hash?: never; payload?: never }
);

export interface PlanRun {
  id: string;
  number: number;
  head_sha: string;
  url: string;
}

export type PlanChanges = Partial<
  Pick<PullRequestPlan, 'status' | 'job_id' | 'scan_run_id' | 'due_at' | 'error' | 'snapshot'>
>;
export type PullRequestChanges = Partial<Pick<PullRequest, 'comment_id' | 'check_id' | 'check_sha' | 'published'>>;

/** A pull request under the lease of this process. Every write fails after another process has taken it over. */
export interface HeldPullRequest {
  pull_request: PullRequest;
  /** Those of its head commit, by key; if it has none, of the latest commit with plans. */
  plans: PullRequestPlan[];
  /** By key: the result of the newest plan of another commit. */
  previous: ReadonlyMap<string, PlanSnapshot>;
  /** The bytes of a plan, pruned and compressed; undefined if they are no longer stored. */
  readPayload(plan: PullRequestPlan): Promise<Buffer | undefined>;
  /** Updates the row and `plan`; deletes the bytes of a plan that is done or failed. @throws LeaseLost */
  updatePlan(plan: PullRequestPlan, changes: PlanChanges): Promise<void>;
  /** Updates the row and `pull_request`. @throws LeaseLost */
  update(changes: PullRequestChanges): Promise<void>;
  /** Updates the status of a reply. @throws LeaseLost */
  markAnswer(comment_id: string, state: 'posting' | 'posted' | 'refused'): Promise<void>;
  /** Queues the pull request for that time, unless an event occurs before. */
  wakeAt(at: Date): Promise<void>;
  /** Aborts when another process may take over the pull request. */
  signal: AbortSignal;
}
