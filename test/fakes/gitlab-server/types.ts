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
  /** Name of a branch → commit. */
  branches: Map<string, string>;
  commits: Map<string, Commit>;
  /** Id of a user → access level: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
  members: Map<number, number>;
  merge_requests: MergeRequest[];
  pipelines: Pipeline[];
  statuses: CommitStatus[];
}

/** What was proposed from one push to the next. */
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
  /** The ZIP archive; null when the job keeps none. */
  archive: Uint8Array | null;
  expired: boolean;
  /** A later attempt of the same job took its place. */
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
  /** Every text it has had, oldest first. */
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
  /** As it was sent, with its query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** What goes wrong with requests from now on. */
export interface Fault {
  /** Matched against method and path, `GET /api/v4/user`; all requests when not given. */
  match?: RegExp;
  /** 1 when not given. */
  times?: number;
  /** 0 = the connection is dropped. */
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Does what was asked first: only the answer is lost. */
  after?: boolean;
}

export interface GitlabState {
  url: string;
  users: User[];
  tokens: Token[];
  projects: Project[];
  faults: Fault[];
  requests: RecordedRequest[];
  /** Hooks that the project's webhooks would have sent by now, oldest first. */
  hooks: { event: string; payload: object }[];
  /** Whether artifacts are streamed by GitLab itself, or the caller is sent to the object storage. */
  artifacts: 'proxied' | 'redirected';
  /** Where redirects lead; the origin of the object storage. */
  storage_url: string;
  /** Releases before 18.3 answer 400 to a status that is set again. */
  refuses_same_status: boolean;
  /** Text that the spam check refuses in notes. */
  spam: RegExp | null;
}
