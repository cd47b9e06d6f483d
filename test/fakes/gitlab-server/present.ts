import type { CommitStatus, GitlabState, Job, MergeRequest, Note, Pipeline, Project, User } from './types.ts';

/** A user as GitLab's REST API presents it. */
export function presentUser(state: GitlabState, { id, username, name }: User) {
  return {
    id,
    username,
    name,
    state: 'active',
    locked: false,
    avatar_url: `${state.url}/uploads/-/system/user/avatar/${id}/avatar.png`,
    web_url: `${state.url}/${username}`,
  };
}

/** A project as GitLab's REST API presents it. */
export function presentProject(state: GitlabState, project: Project) {
  return {
    id: project.id,
    name: project.path.split('/').at(-1),
    path_with_namespace: project.path,
    default_branch: project.default_branch,
    visibility: project.visibility,
    web_url: `${state.url}/${project.path}`,
    archived: project.archived,
    issues_enabled: project.issues_enabled,
    issues_access_level: project.issues_enabled ? 'enabled' : 'disabled',
  };
}

/** The newest version of the changes. */
export function readLatestVersion(merge_request: MergeRequest) {
  return merge_request.versions.at(-1)!;
}

/** The web address of a merge request. */
export function buildMergeRequestUrl(state: GitlabState, { project, iid }: MergeRequest): string {
  return `${state.url}/${project.path}/-/merge_requests/${iid}`;
}

/** As an item of a list. */
export function presentMergeRequest(state: GitlabState, merge_request: MergeRequest) {
  const { id, iid, title, project, source_project, source_branch, target_branch, author } = merge_request;
  return {
    id,
    iid,
    project_id: project.id,
    title,
    description: null,
    state: merge_request.state,
    source_branch,
    target_branch,
    source_project_id: source_project.id,
    target_project_id: project.id,
    author: presentUser(state, author),
    sha: readLatestVersion(merge_request).head_sha,
    merge_status: 'can_be_merged',
    detailed_merge_status: 'mergeable',
    references: { short: `!${iid}`, relative: `!${iid}`, full: `${project.path}!${iid}` },
    web_url: buildMergeRequestUrl(state, merge_request),
    draft: false,
  };
}

/** As a single record. */
export function presentWholeMergeRequest(state: GitlabState, merge_request: MergeRequest) {
  const { base_sha, start_sha, head_sha } = readLatestVersion(merge_request);
  const own = merge_request.project.pipelines.filter((one) => one.merge_request === merge_request);
  const branch = merge_request.project.pipelines.filter(({ sha }) => sha === head_sha);
  const newest = own.at(-1) ?? branch.at(-1);
  return {
    ...presentMergeRequest(state, merge_request),
    diff_refs: { base_sha, head_sha, start_sha },
    head_pipeline: newest === undefined ? null : presentPipeline(state, newest),
  };
}

/** A pipeline as GitLab's REST API presents it. */
export function presentPipeline(state: GitlabState, pipeline: Pipeline) {
  const { id, iid, project, sha, ref, status, source, created_at, finished_at } = pipeline;
  return {
    id,
    iid,
    project_id: project.id,
    sha,
    ref,
    status,
    source,
    created_at,
    updated_at: finished_at ?? created_at,
    web_url: `${state.url}/${project.path}/-/pipelines/${id}`,
  };
}

/** A job as GitLab's REST API presents it. */
export function presentJob(state: GitlabState, pipeline: Pipeline, job: Job) {
  const has_archive = job.archive !== null && !job.expired;
  const archive = { file_type: 'archive', size: job.archive?.length, filename: 'artifacts.zip', file_format: 'zip' };
  const trace = { file_type: 'trace', size: 1024, filename: 'job.log', file_format: null };
  return {
    id: job.id,
    status: job.status,
    stage: job.stage,
    name: job.name,
    ref: pipeline.ref,
    tag: pipeline.tag,
    allow_failure: job.manual,
    created_at: job.created_at,
    finished_at: job.finished_at,
    user: presentUser(state, pipeline.user),
    pipeline: presentPipeline(state, pipeline),
    web_url: `${state.url}/${pipeline.project.path}/-/jobs/${job.id}`,
    artifacts: has_archive ? [archive, trace] : [trace],
    ...(has_archive && { artifacts_file: { filename: 'artifacts.zip', size: job.archive?.length } }),
    artifacts_expire_at: null,
  };
}

/** A note as GitLab's REST API presents it. */
export function presentNote(state: GitlabState, note: Note) {
  const { id, body, author, system, internal, created_at, updated_at, merge_request } = note;
  return {
    id,
    type: null,
    body,
    author: presentUser(state, author),
    created_at,
    updated_at,
    system,
    noteable_id: merge_request.id,
    noteable_type: 'MergeRequest',
    project_id: merge_request.project.id,
    noteable_iid: merge_request.iid,
    resolvable: false,
    confidential: internal,
    internal,
  };
}

/** A commit status as GitLab's REST API presents it. */
export function presentStatus(state: GitlabState, status: CommitStatus) {
  const { user, pipeline, ...rest } = status;
  return { ...rest, allow_failure: false, pipeline_id: pipeline.id, author: presentUser(state, user) };
}
