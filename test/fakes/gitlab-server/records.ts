import { randomBytes } from 'node:crypto';
import { buildNoteHook, buildPipelineHook } from './hooks.ts';
import type { GitlabState, Job, MergeRequest, Note, Pipeline, Project, User } from './types.ts';

let last_id = 1_000;

/** All kinds of records share one sequence of IDs. */
export function nextId(): number {
  last_id += 1;
  return last_id;
}

/** A random commit hash. */
export function newSha(): string {
  return randomBytes(20).toString('hex');
}

/** Adds a note to a merge request, and records its hook. */
export function createNote(state: GitlabState, merge_request: MergeRequest, author: User, body: string): Note {
  const at = new Date().toISOString();
  const note: Note = {
    id: nextId(),
    merge_request,
    author,
    body,
    system: false,
    internal: false,
    created_at: at,
    updated_at: at,
    history: [body],
    awards: [],
  };
  merge_request.notes.push(note);
  state.hooks.push({ event: 'Note Hook', payload: buildNoteHook(state, note) });
  return note;
}

/** Replaces the body of a note. */
export function changeNote(note: Note, body: string): void {
  note.body = body;
  note.updated_at = new Date().toISOString();
  note.history.push(body);
}

/** Adds an emoji reaction to a note. */
export function createAward(note: Note, user: User, name: string) {
  const award = { id: nextId(), name, user };
  note.awards.push(award);
  return award;
}

export interface PipelineInput {
  sha: string;
  ref: string;
  user: User;
  source?: string;
  status?: string;
  tag?: boolean;
  merge_request?: MergeRequest;
  jobs?: JobInput[];
}

export interface JobInput {
  name: string;
  archive?: Uint8Array;
  status?: string;
  manual?: boolean;
}

/** Creates a pipeline in any state; a finished one triggers a hook. */
export function createPipeline(state: GitlabState, project: Project, input: PipelineInput): Pipeline {
  const { sha, ref, user, source = 'push', status = 'success', tag = false, merge_request = null } = input;
  const at = new Date().toISOString();
  const pipeline: Pipeline = {
    id: nextId(),
    iid: project.pipelines.length + 1,
    project,
    ref,
    sha,
    source,
    tag,
    status,
    merge_request,
    user,
    jobs: (input.jobs ?? []).map(createJob),
    created_at: at,
    finished_at: ['success', 'failed', 'canceled'].includes(status) ? at : null,
  };
  project.pipelines.push(pipeline);
  emitPipeline(state, pipeline);
  return pipeline;
}

function createJob({ name, archive, status = 'success', manual = false }: JobInput): Job {
  const at = new Date().toISOString();
  const finished_at = ['success', 'failed', 'canceled'].includes(status) ? at : null;
  const rest = { stage: 'test', expired: false, retried: false, created_at: at, finished_at };
  return { id: nextId(), name, status, manual, archive: archive ?? null, ...rest };
}

/** Retries a job of a finished pipeline: the earlier attempt stays, marked as retried. */
export function retryJob(state: GitlabState, pipeline: Pipeline, input: JobInput): Job {
  for (const job of pipeline.jobs) job.retried ||= job.name === input.name;
  const job = createJob(input);
  pipeline.jobs.push(job);
  emitPipeline(state, pipeline);
  return job;
}

/** Records the hook of a pipeline. */
export function emitPipeline(state: GitlabState, pipeline: Pipeline): void {
  state.hooks.push({ event: 'Pipeline Hook', payload: buildPipelineHook(state, pipeline) });
}
