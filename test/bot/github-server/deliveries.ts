import { createHmac, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { showAccount, showCheck, showComment, showInstallation, showPull, showRepo, showRun } from './shapes.ts';
import { type Account, accountOf, headOf, pullOf, type Repo, repoOf, type World } from './world.ts';

/** What happened, to be told to a webhook. */
export type Happening = OfRepository | OfInstallation;

type OfRepository =
  | { event: 'workflow_run'; repo: string; run_id: number; action?: 'requested' | 'in_progress' | 'completed' }
  | { event: 'pull_request'; repo: string; pr_number: number; action: string }
  | { event: 'check_run'; repo: string; check_run_id: number; action: 'created' | 'completed' | 'rerequested' }
  | { event: 'check_suite'; repo: string; head_sha: string; action: 'rerequested' }
  | { event: 'issue_comment'; repo: string; comment_id: number; action?: 'created' | 'edited' | 'deleted' };

interface OfInstallation {
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

/** Real payloads, one list for each event. */
export function examples(): Definition[] {
  definitions ??= require('@octokit/webhooks-examples') as Definition[];
  return definitions;
}

/**
 * A delivery as GitHub sends it: a real payload of this event, overwritten with the state of this server.
 *
 * @param options.installation whether the App's hook sends it (with `installation`), or a hook of the repository's own
 */
export function deliver(
  world: World,
  happening: Happening,
  options: { secret: string; installation: boolean },
): Delivery {
  const payload =
    happening.event === 'installation'
      ? ofInstallation(world, happening)
      : {
          ...payloadOf(world, happening),
          installation: options.installation ? installedOn(world, happening) : undefined,
        };
  return signed(happening.event, payload, options.secret);
}

function installedOn(world: World, { repo }: OfRepository): Json | undefined {
  const { full_name } = repoOf(world, repo);
  const installation = [...world.installations.values()].find(({ repos }) => repos.has(full_name));
  return installation && { id: installation.id, node_id: `I_${installation.id}` };
}

function ofInstallation(world: World, { event, installation_id, action }: OfInstallation): Json {
  const installation = showInstallation(world, found(world.installations.get(installation_id)));
  return { ...exampleOf(event, action), action, installation, sender: showAccount(world, accountOf(world, 'dev')) };
}

function signed(event: string, payload: unknown, secret: string): Delivery {
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

function payloadOf(world: World, happening: OfRepository): Json {
  const repo = repoOf(world, happening.repo);
  const of = (action: string, sender: Account, members: Json): Json => {
    const example = exampleOf(happening.event, action);
    return {
      ...example,
      ...members,
      action,
      repository: over(example['repository'], showRepo(world, repo)),
      sender: showAccount(world, sender),
    };
  };
  switch (happening.event) {
    case 'workflow_run': {
      const run = found(repo.runs.find(({ id }) => id === happening.run_id));
      const action = happening.action ?? 'completed';
      const shown = (example: Json) => over(example['workflow_run'], showRun(world, repo, run));
      return of(action, run.actor, { workflow_run: shown(exampleOf('workflow_run', action)) });
    }
    case 'pull_request':
      return ofPull(world, repo, happening.pr_number, happening.action, of);
    case 'check_run': {
      const check = found(repo.checks.find(({ id }) => id === happening.check_run_id));
      const example = exampleOf('check_run', happening.action);
      return of(happening.action, accountOf(world, 'dev'), {
        check_run: over(example['check_run'], showCheck(world, repo, check)),
      });
    }
    case 'check_suite': {
      const { head_sha, action } = happening;
      const { app_id: id, slug } = world.app;
      const example = exampleOf('check_suite', action)['check_suite'];
      return of(action, accountOf(world, 'dev'), { check_suite: over(example, { head_sha, app: { id, slug } }) });
    }
    case 'issue_comment':
      return ofComment(world, repo, happening.comment_id, happening.action ?? 'created', of);
  }
}

type Build = (action: string, sender: Account, members: Json) => Json;

function ofPull(world: World, repo: Repo, number: number, action: string, of: Build): Json {
  const pull = pullOf(world, repo.full_name, number);
  const example = exampleOf('pull_request', action);
  const commits = action === 'synchronize' ? { before: pull.commits.at(-2), after: headOf(pull) } : {};
  return of(action, pull.author, {
    number,
    pull_request: over(example['pull_request'], { ...showPull(world, repo, pull), merged: pull.merged }),
    ...commits,
  });
}

function ofComment(world: World, repo: Repo, comment_id: number, action: string, of: Build): Json {
  const comment = found(repo.comments.find(({ id }) => id === comment_id));
  const pull = pullOf(world, repo.full_name, comment.pr_number);
  const example = exampleOf('issue_comment', action);
  const url = `${world.url}/repos/${repo.full_name}/pulls/${pull.number}`;
  const issue = over(example['issue'], {
    number: pull.number,
    state: pull.state,
    user: showAccount(world, pull.author),
    pull_request: { url, html_url: `${world.url}/${repo.full_name}/pull/${pull.number}` },
  });
  return of(action, comment.author, { issue, comment: over(example['comment'], showComment(world, repo, comment)) });
}

/** The last example of an action, which has the most members; of another action when this one has none. */
function exampleOf(event: string, action: string): Json {
  const list = found(examples().find(({ name }) => name === event)).examples;
  return structuredClone(list.findLast((example) => example.action === action) ?? found(list.at(-1)));
}

function over(example: unknown, members: Json): Json {
  return typeof example === 'object' && example !== null ? { ...example, ...members } : members;
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no such thing on this server: make it first');
  return value;
}
