import { randomBytes } from 'node:crypto';
import {
  buildHookHeaders,
  buildJobHook,
  buildMergeRequestHook,
  buildNoteHook,
  buildPipelineHook,
  type MergeRequestHookInput,
} from './hooks.ts';
import { readLatestVersion } from './present.ts';
import {
  createNote,
  createPipeline,
  emitPipeline,
  type JobInput,
  newSha,
  nextId,
  type PipelineInput,
  retryJob,
} from './records.ts';
import type { Commit, GitlabState, Job, MergeRequest, Note, Pipeline, Project, Token, User } from './types.ts';

export type GitlabActions = ReturnType<typeof createActions>;

/** Actions of users, runners and administrators. */
export function createActions(state: GitlabState) {
  return {
    addUser(username: string, { is_bot = false } = {}): User {
      const user = { id: nextId(), username, name: username, is_bot };
      state.users.push(user);
      return user;
    },

    addToken(user: User, scopes: string[] = ['api']): Token {
      const token = { value: `glpat-${randomBytes(10).toString('hex')}`, user, scopes, revoked: false };
      state.tokens.push(token);
      return token;
    },

    /** Creates a project with one commit on `main`, and members with their access levels. */
    addProject(
      path: string,
      { visibility = 'private', members = [] }: { visibility?: Project['visibility']; members?: [User, number][] } = {},
    ): Project {
      const project: Project = {
        id: nextId(),
        path,
        visibility,
        default_branch: 'main',
        branches: new Map(),
        commits: new Map(),
        members: new Map(members.map(([{ id }, level]) => [id, level])),
        merge_requests: [],
        issues: [],
        issues_enabled: true,
        archived: false,
        pipelines: [],
        statuses: [],
      };
      state.projects.push(project);
      commit(project, { branch: 'main' });
      return project;
    },

    /** Opens a merge request with one new commit; both projects know a commit of a fork. */
    openMergeRequest(
      project: Project,
      { author, branch = 'feature', fork = project }: { author: User; branch?: string; fork?: Project },
    ): MergeRequest {
      const merge_request: MergeRequest = {
        id: nextId(),
        iid: project.merge_requests.length + 1,
        project,
        source_project: fork,
        source_branch: branch,
        target_branch: project.default_branch,
        title: 'A change',
        author,
        state: 'opened',
        versions: [],
        approvals: [],
        notes: [],
      };
      project.merge_requests.push(merge_request);
      push(merge_request);
      return merge_request;
    },

    push,
    commit,

    /** The commit that a merge would create, for merged results pipelines. */
    mergeResult(merge_request: MergeRequest): string {
      const { start_sha, head_sha } = readLatestVersion(merge_request);
      const { project } = merge_request;
      return commit(project, { parents: [project.branches.get(merge_request.target_branch) ?? start_sha, head_sha] })
        .sha;
    },

    /** Approves the merge request; GitLab adds a system note. */
    approve(merge_request: MergeRequest, user: User): void {
      merge_request.approvals.push(user);
      Object.assign(createNote(state, merge_request, user, 'approved this merge request'), { system: true });
    },

    comment(merge_request: MergeRequest, author: User, body: string, { system = false } = {}): Note {
      return Object.assign(createNote(state, merge_request, author, body), { system });
    },

    /** Creates a pipeline in any state, with its hook. */
    runPipeline: (project: Project, input: PipelineInput) => createPipeline(state, project, input),
    retryJob: (pipeline: Pipeline, input: JobInput) => retryJob(state, pipeline, input),

    /** Ends a pipeline and its running jobs. */
    endPipeline(pipeline: Pipeline, status: 'success' | 'failed' | 'canceled' | 'manual' = 'success'): void {
      const finished_at = new Date().toISOString();
      for (const job of pipeline.jobs) if (job.status === 'running') Object.assign(job, { status, finished_at });
      Object.assign(pipeline, { status, finished_at: status === 'manual' ? null : finished_at });
      emitPipeline(state, pipeline);
    },

    hooks: {
      pipeline: (pipeline: Pipeline) => createHook('Pipeline Hook', buildPipelineHook(state, pipeline)),
      job: (pipeline: Pipeline, job: Job) => createHook('Job Hook', buildJobHook(state, pipeline, job)),
      mergeRequest: (merge_request: MergeRequest, input: MergeRequestHookInput) =>
        createHook('Merge Request Hook', buildMergeRequestHook(state, merge_request, input)),
      note: (note: Note, action: 'create' | 'update' = 'create') =>
        createHook('Note Hook', buildNoteHook(state, note, action)),
    },
  };

  function commit(
    project: Project,
    { branch, parents, files = {} }: { branch?: string; parents?: string[]; files?: Record<string, string> },
  ): Commit {
    const before = branch === undefined ? undefined : project.branches.get(branch);
    const parent_ids = parents ?? (before === undefined ? [] : [before]);
    const inherited = project.commits.get(parent_ids[0] ?? '')?.files ?? {};
    const made: Commit = { sha: newSha(), parent_ids, message: 'change', files: { ...inherited, ...files } };
    project.commits.set(made.sha, made);
    if (branch !== undefined) project.branches.set(branch, made.sha);
    return made;
  }

  /** Adds a commit to the source branch. @returns its hash */
  function push(merge_request: MergeRequest, files: Record<string, string> = {}): string {
    const { project, source_project, source_branch, target_branch } = merge_request;
    const target = project.branches.get(target_branch) ?? '';
    const { base_sha = target, head_sha = target } = merge_request.versions.at(-1) ?? {};
    const made = commit(project, { parents: [head_sha], files });
    source_project.commits.set(made.sha, made);
    source_project.branches.set(source_branch, made.sha);
    const created_at = new Date().toISOString();
    merge_request.versions.push({ id: nextId(), head_sha: made.sha, base_sha, start_sha: target, created_at });
    return made.sha;
  }
}

/** A hook as GitLab sends it: its name, its body, and the headers for a secret. */
function createHook(event: string, payload: object) {
  const raw = Buffer.from(JSON.stringify(payload));
  return {
    id: String(nextId()),
    event,
    raw,
    headers: (secret: string, { signed = false } = {}) => buildHookHeaders(event, raw, { secret, signed }),
  };
}
