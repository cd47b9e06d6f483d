export interface User {
  id: number;
  username: string;
  name: string;
  is_bot: boolean;
}

export interface Token {
  value: string;
  user: User;
  scopes: string[];
  revoked: boolean;
}

export interface Commit {
  sha: string;
  parent_ids: string[];
  message: string;
  files: Record<string, string>;
}

export interface Project {
  id: number;
  path: string;
  visibility: 'private' | 'internal' | 'public';
  default_branch: string;
  /** Commit by branch name. */
  branches: Map<string, string>;
  commits: Map<string, Commit>;
  /** Access level by user ID: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
  members: Map<number, number>;
  merge_requests: MergeRequest[];
  issues: Issue[];
  issues_enabled: boolean;
  archived: boolean;
  pipelines: Pipeline[];
  statuses: CommitStatus[];
}

export interface Issue {
  id: number;
  iid: number;
  title: string;
  description: string;
  author: User;
  state: 'opened' | 'closed';
  created_at: string;
  updated_at: string;
  notes: { id: number; body: string; author: User; system: boolean; created_at: string }[];
}

/** A version of the changes, created by each push. */
export interface Version {
  id: number;
  head_sha: string;
  base_sha: string;
  start_sha: string;
  created_at: string;
}

export interface MergeRequest {
  id: number;
  iid: number;
  project: Project;
  source_project: Project;
  source_branch: string;
  target_branch: string;
  title: string;
  author: User;
  state: 'opened' | 'closed' | 'merged' | 'locked';
  /** Oldest first. */
  versions: Version[];
  approvals: User[];
  notes: Note[];
}

export interface Pipeline {
  id: number;
  iid: number;
  project: Project;
  ref: string;
  sha: string;
  source: string;
  tag: boolean;
  status: string;
  merge_request: MergeRequest | null;
  user: User;
  jobs: Job[];
  created_at: string;
  finished_at: string | null;
}

export interface Job {
  id: number;
  name: string;
  stage: string;
  status: string;
  manual: boolean;
  /** The ZIP archive; null if the job keeps none. */
  archive: Uint8Array | null;
  expired: boolean;
  /** Whether a later attempt replaced this job. */
  retried: boolean;
  created_at: string;
  finished_at: string | null;
}

export interface Note {
  id: number;
  merge_request: MergeRequest;
  author: User;
  body: string;
  system: boolean;
  internal: boolean;
  created_at: string;
  updated_at: string;
  /** Every body it had, oldest first. */
  history: string[];
  awards: { id: number; name: string; user: User }[];
}

export interface CommitStatus {
  id: number;
  sha: string;
  ref: string;
  name: string;
  status: string;
  target_url: string | null;
  description: string | null;
  user: User;
  pipeline: Pipeline;
  created_at: string;
  finished_at: string | null;
}

export interface RecordedRequest {
  method: string;
  /** As sent, including the query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A configured failure of the next requests. */
export interface Fault {
  /** Matched against method and path, `GET /api/v4/user`; matches all requests by default. */
  match?: RegExp;
  /** 1 by default. */
  times?: number;
  /** 0 closes the connection. */
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Processes the request first; only the response is lost. */
  after?: boolean;
}

export interface GitlabState {
  url: string;
  users: User[];
  tokens: Token[];
  projects: Project[];
  faults: Fault[];
  requests: RecordedRequest[];
  /** Hooks that the project's webhooks have sent, oldest first. */
  hooks: { event: string; payload: object }[];
  /** Whether GitLab streams artifacts itself or redirects to the object storage. */
  artifacts: 'proxied' | 'redirected';
  /** Target of redirects: the origin of the object storage. */
  storage_url: string;
  /** Releases before 18.3 respond with 400 if a status is set to its current value. */
  refuses_same_status: boolean;
  /** Notes that match are rejected as spam. */
  spam: RegExp | null;
}
