import { z } from 'zod';
import type { BotEvent, PullRequestRef } from '../types.ts';
import { isBotName } from './people.ts';
import { ENDED, runNumber } from './runs.ts';

const MAX_LINE = 1_000;

const id = z.int().positive();
const project = z.object({
  id: id.optional(),
  path_with_namespace: z.string().min(1),
  web_url: z.url({ protocol: /^https?$/ }),
});

const PipelineHook = z.object({
  object_kind: z.literal('pipeline'),
  object_attributes: z.object({
    id,
    sha: z.string(),
    status: z.string(),
    tag: z.boolean(),
    source: z.string().nullish(),
  }),
  merge_request: z.object({ iid: id, target_project_id: id, state: z.string() }).nullish(),
  project,
  builds: z.array(z.object({ id, artifacts_file: z.object({ filename: z.string().nullish() }).nullish() })),
});

const MergeRequestHook = z.object({
  object_kind: z.literal('merge_request'),
  project,
  object_attributes: z.object({ iid: id, action: z.string(), oldrev: z.string().nullish() }),
  changes: z.record(z.string(), z.unknown()).nullish(),
});

const NoteHook = z.object({
  object_kind: z.literal('note'),
  project,
  user: z.object({ username: z.string() }),
  object_attributes: z.object({
    id,
    note: z.string(),
    noteable_type: z.string(),
    system: z.boolean(),
    action: z.string().nullish(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
  merge_request: z.object({ iid: id }).nullish(),
});

const READERS: Record<string, (payload: unknown) => BotEvent[]> = {
  'Pipeline Hook': readPipeline,
  'Merge Request Hook': readMergeRequest,
  'Note Hook': readNote,
};

/**
 * Parses a hook: at most one event, and none if the hook is not relevant or not valid.
 *
 * GitLab sends a pipeline hook each time the pipeline ends, also after a job was retried or a status was set: the number of
 * the run shows whether jobs ran since. Job hooks are ignored: they contain neither the merge request nor artifacts, and the
 * pipeline hook follows after the last job.
 *
 * @param delivery `event` as in X-Gitlab-Event
 * @see GitLab's documentation, "Webhook events"
 */
export function readEvents({ event, raw }: { event: string; raw: Buffer }): BotEvent[] {
  const reader = Object.hasOwn(READERS, event) ? READERS[event] : undefined;
  if (reader === undefined) return [];
  try {
    return reader(JSON.parse(raw.toString('utf8')));
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** A pipeline without an archive has no plan. The pipeline that GitLab creates for our status is such a pipeline. */
function readPipeline(payload: unknown): BotEvent[] {
  const { success, data } = PipelineHook.safeParse(payload);
  if (!success) return [];
  const { object_attributes: pipeline, merge_request, project, builds } = data;
  if (!ENDED.has(pipeline.status) || pipeline.tag) return [];
  if (!builds.some(({ artifacts_file }) => artifacts_file?.filename)) return [];
  if (merge_request != null && !isOpenHere(merge_request, project.id)) return [];
  const url = `${project.web_url}/-/pipelines/${pipeline.id}`;
  const run = { id: String(pipeline.id), number: runNumber(builds), head_sha: pipeline.sha, url };
  return [{ what: 'run_finished', repo: project.path_with_namespace, run }];
}

/** The hook of a fork's pipeline refers to a merge request of another project. */
function isOpenHere(
  { state, target_project_id }: { state: string; target_project_id: number },
  project_id?: number,
): boolean {
  return state === 'opened' && (project_id === undefined || target_project_id === project_id);
}

const CHANGES = new Set(['open', 'reopen', 'close', 'merge', 'approved', 'approval', 'unapproved', 'unapproval']);

function readMergeRequest(payload: unknown): BotEvent[] {
  const { success, data } = MergeRequestHook.safeParse(payload);
  if (!success) return [];
  const { action, iid, oldrev } = data.object_attributes;
  // An update with `oldrev` is a push. A new target branch matters too. Other updates change only texts and labels.
  const is_relevant_update = action === 'update' && (oldrev != null || data.changes?.['target_branch'] !== undefined);
  if (!CHANGES.has(action) && !is_relevant_update) return [];
  return [{ what: 'pull_request_changed', pr: toRef(data.project, iid) }];
}

function readNote(payload: unknown): BotEvent[] {
  const { success, data } = NoteHook.safeParse(payload);
  if (!success) return [];
  const { object_attributes: note, merge_request, user, project } = data;
  if (note.noteable_type !== 'MergeRequest' || merge_request == null) return [];
  if (note.system || !isNew(note) || isBotName(user.username)) return [];
  const line = /^[^\r\n]*/.exec(note.note)?.[0].slice(0, MAX_LINE) ?? '';
  // GitLab treats the command as plain text: only known words are quick actions.
  if (!/^\s*\/drift(?:\s|$)/i.test(line)) return [];
  const pr = toRef(project, merge_request.iid);
  return [{ what: 'command', pr, comment_id: String(note.id), author: user.username, line }];
}

/** Older releases do not report the action of a note hook. */
function isNew({
  action,
  created_at,
  updated_at,
}: {
  action?: string | null | undefined;
  created_at: string;
  updated_at: string;
}): boolean {
  return action == null ? created_at === updated_at : action === 'create';
}

function toRef({ path_with_namespace }: { path_with_namespace: string }, iid: number): PullRequestRef {
  return { repo: path_with_namespace, pr_number: iid };
}
