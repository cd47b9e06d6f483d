import { createHmac, randomUUID } from 'node:crypto';
import { buildMergeRequestUrl, readLatestVersion } from './present.ts';
import type { GitlabState, Job, MergeRequest, Note, Pipeline, Project, User } from './types.ts';

const ZERO_SHA = '0'.repeat(40);

/** GitLab's CI hooks format times as `2026-01-02 03:04:05 UTC`. */
function formatHookTime(at: string | null): string | null {
  return at === null ? null : `${at.slice(0, 19).replace('T', ' ')} UTC`;
}

function toHookUser(state: GitlabState, { id, name, username }: User) {
  return { id, name, username, avatar_url: `${state.url}/avatar/${id}.png`, email: '[REDACTED]' };
}

function toHookProject(state: GitlabState, { id, path, default_branch, visibility }: Project) {
  return {
    id,
    name: path.split('/').at(-1),
    description: null,
    web_url: `${state.url}/${path}`,
    avatar_url: null,
    git_ssh_url: `git@localhost:${path}.git`,
    git_http_url: `${state.url}/${path}.git`,
    namespace: path.split('/').slice(0, -1).join(' / '),
    visibility_level: { private: 0, internal: 10, public: 20 }[visibility],
    path_with_namespace: path,
    default_branch,
    ci_config_path: null,
  };
}

/** The payload of a pipeline hook. */
export function buildPipelineHook(state: GitlabState, pipeline: Pipeline) {
  const { id, iid, project, sha, source, tag, status, merge_request, user, jobs } = pipeline;
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id,
      iid,
      name: null,
      // The pipeline of a merge request is delivered with its source branch, not with the ref that it ran on.
      ref: merge_request?.source_branch ?? pipeline.ref,
      tag,
      sha,
      before_sha: ZERO_SHA,
      source,
      status,
      detailed_status: status === 'success' ? 'passed' : status,
      stages: ['test'],
      created_at: formatHookTime(pipeline.created_at),
      finished_at: formatHookTime(pipeline.finished_at),
      duration: 63,
      queued_duration: 12,
      variables: [],
      url: `${state.url}/${project.path}/-/pipelines/${id}`,
    },
    merge_request: merge_request && {
      id: merge_request.id,
      iid: merge_request.iid,
      title: merge_request.title,
      source_branch: merge_request.source_branch,
      source_project_id: merge_request.source_project.id,
      target_branch: merge_request.target_branch,
      target_project_id: merge_request.project.id,
      state: merge_request.state,
      merge_status: 'can_be_merged',
      detailed_merge_status: 'mergeable',
      url: buildMergeRequestUrl(state, merge_request),
    },
    user: toHookUser(state, user),
    project: toHookProject(state, project),
    commit: { id: sha, message: 'change\n', title: 'change', timestamp: pipeline.created_at, url: '', author: null },
    builds: jobs.filter(({ retried }) => !retried).map((job) => toHookBuild(state, pipeline, job)),
  };
}

function toHookBuild(state: GitlabState, { user }: Pipeline, job: Job) {
  return {
    id: job.id,
    stage: job.stage,
    name: job.name,
    status: job.status,
    created_at: formatHookTime(job.created_at),
    started_at: formatHookTime(job.finished_at),
    finished_at: formatHookTime(job.finished_at),
    duration: 17.0,
    queued_duration: 3.5,
    failure_reason: job.status === 'failed' ? 'script_failure' : null,
    when: job.manual ? 'manual' : 'on_success',
    manual: job.manual,
    allow_failure: false,
    user: toHookUser(state, user),
    runner: null,
    artifacts_file: {
      filename: job.archive === null ? null : 'artifacts.zip',
      size: job.archive === null ? null : job.archive.length,
    },
    environment: null,
  };
}

