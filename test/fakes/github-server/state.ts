/** What the counterpart of GitHub knows: a few repositories, who may do what, and what was asked of it. */

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
  /** Logins of those who find it among theirs. */
  visible_to: Set<string>;
  /** Logins of those who own its account, and so administer every repository of it. */
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
  /** Every commit that was ever pushed to it, the head last. */
  commits: string[];
  /** Full name of the fork; null when the branch is in the repository itself. */
  fork: string | null;
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
  /** Every body it had, the present one last. */
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
  /** What it said each time it was written. */
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
  /** The name it had before; asked for by it, GitHub redirects. */
  former_name: string | null;
  collaborators: Map<string, Role>;
  pulls: Map<number, Pull>;
  reviews: Map<number, Review[]>;
  comments: Comment[];
  runs: Run[];
  artifacts: Artifact[];
  checks: CheckRun[];
  statuses: Status[];
  /** `sha:path` → content; a path of a directory is not listed. */
  files: Map<string, Buffer>;
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

/** A failure to come: the next `times` requests that match. */
export interface Fault {
  method?: string;
  path: RegExp;
  times: number;
  /** `drop`: the connection breaks before anything is done; `drop-after`: once it is done. */
  how: { status: number; body?: unknown; headers?: Record<string, string> } | 'drop' | 'drop-after' | 'hang';
}

export interface WriteLimit {
  /** So many writes within the window are taken, the next one is refused. */
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
  /** As whom it comments. */
  account: Account;
}

export interface GithubState {
  /** Origins, set once the servers listen. */
  url: string;
  storage_url: string;
  now: () => number;
  app: GithubAppState;
  installations: Map<number, Installation>;
  tokens: Map<string, Token>;
  /** Code → login: of people who have said who they are, and were sent back. Each works once. */
  codes: Map<string, string>;
  accounts: Map<string, Account>;
  repos: Map<string, Repo>;
  requests: RecordedRequest[];
  faults: Fault[];
  write_limit: WriteLimit | null;
  /** Requests left in the hour and its end in seconds since the epoch, the same for everybody. */
  rate: { limit: number; remaining: number; reset: number };
  token_ttl_ms: number;
  /** Of a link to the storage of artifacts. */
  link_ttl_ms: number;
  nextId(): number;
}

/** A person, organization or bot of this name, made when it is new. */
export function ensureAccount(github: GithubState, login: string, type: Account['type'] = 'User'): Account {
  const known = github.accounts.get(login);
  if (known !== undefined) return known;
  const made: Account = { id: github.nextId(), login, type };
  github.accounts.set(login, made);
  return made;
}

export function getRepository(github: GithubState, full_name: string): Repo {
  const repo = github.repos.get(full_name);
  if (repo === undefined) throw new Error(`no repository ${full_name}: addRepo makes one`);
  return repo;
}

export function getPullRequest(github: GithubState, full_name: string, number: number): Pull {
  const pull = getRepository(github, full_name).pulls.get(number);
  if (pull === undefined) throw new Error(`no pull request ${full_name}#${number}: openPullRequest makes one`);
  return pull;
}

export function readHead(pull: Pull): string {
  return pull.commits.at(-1)!;
}
