import { assertLevel, getCommit, getProject } from './access.ts';
import { ApiError, type Call, createNotFound, paginate, type Reply, route } from './http.ts';
import { presentStatus } from './present.ts';
import { createPipeline, emitPipeline, nextId } from './records.ts';
import type { CommitStatus, Pipeline, Project } from './types.ts';

const OPEN = ['created', 'pending', 'running'];
const EVENTS: Record<string, string> = { pending: 'enqueue', running: 'run', success: 'success', failed: 'drop' };

/** The newest pipeline of the commit gets the status; a pipeline is created if there is none. */
function ensurePipeline(call: Call, project: Project, sha: string): Pipeline {
  const { pipeline_id, ref } = call.body;
  const matching = project.pipelines.filter((one) => one.sha === sha && (ref === undefined || one.ref === ref));
  if (pipeline_id !== undefined) {
    const found = matching.find(({ id }) => String(id) === String(pipeline_id));
    if (found === undefined) throw createNotFound('Pipeline for pipeline_id, sha and ref');
    return found;
  }
  const newest = matching.at(-1);
  if (newest !== undefined) return newest;
  const branch = [...project.branches].find(([, head]) => head === sha)?.[0];
  const own_ref = typeof ref === 'string' ? ref : branch;
  if (own_ref === undefined) throw createNotFound('References for commit');
  return createPipeline(call.state, project, {
    sha,
    ref: own_ref,
    source: 'external',
    user: call.user,
    status: 'created',
  });
}

function postStatus(call: Call): Reply {
  const project = getProject(call);
  assertLevel(call, project, 30);
  const { sha } = getCommit(project, call.params['sha'] ?? '');
  const state = String(call.body['state'] ?? '');
  if (!(state in EVENTS)) throw new ApiError(400, { error: 'state does not have a valid value' });
  const description = readText(call, 'description');
  if (description !== null && [...description].length > 255) {
    throw new ApiError(400, { message: { description: ['is too long (maximum is 255 characters)'] } });
  }
  const pipeline = ensurePipeline(call, project, sha);
  const status = findOpen(call, project, pipeline) ?? createStatus(call, project, pipeline);
  if (status.status === state && call.state.refuses_same_status) refuseTransition(status.status, state);
  Object.assign(status, { status: state, description, target_url: readText(call, 'target_url') });
  if (!OPEN.includes(state)) status.finished_at = new Date().toISOString();
  settlePipeline(call, project, pipeline);
  return { status: 201, body: presentStatus(call.state, status) };
}

function refuseTransition(from: string, state: string): never {
  const event = EVENTS[state];
  const reason = `Reason(s): Status cannot transition via "${event}"`;
  throw new ApiError(400, { message: `Cannot transition status via :${event} from :${from} (${reason})` });
}

/** A finished status does not change; the next one replaces it. */
function findOpen({ body, user }: Call, project: Project, pipeline: Pipeline): CommitStatus | undefined {
  return project.statuses.find(
    (one) => one.pipeline === pipeline && one.name === body['name'] && one.user === user && OPEN.includes(one.status),
  );
}

function createStatus(call: Call, project: Project, pipeline: Pipeline): CommitStatus {
  const status: CommitStatus = {
    id: nextId(),
    sha: pipeline.sha,
    ref: pipeline.ref,
    name: String(call.body['name'] ?? 'default'),
    status: 'created',
    target_url: null,
    description: null,
    user: call.user,
    pipeline,
    created_at: new Date().toISOString(),
    finished_at: null,
  };
  project.statuses.push(status);
  return status;
}

/** A pipeline runs as long as one of its statuses does, and each end triggers a hook. */
function settlePipeline(call: Call, project: Project, pipeline: Pipeline): void {
  const newest = new Map(
    project.statuses.filter((one) => one.pipeline === pipeline).map((one) => [one.name, one.status]),
  );
  const all = [...newest.values(), ...pipeline.jobs.filter(({ retried }) => !retried).map(({ status }) => status)];
  const before = pipeline.status;
  pipeline.status = all.some((one) => OPEN.includes(one)) ? 'running' : all.includes('failed') ? 'failed' : 'success';
  if (pipeline.status === before) return;
  pipeline.finished_at = pipeline.status === 'running' ? null : new Date().toISOString();
  emitPipeline(call.state, pipeline);
}

function readText({ body }: Call, name: string): string | null {
  return typeof body[name] === 'string' ? body[name] : null;
}

function listStatuses(call: Call): Reply {
  const project = getProject(call);
  const { sha } = getCommit(project, call.params['sha'] ?? '');
  const name = call.query.get('name');
  const matching = project.statuses
    .filter((one) => one.sha === sha && (name === null || one.name === name))
    .toReversed();
  const all = call.query.get('all') === 'true';
  const latest = matching.filter(
    (one, index) => all || matching.findIndex((other) => other.name === one.name) === index,
  );
  return paginate(call, latest, (one) => presentStatus(call.state, one));
}

export const STATUS_ROUTES = [
  route('POST', 'projects/:id/statuses/:sha', postStatus),
  route('GET', 'projects/:id/repository/commits/:sha/statuses', listStatuses),
];
