import {
  createInvalidField,
  createNotFound,
  ok,
  paginate,
  Refusal,
  type Reply,
  type RepoCall,
  readText,
} from '../http.ts';
import { formatTimestamp, showAccount, showCheck } from '../shapes.ts';
import type { CheckRun, Status } from '../state.ts';
import { hasCommit } from './pulls.ts';

const MOST_OUTPUT = 65_535;
const MOST_DESCRIPTION = 140;
const STATES = new Set(['error', 'failure', 'pending', 'success']);
const CONCLUSIONS = new Set(['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out']);

export function createCheck(call: RepoCall): Reply {
  assertApp(call);
  const { github, repo, body } = call;
  const head_sha = readText(body, 'head_sha') ?? '';
  const name = readText(body, 'name') ?? '';
  if (name === '') throw new Refusal(422, 'Invalid request.\n\n"name" wasn\'t supplied.');
  if (!hasCommit(call, head_sha)) throw new Refusal(422, `No commit found for SHA: ${head_sha}`);
  const check: CheckRun = {
    id: github.nextId(),
    app_id: github.app.app_id,
    name,
    head_sha,
    status: 'queued',
    conclusion: null,
    details_url: null,
    output: { title: null, summary: null, text: null },
    started_at: formatTimestamp(new Date(github.now())),
    completed_at: null,
    history: [],
  };
  applyUpdate(call, check);
  repo.checks.push(check);
  return ok(showCheck(github, repo, check), 201);
}

export function updateCheck(call: RepoCall): Reply {
  assertApp(call);
  const check = call.repo.checks.find(({ id }) => id === Number(call.params['check_run_id']));
  if (check === undefined) throw createNotFound();
  applyUpdate(call, check);
  return ok(showCheck(call.github, call.repo, check));
}

/** By default, the latest check of each name and App. */
export function listChecks(call: RepoCall): Reply {
  const { github, repo, params, query } = call;
  const [name, app_id] = [query.get('check_name'), query.get('app_id')];
  const all = repo.checks
    .filter((check) => check.head_sha === params['sha'])
    .filter((check) => (name === null || check.name === name) && (app_id === null || check.app_id === Number(app_id)));
  const latest = new Map(all.map((check) => [`${check.app_id} ${check.name}`, check]));
  const shown = (query.get('filter') === 'all' ? all : [...latest.values()]).map((c) => showCheck(github, repo, c));
  return paginate(call, `/repos/${repo.full_name}/commits/${params['sha']}/check-runs`, shown, (check_runs) => ({
    total_count: shown.length,
    check_runs,
  }));
}

export function createStatus(call: RepoCall): Reply {
  const { github, repo, params, body, who } = call;
  const sha = params['sha']!;
  if (!hasCommit(call, sha)) throw new Refusal(422, `No commit found for SHA: ${sha}`);
  const state = readText(body, 'state') ?? '';
  if (!STATES.has(state)) throw createInvalidField('Status', 'state', `state is not included in the list`);
  const description = readText(body, 'description') ?? null;
  if (description !== null && [...description].length > MOST_DESCRIPTION) {
    throw createInvalidField(
      'Status',
      'description',
      `description is too long (maximum is ${MOST_DESCRIPTION} characters)`,
    );
  }
  const status: Status = {
    id: github.nextId(),
    sha,
    state,
    context: readText(body, 'context') ?? 'default',
    description,
    target_url: readText(body, 'target_url') ?? null,
    creator: who.kind === 'token' && who.token.owner.kind === 'user' ? who.token.owner.account : github.app.account,
  };
  repo.statuses.push(status);
  return ok({ ...status, creator: showAccount(github, status.creator) }, 201);
}

function applyUpdate({ github, body }: RepoCall, check: CheckRun): void {
  const output = typeof body['output'] === 'object' && body['output'] !== null ? { ...body['output'] } : {};
  const next = { title: null, summary: null, text: null, ...output };
  for (const field of ['summary', 'text'] as const) {
    const length = [...String(next[field] ?? '')].length;
    if (length <= MOST_OUTPUT) continue;
    throw new Refusal(422, `Invalid request.\n\nOnly ${MOST_OUTPUT} characters are allowed; ${length} were supplied.`);
  }
  const conclusion = readText(body, 'conclusion');
  if (conclusion !== undefined && !CONCLUSIONS.has(conclusion)) {
    throw new Refusal(422, `Invalid request.\n\n${conclusion} is not a member of the list of conclusions.`);
  }
  if (body['status'] === 'completed' && conclusion === undefined) {
    throw new Refusal(422, 'Invalid request.\n\nMissing required key "conclusion".');
  }
  check.status = conclusion === undefined ? (readText(body, 'status') ?? check.status) : 'completed';
  check.conclusion = conclusion ?? null;
  check.completed_at = conclusion === undefined ? null : formatTimestamp(new Date(github.now()));
  check.details_url = readText(body, 'details_url') ?? check.details_url;
  if (body['output'] !== undefined) check.output = next;
  check.history.push({ status: check.status, conclusion: check.conclusion });
}

function assertApp({ who }: RepoCall): void {
  if (who.kind === 'token' && who.token.owner.kind === 'installation') return;
  throw new Refusal(403, 'You must authenticate via a GitHub App.');
}
