import type { IssueContent, IssueObstacle, IssueTracker, OpenIssues } from '../../adapters/scm/issues/types.ts';
import type { PlatformError } from '../../adapters/scm/types.ts';
import type { Webhooks } from '../webhooks/index.ts';
import { commentMark, issueMark } from './issue-text.ts';
import type { SendOutcome } from './types.ts';

/** Our clock and that of the Git host can differ. */
const SKEW_MS = 3_600_000;

const DISABLED = 'the webhook configuration is disabled or deleted; enable it, or choose another one';
const NO_TOKEN = 'the webhook configuration has no active API token; set one and deliver again (no_api_token)';
const OBSTACLES: Record<IssueObstacle, string> = {
  no_repository:
    'the repository does not exist, has moved, or its token cannot see it; correct the webhook configuration',
  issues_disabled: 'the repository has no issues; turn them on in its settings',
  archived: 'the repository is archived; choose another webhook configuration',
  no_permission:
    'the API token may not write issues; set one with the permission Issues (GitHub) or the scope api (GitLab)',
};

export interface IssuesDeps {
  webhooks: { configs: Pick<Webhooks['configs'], 'access'>; tokens: Pick<Webhooks['tokens'], 'recheck'> };
  openIssues: OpenIssues;
}

/** The state of an issue, and what is said to people about the change. */
export interface IssueSending {
  schedule_id: string;
  webhook_config_id: string;
  delivery_id: string;
  /** The known number of the issue; null before the first time. */
  number: number | null;
  /** null leaves the issue as it is. */
  content: (IssueContent & { is_open: boolean }) | null;
  /** null if nobody is notified. */
  comment: string | null;
  /** When the first drift for the issue was found. */
  opened_at: Date;
  /** When the delivery was created. */
  created_at: Date;
}

/** Writes the issues of schedules. */
export function createIssues({ webhooks, openIssues }: IssuesDeps) {
  /** Never throws for an answer of the Git host. An attempt that is repeated writes nothing twice. */
  async function send(org_id: string, sending: IssueSending): Promise<SendOutcome> {
    const { webhook_config_id } = sending;
    const access = await webhooks.configs.access(org_id, webhook_config_id);
    if (access === undefined) return refuse(DISABLED);
    const { api_token, repo_path } = access;
    if (api_token === null || access.api_token_status !== 'active') return refuse(NO_TOKEN);
    const tracker = openIssues({ ...access, api_token });
    try {
      const number = await write(tracker, sending);
      if (number === null) return { status: 'delivered', http_status: null, is_skipped: true };
      return { status: 'delivered', http_status: null, ref: { channel: repo_path, id: String(number) } };
    } catch (error) {
      const found = assertHostError(error);
      if (found.error_class === 'forbidden') await webhooks.tokens.recheck(org_id, webhook_config_id);
      return explain(tracker, found);
    }
  }

  return { send };
}

export type Issues = ReturnType<typeof createIssues>;

/** @returns the number of the issue; null if there is none and none is needed */
async function write(tracker: IssueTracker, sending: IssueSending): Promise<number | null> {
  const { content, comment, delivery_id, created_at } = sending;
  const number = content === null ? sending.number : await bringUpToDate(tracker, content, sending);
  if (number === null || comment === null) return number;
  const is_written = await tracker.hasComment(number, commentMark(delivery_id), before(created_at));
  if (!is_written) await tracker.comment(number, comment);
  return number;
}

/**
 * Changes the known issue. Otherwise looks for one that a killed process has created, and then creates one. One that
 * somebody has deleted is replaced.
 */
async function bringUpToDate(
  tracker: IssueTracker,
  content: IssueContent & { is_open: boolean },
  { number: known, schedule_id, opened_at }: IssueSending,
): Promise<number | null> {
  const number = known ?? (await tracker.find(issueMark(schedule_id), before(opened_at)));
  if (number !== undefined && (await tracker.update(number, content))) return number;
  if (!content.is_open) return null;
  return tracker.create({ title: content.title, body: content.body });
}

function before(at: Date): Date {
  return new Date(at.getTime() - SKEW_MS);
}

/** Finds out why a repository does not accept an issue. */
async function explain(tracker: IssueTracker, error: PlatformError): Promise<SendOutcome> {
  if (error.error_class !== 'gone' && error.error_class !== 'forbidden') return toOutcome(error);
  try {
    return refuse(OBSTACLES[await tracker.explain()]);
  } catch (second) {
    return toOutcome(assertHostError(second));
  }
}

function toOutcome({ error_class, message, retry_after }: PlatformError): SendOutcome {
  if (error_class !== 'unavailable' && error_class !== 'rate_limited') return refuse(message);
  const retry_after_ms = retry_after === null ? null : retry_after * 1_000;
  return { status: 'failed', http_status: null, error: message, retry_after_ms };
}

/** @throws anything but an error of the Git host */
function assertHostError(error: unknown): PlatformError {
  if (error instanceof Error && error.name === 'PlatformError') return error as PlatformError;
  throw error;
}

function refuse(error: string): SendOutcome {
  return { status: 'refused', http_status: null, error };
}
