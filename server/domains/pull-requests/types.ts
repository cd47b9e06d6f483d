import type { PlanSnapshot, RiskLevel } from '../../../engine/index.ts';

/** Whose repository it is: a webhook configuration's, or an installation's. */
export type PullRequestSource =
  | { config_id: string; installation_row_id: null }
  | { config_id: null; installation_row_id: string };

/** What its host tells of a pull request. */
export interface ObservedPullRequest {
  repo: string;
  pr_number: number;
  url: string;
  state: 'open' | 'closed' | 'merged';
  is_fork: boolean;
  branch: string | null;
  head_sha: string;
}

/** What the comment and the check say now. */
export interface PublishedReview {
  /** Of the comment, RenderedReview.hash; null while there is none. */
  comment_hash: string | null;
  /** SHA-256 over what the check says. */
  check_hash: string | null;
  /** The commit and CI run that the comment tells of. */
  head_sha: string;
  run: number;
  risk_level: RiskLevel | null;
  /** The level that a comment of its own has warned of; null = none has. */
  warned_of: RiskLevel | null;
}

/** An answer to a command, to be posted as a comment of its own. */
export interface CommandAnswer {
  /** Of the comment that asked: a delivery that comes twice is answered once. */
  comment_id: string;
  /** Login of whoever asked. */
  author: string;
  /** Raw text: what was asked. */
  title: string;
  /** Markdown of our own making. */
  body: string;
}

/**
 * `new`: to be posted. `posting`: a process has begun to post it, and may have died before it could say so. `posted`: its
 * comment is there; `refused`: its host does not take it. Of either only the comment that asked is kept.
 */
export type KeptAnswer =
  | ({ state: 'new' | 'posting' } & CommandAnswer)
  | { state: 'posted' | 'refused'; comment_id: string };

/** A pull request that the bot looks after. */
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
 * `waiting`: to be submitted. `deferred`: the service takes no more for now; to be submitted at `due_at`. `submitted`: its
 * job runs, or ran. `done`: its result was read. `failed`: no result to come, `error` says why. `superseded`: a later commit
 * or run took its place.
 */
export type PullRequestPlanStatus = 'waiting' | 'deferred' | 'submitted' | 'done' | 'failed' | 'superseded';

/** A plan that a CI run has made for one commit of a pull request. */
export interface PullRequestPlan {
  id: string;
  /** Artifact and path inside it: what tells modules apart. */
  plan_key: string;
  head_sha: string;
  run_id: string;
  run_number: number;
  /** Where people read its log; null where that is not known. */
  run_url: string | null;
  /** 64 hex over what the plan says; null for one that could not be read. */
  plan_hash: string | null;
  status: PullRequestPlanStatus;
  job_id: string | null;
  scan_run_id: string | null;
  due_at: Date | null;
  error: string | null;
  snapshot: PlanSnapshot | null;
  created_at: Date;
}

/** A plan whose bytes are still kept, and the pull request that it belongs to. */
export type KeptPullRequestPlan = Pick<PullRequestPlan, 'id' | 'head_sha'> &
  Pick<ObservedPullRequest, 'repo' | 'url' | 'pr_number' | 'branch'>;

/** A plan as it was found among the artifacts of a run: its bytes, pruned and compressed, or why it is none. */
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

/** A pull request while this process alone works on it. Every write fails once another process has taken it over. */
export interface HeldPullRequest {
  pull_request: PullRequest;
  /** Those of its head commit, by key; of the commit that has any most lately, where the head has none. */
  plans: PullRequestPlan[];
  /** By key: what the newest plan of another commit came to. */
  previous: ReadonlyMap<string, PlanSnapshot>;
  /** The bytes of a plan, pruned and compressed; undefined when they are kept no more. */
  readPayload(plan: PullRequestPlan): Promise<Buffer | undefined>;
  /** Writes to the row, and to `plan`; bytes of one that is done or failed are deleted. @throws LeaseLost */
  updatePlan(plan: PullRequestPlan, changes: PlanChanges): Promise<void>;
  /** Writes to the row, and to `pull_request`. @throws LeaseLost */
  update(changes: PullRequestChanges): Promise<void>;
  /** Notes how far an answer to a command has come. @throws LeaseLost */
  markAnswer(comment_id: string, state: 'posting' | 'posted' | 'refused'): Promise<void>;
  /** Has the pull request worked on again then, unless something happens to it before. */
  wakeAt(at: Date): Promise<void>;
  /** Aborts when another process may take the pull request over. */
  signal: AbortSignal;
}
