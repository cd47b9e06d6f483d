/** The state of the fake GitHub: a few repositories, permissions, and the requests that it received. */

export type Level = 'read' | 'write';
export type Grant = 'actions' | 'checks' | 'contents' | 'issues' | 'metadata' | 'pull_requests' | 'statuses';
export type Grants = Partial<Record<Grant, Level>>;
export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read';

export interface Account {
  id: number;
  login: string;
  type: 'User' | 'Bot' | 'Organization';
}

export interface Installation {
  id: number;
  account: Account;
  /** Full names. */
  repos: Set<string>;
  grants: Grants;
  suspended: boolean;
  /** Logins of the users who see it in their list of installations. */
  visible_to: Set<string>;
  /** Logins of the owners of its account, who administer all its repositories. */
  owned_by: Set<string>;
}

export interface Token {
  value: string;
  repos: Set<string>;
  grants: Grants;
  /** Milliseconds since the epoch; null = never. */
  expires_at: number | null;
  owner: { kind: 'installation'; installation: Installation } | { kind: 'user'; account: Account };
}

export interface Pull {
  id: number;
  number: number;
  title: string;
  author: Account;
  state: 'open' | 'closed';
  merged: boolean;
  draft: boolean;
  branch: string;
  base_branch: string;
  base_sha: string;
  /** Every commit that was pushed to it, the head last. */
  commits: string[];
  /** Full name of the fork; null when the branch is in the repository itself. */
  fork: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface Issue {
  id: number;
  number: number;
  title: string;
  body: string;
  author: Account;
  state: 'open' | 'closed';
  created_at: Date;
  updated_at: Date;
}

export interface Review {
  id: number;
  author: Account;
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING';
  commit_id: string;
  submitted_at: Date;
}

export interface Comment {
  id: number;
  pr_number: number;
  author: Account;
  app_id: number | null;
  body: string;
  created_at: Date;
  updated_at: Date;
  /** Every body it had, oldest first. */
  history: { body: string; at: Date }[];
  reactions: { content: string; login: string }[];
  deleted: boolean;
}

export interface Artifact {
  id: number;
  run_id: number;
  name: string;
  zip: Buffer;
  expired: boolean;
  created_at: Date;
}

export interface Run {
  id: number;
  name: string;
  head_sha: string;
  head_branch: string;
  event: string;
  run_number: number;
  run_attempt: number;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: string | null;
  actor: Account;
  created_at: Date;
}

export interface CheckRun {
  id: number;
  app_id: number;
  name: string;
  head_sha: string;
  status: string;
  conclusion: string | null;
  details_url: string | null;
  output: { title: string | null; summary: string | null; text: string | null };
  started_at: string | null;
  completed_at: string | null;
  /** Every status that was written, oldest first. */
  history: { status: string; conclusion: string | null }[];
}

export interface Status {
  id: number;
  sha: string;
  state: string;
  context: string;
  description: string | null;
  target_url: string | null;
  creator: Account;
}

export interface Repo {
  id: number;
  full_name: string;
  owner: Account;
  name: string;
  private: boolean;
  default_branch: string;
  /** The previous name; GitHub redirects requests that use it. */
  former_name: string | null;
  collaborators: Map<string, Role>;
  pulls: Map<number, Pull>;
  issues: Issue[];
  has_issues: boolean;
  archived: boolean;
  reviews: Map<number, Review[]>;
  comments: Comment[];
  runs: Run[];
  artifacts: Artifact[];
  checks: CheckRun[];
  statuses: Status[];
  /** Content by `sha:path`; directories have no entry. */
  files: Map<string, Buffer>;
  /** Commits by the API, oldest first. */
  commits: { branch: string; path: string; message: string }[];
}

export interface RecordedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  at: number;
  /** Login, `app`, or `nobody`. */
  who: string;
  status: number;
}

/** A configured failure of the next `times` matching requests. */
export interface Fault {
  method?: string;
  path: RegExp;
  times: number;
  /** `drop`: the connection is closed before the request is processed; `drop-after`: afterwards. */
  how: { status: number; body?: unknown; headers?: Record<string, string> } | 'drop' | 'drop-after' | 'hang';
}

export interface WriteLimit {
  /** This many writes within the window are accepted; the next one is rejected. */
  count: number;
  window_ms: number;
  /** Seconds; null sends no header. */
  retry_after: number | null;
}

export interface GithubAppState {
  app_id: number;
  slug: string;
  client_id: string;
  client_secret: string;
  public_key: string;
  /** The author of its comments. */
  account: Account;
}

export interface GithubState {
  /** Origins, set after the servers start to listen. */
  url: string;
  storage_url: string;
  now: () => number;
  app: GithubAppState;
  installations: Map<number, Installation>;
  tokens: Map<string, Token>;
  /** Login by code, of users who signed in and were redirected. A code works once. */
  codes: Map<string, string>;
  accounts: Map<string, Account>;
  repos: Map<string, Repo>;
  requests: RecordedRequest[];
  faults: Fault[];
  write_limit: WriteLimit | null;
  /** Remaining requests of the hour, and its end in seconds since the epoch; shared by all callers. */
  rate: { limit: number; remaining: number; reset: number };
  token_ttl_ms: number;
  /** Lifetime of a link to the storage of artifacts. */
  link_ttl_ms: number;
  nextId(): number;
}

/** The person, organization or bot with this name; created if it does not exist. */
export function ensureAccount(github: GithubState, login: string, type: Account['type'] = 'User'): Account {
  const known = github.accounts.get(login);
  if (known !== undefined) return known;
  const made: Account = { id: github.nextId(), login, type };
  github.accounts.set(login, made);
  return made;
}

/** @throws Error if no repository has this name */
export function getRepository(github: GithubState, full_name: string): Repo {
  const repo = github.repos.get(full_name);
  if (repo === undefined) throw new Error(`no repository ${full_name}: addRepo makes one`);
  return repo;
}

/** @throws Error if the repository has no such pull request */
export function getPullRequest(github: GithubState, full_name: string, number: number): Pull {
  const pull = getRepository(github, full_name).pulls.get(number);
  if (pull === undefined) throw new Error(`no pull request ${full_name}#${number}: openPullRequest makes one`);
  return pull;
}

/** The head commit of a pull request. */
export function readHead(pull: Pull): string {
  return pull.commits.at(-1)!;
}
