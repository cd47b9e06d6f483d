import { createHmac, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { showAccount, showCheck, showComment, showInstallation, showPull, showRepo, showRun } from './shapes.ts';
import {
  type Account,
  ensureAccount,
  type GithubState,
  getPullRequest,
  getRepository,
  type Repo,
  readHead,
} from './state.ts';

/** An event that is delivered to a webhook. */
export type GithubActivity = RepositoryActivity | InstallationActivity;

type RepositoryActivity =
  | { event: 'workflow_run'; repo: string; run_id: number; action?: 'requested' | 'in_progress' | 'completed' }
  | { event: 'pull_request'; repo: string; pr_number: number; action: string }
  | { event: 'pull_request_review'; repo: string; pr_number: number; review_id: number }
  | { event: 'check_run'; repo: string; check_run_id: number; action: 'created' | 'completed' | 'rerequested' }
  | { event: 'check_suite'; repo: string; head_sha: string; action: 'rerequested' }
  | { event: 'issue_comment'; repo: string; comment_id: number; action?: 'created' | 'edited' | 'deleted' };

interface InstallationActivity {
  event: 'installation';
  installation_id: number;
  action: 'created' | 'deleted' | 'suspend' | 'unsuspend';
}

export interface Delivery {
  headers: Record<string, string>;
  body: Buffer;
}

type Json = Record<string, unknown>;
interface Definition {
  name: string;
  examples: (Json & { action?: string })[];
}

const require = createRequire(import.meta.url);
let definitions: Definition[] | undefined;

/** Recorded payloads, one list per event. */
export function examples(): Definition[] {
  definitions ??= require('@octokit/webhooks-examples') as Definition[];
  return definitions;
}

/**
 * A delivery as GitHub sends it: a recorded payload of this event, with the state of this server.
 *
 * @param options.installation whether the App's hook sends it (with `installation`), or the repository's own hook
 */
export function deliver(
  github: GithubState,
  activity: GithubActivity,
  options: { secret: string; installation: boolean },
): Delivery {
  const payload =
    activity.event === 'installation'
      ? buildInstallationPayload(github, activity)
      : {
          ...buildPayload(github, activity),
          installation: options.installation ? findInstallation(github, activity) : undefined,
        };
  return signDelivery(activity.event, payload, options.secret);
}

function findInstallation(github: GithubState, { repo }: RepositoryActivity): Json | undefined {
  const { full_name } = getRepository(github, repo);
  const installation = [...github.installations.values()].find(({ repos }) => repos.has(full_name));
  return installation && { id: installation.id, node_id: `I_${installation.id}` };
}

function buildInstallationPayload(github: GithubState, { event, installation_id, action }: InstallationActivity): Json {
  const installation = showInstallation(github, assertFound(github.installations.get(installation_id)));
  return {
    ...pickExample(event, action),
    action,
    installation,
    sender: showAccount(github, ensureAccount(github, 'dev')),
  };
}

function signDelivery(event: string, payload: unknown, secret: string): Delivery {
  const body = Buffer.from(JSON.stringify(payload));
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/044aadd',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-github-hook-id': '292430182',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  };
}

function buildPayload(github: GithubState, activity: RepositoryActivity): Json {
  const repo = getRepository(github, activity.repo);
  const build = (action: string, sender: Account, members: Json): Json => {
    const example = pickExample(activity.event, action);
    return {
      ...example,
      ...members,
      action,
      repository: mergeMembers(example['repository'], showRepo(github, repo)),
      sender: showAccount(github, sender),
    };
  };
  switch (activity.event) {
    case 'workflow_run': {
      const run = assertFound(repo.runs.find(({ id }) => id === activity.run_id));
      const action = activity.action ?? 'completed';
      const shown = (example: Json) => mergeMembers(example['workflow_run'], showRun(github, repo, run));
      return build(action, run.actor, { workflow_run: shown(pickExample('workflow_run', action)) });
    }
    case 'pull_request':
      return buildPullPayload(github, repo, activity.pr_number, activity.action, build);
    case 'pull_request_review':
      return buildReviewPayload(github, repo, activity.pr_number, activity.review_id, build);
    case 'check_run': {
      const check = assertFound(repo.checks.find(({ id }) => id === activity.check_run_id));
      const example = pickExample('check_run', activity.action);
      return build(activity.action, ensureAccount(github, 'dev'), {
        check_run: mergeMembers(example['check_run'], showCheck(github, repo, check)),
      });
    }
    case 'check_suite': {
      const { head_sha, action } = activity;
      const { app_id: id, slug } = github.app;
      const example = pickExample('check_suite', action)['check_suite'];
      return build(action, ensureAccount(github, 'dev'), {
        check_suite: mergeMembers(example, { head_sha, app: { id, slug } }),
      });
    }
    case 'issue_comment':
      return buildCommentPayload(github, repo, activity.comment_id, activity.action ?? 'created', build);
  }
}

type Build = (action: string, sender: Account, members: Json) => Json;

function buildPullPayload(github: GithubState, repo: Repo, number: number, action: string, build: Build): Json {
  const pull = getPullRequest(github, repo.full_name, number);
  const example = pickExample('pull_request', action);
  const commits = action === 'synchronize' ? { before: pull.commits.at(-2), after: readHead(pull) } : {};
  return build(action, pull.author, {
    number,
    pull_request: mergeMembers(example['pull_request'], { ...showPull(github, repo, pull), merged: pull.merged }),
    ...commits,
  });
}

/** A submitted review; its state is in lower case, unlike in the API. */
function buildReviewPayload(github: GithubState, repo: Repo, number: number, review_id: number, build: Build): Json {
  const pull = getPullRequest(github, repo.full_name, number);
  const review = assertFound(repo.reviews.get(number)?.find(({ id }) => id === review_id));
  const example = pickExample('pull_request_review', 'submitted');
  const state = review.state.toLowerCase();
  return build('submitted', review.author, {
    pull_request: mergeMembers(example['pull_request'], showPull(github, repo, pull)),
    review: mergeMembers(example['review'], { id: review.id, state, user: showAccount(github, review.author) }),
  });
}

function buildCommentPayload(github: GithubState, repo: Repo, comment_id: number, action: string, build: Build): Json {
  const comment = assertFound(repo.comments.find(({ id }) => id === comment_id));
  const pull = getPullRequest(github, repo.full_name, comment.pr_number);
  const example = pickExample('issue_comment', action);
  const url = `${github.url}/repos/${repo.full_name}/pulls/${pull.number}`;
  const issue = mergeMembers(example['issue'], {
    number: pull.number,
    state: pull.state,
    user: showAccount(github, pull.author),
    pull_request: { url, html_url: `${github.url}/${repo.full_name}/pull/${pull.number}` },
  });
  return build(action, comment.author, {
    issue,
    comment: mergeMembers(example['comment'], showComment(github, repo, comment)),
  });
}

/** The last example of an action, which has the most members; an example of another action if this one has none. */
function pickExample(event: string, action: string): Json {
  const list = assertFound(examples().find(({ name }) => name === event)).examples;
  return structuredClone(list.findLast((example) => example.action === action) ?? assertFound(list.at(-1)));
}

function mergeMembers(example: unknown, members: Json): Json {
  return typeof example === 'object' && example !== null ? { ...example, ...members } : members;
}

function assertFound<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no such thing on this server: make it first');
  return value;
}