/** The payload of a job hook. */
export function buildJobHook(state: GitlabState, pipeline: Pipeline, job: Job) {
  const { project, user, sha, ref, tag } = pipeline;
  return {
    object_kind: 'build',
    ref,
    tag,
    before_sha: ZERO_SHA,
    sha,
    build_id: job.id,
    build_name: job.name,
    build_stage: job.stage,
    build_status: job.status,
    build_created_at: formatHookTime(job.created_at),
    build_started_at: formatHookTime(job.finished_at),
    build_finished_at: formatHookTime(job.finished_at),
    build_duration: 17.0,
    build_queued_duration: 0.2,
    build_allow_failure: false,
    build_failure_reason: 'unknown_failure',
    retries_count: 0,
    pipeline_id: pipeline.id,
    project_id: project.id,
    project_name: project.path.split('/').join(' / '),
    user: toHookUser(state, user),
    commit: { id: pipeline.id, name: null, sha, message: 'change', status: pipeline.status, duration: null },
    repository: { name: project.path.split('/').at(-1), homepage: `${state.url}/${project.path}` },
    project: toHookProject(state, project),
    runner: null,
    environment: null,
  };
}

export interface MergeRequestHookInput {
  action: string;
  user: User;
  oldrev?: string;
  changes?: Record<string, { previous: unknown; current: unknown }>;
}

/** The payload of a merge request hook. */
export function buildMergeRequestHook(state: GitlabState, merge_request: MergeRequest, input: MergeRequestHookInput) {
  const { action, user, oldrev, changes = {} } = input;
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: toHookUser(state, user),
    project: toHookProject(state, merge_request.project),
    object_attributes: { ...toHookMergeRequest(state, merge_request), action, ...(oldrev !== undefined && { oldrev }) },
    labels: [],
    changes,
    repository: { name: merge_request.project.path.split('/').at(-1), homepage: state.url },
    assignees: [],
    reviewers: [],
  };
}

function toHookMergeRequest(state: GitlabState, merge_request: MergeRequest) {
  const { id, iid, title, author, source_branch, target_branch, source_project, project } = merge_request;
  return {
    id,
    iid,
    title,
    author_id: author.id,
    description: '',
    source_branch,
    target_branch,
    source_project_id: source_project.id,
    target_project_id: project.id,
    state: merge_request.state,
    merge_status: 'unchecked',
    detailed_merge_status: 'checking',
    work_in_progress: false,
    draft: false,
    url: buildMergeRequestUrl(state, merge_request),
    source: toHookProject(state, source_project),
    target: toHookProject(state, project),
    last_commit: { id: readLatestVersion(merge_request).head_sha, message: 'change\n', title: 'change' },
  };
}

/** The payload of a note hook. */
export function buildNoteHook(state: GitlabState, note: Note, action: 'create' | 'update' = 'create') {
  const { id, merge_request, author, body, system, internal } = note;
  return {
    object_kind: 'note',
    event_type: internal ? 'confidential_note' : 'note',
    user: toHookUser(state, author),
    project_id: merge_request.project.id,
    project: toHookProject(state, merge_request.project),
    object_attributes: {
      id,
      note: body,
      description: body,
      noteable_type: 'MergeRequest',
      noteable_id: merge_request.id,
      author_id: author.id,
      created_at: formatHookTime(note.created_at),
      updated_at: formatHookTime(note.updated_at),
      project_id: merge_request.project.id,
      attachment: null,
      line_code: null,
      commit_id: null,
      discussion_id: null,
      type: null,
      system,
      internal,
      st_diff: null,
      action,
      url: `${buildMergeRequestUrl(state, merge_request)}#note_${id}`,
    },
    repository: { name: merge_request.project.path.split('/').at(-1), homepage: state.url },
    merge_request: toHookMergeRequest(state, merge_request),
  };
}

/** Headers of a hook: the secret itself, or a signature of the body (Standard Webhooks). */
export function buildHookHeaders(
  event: string,
  raw: string | Buffer,
  {
    secret,
    signed = false,
    id = randomUUID(),
    at = new Date(),
  }: { secret: string; signed?: boolean; id?: string; at?: Date },
): Record<string, string> {
  const common = {
    'content-type': 'application/json',
    'user-agent': 'GitLab/18.6.0',
    'x-gitlab-event': event,
    'x-gitlab-event-uuid': id,
    'x-gitlab-webhook-uuid': id,
    'idempotency-key': id,
    'x-gitlab-instance': 'https://gitlab.example.com',
  };
  if (!signed) return { ...common, 'x-gitlab-token': secret };
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw).digest('base64');
  return { ...common, 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
