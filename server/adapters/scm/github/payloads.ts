import { z } from 'zod';
import type { BotEvent } from '../types.ts';
import { CHECK_NAME } from './checks.ts';
import { toCiRun } from './runs.ts';

/**
 * The members of GitHub's payloads that we read. Anyone who has the webhook secret can send a payload, so texts have a size
 * limit, and the bot verifies each claim with the GitHub API.
 *
 * @see GitHub's documentation, "Webhook events and payloads"
 */
const repository = z.object({ full_name: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/) });
const sha = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const number = z.int().positive();
const account = z.object({ login: z.string().regex(/^[\w.-]{1,100}$/), type: z.string() });

const RUN = z.object({
  repository,
  workflow_run: z.object({
    id: z
      .int()
      .positive()
      .max(Number.MAX_SAFE_INTEGER / 100 - 1),
    run_attempt: number.optional(),
    head_sha: sha,
    html_url: z.url({ protocol: /^https?$/ }).max(2_000),
  }),
});

const CHECK = z.object({
  repository,
  check_run: z.object({ name: z.string(), head_sha: sha, app: z.object({ id: number }) }),
});

const SUITE = z.object({ repository, check_suite: z.object({ head_sha: sha, app: z.object({ id: number }) }) });

const PULL = z.object({ repository, pull_request: z.object({ number }) });

const REVIEW = PULL.extend({ review: z.object({ state: z.string() }) });

const COMMENT = z.object({
  repository,
  sender: account,
  issue: z.object({ number, pull_request: z.looseObject({}) }),
  comment: z.object({
    id: number,
    user: account,
    body: z.string(),
    performed_via_github_app: z.null().optional(),
  }),
});

const COMMAND = /^\/drift(?=\s|$)/;
const MAX_LINE = 1_000;

export function readRunEvent(payload: unknown): BotEvent | undefined {
  const { success, data } = RUN.safeParse(payload);
  if (!success) return undefined;
  const { id, run_attempt = 1, head_sha, html_url } = data.workflow_run;
  const run = toCiRun({ id, run_attempt, head_sha, html_url });
  return { what: 'run_finished', repo: data.repository.full_name, run };
}

/** @param app_id our App; a repository webhook receives the checks of all Apps */
export function readCheckEvent(payload: unknown, app_id: number | undefined): BotEvent | undefined {
  const { success, data } = CHECK.safeParse(payload);
  if (!success || data.check_run.name !== CHECK_NAME || data.check_run.app.id !== app_id) return undefined;
  return { what: 'check_rerequested', repo: data.repository.full_name, head_sha: data.check_run.head_sha };
}

/** "Re-run all checks" sends one event for the suite. */
export function readSuiteEvent(payload: unknown, app_id: number | undefined): BotEvent | undefined {
  const { success, data } = SUITE.safeParse(payload);
  if (!success || data.check_suite.app.id !== app_id) return undefined;
  return { what: 'check_rerequested', repo: data.repository.full_name, head_sha: data.check_suite.head_sha };
}

export function readPullEvent(payload: unknown): BotEvent | undefined {
  const { success, data } = PULL.safeParse(payload);
  if (!success) return undefined;
  return {
    what: 'pull_request_changed',
    pr: { repo: data.repository.full_name, pr_number: data.pull_request.number },
  };
}

/** An approval; GitHub writes the state in lower case here, and in upper case in its API. */
export function readReviewEvent(payload: unknown): BotEvent | undefined {
  const { success, data } = REVIEW.safeParse(payload);
  return success && data.review.state.toLowerCase() === 'approved' ? readPullEvent(payload) : undefined;
}

/** A comment of a person on a pull request whose first line is a command. */
export function readCommandEvent(payload: unknown): BotEvent | undefined {
  const { success, data } = COMMENT.safeParse(payload);
  if (!success || data.sender.type !== 'User' || data.comment.user.type !== 'User') return undefined;
  const [line = ''] = data.comment.body.split(/\r?\n/, 1);
  if (!COMMAND.test(line)) return undefined;
  return {
    what: 'command',
    pr: { repo: data.repository.full_name, pr_number: data.issue.number },
    comment_id: String(data.comment.id),
    author: data.comment.user.login,
    line: line.trimEnd().slice(0, MAX_LINE),
  };
}
