import type { Context, Probot } from 'probot';
import type { Logger } from '../../../log.ts';
import type { BotEvent } from '../types.ts';
import { type AppIdentity, silenceLogger } from './client.ts';
import {
  readCheckEvent,
  readCommandEvent,
  readPullEvent,
  readReviewEvent,
  readRunEvent,
  readSuiteEvent,
} from './payloads.ts';

/** A webhook delivery with a verified signature. */
export interface GithubDelivery {
  id: string;
  /** `X-GitHub-Event`. */
  event: string;
  raw: Buffer;
}

/** Actions that change the state of a pull request. */
const PULL_REQUEST_ACTIONS = [
  'pull_request.opened',
  'pull_request.synchronize',
  'pull_request.reopened',
  'pull_request.closed',
  'pull_request.ready_for_review',
  'pull_request.converted_to_draft',
] as const;

export interface ReadEventsDeps {
  app: Pick<AppIdentity, 'app_id'> | null;
  log: Logger;
}

/**
 * Parses a delivery. Most deliveries have no meaning for the bot. An invalid payload is logged without its content.
 */
export function createReadEvents({ app, log }: ReadEventsDeps): (delivery: GithubDelivery) => Promise<BotEvent[]> {
  return async ({ id, event, raw }) => {
    const payload = parse(raw);
    if (payload === undefined) return [];
    try {
      const events: BotEvent[] = [];
      const probot = await createProbot(log);
      registerHandlers(probot, app?.app_id, events);
      // Probot declares types of payloads but does not check them, so each member is validated.
      await probot.receive({ id, name: event, payload } as Parameters<Probot['receive']>[0]);
      return events;
    } catch {
      log.warn({ delivery_id: id, event }, 'a delivery of GitHub could not be parsed');
      return [];
    }
  };
}

/**
 * Creates a Probot for one delivery, because its handlers return nothing: they add to the list of that delivery. That
 * takes less than 0.1 ms. Parsing needs no credential, but Probot requires one.
 */
async function createProbot(log: Logger): Promise<Probot> {
  const { Probot } = await import('probot');
  return new Probot({ githubToken: 'none', log: silenceLogger(log) }).ready();
}

/** @param events the handlers add what they find in the payload */
function registerHandlers(probot: Probot, app_id: number | undefined, events: BotEvent[]): void {
  const collect =
    (read: (payload: unknown, app_id: number | undefined) => BotEvent | undefined) =>
    ({ payload }: Pick<Context, 'payload'>): void => {
      const event = read(payload, app_id);
      if (event !== undefined) events.push(event);
    };
  probot.on('workflow_run.completed', collect(readRunEvent));
  probot.on('check_run.rerequested', collect(readCheckEvent));
  probot.on('check_suite.rerequested', collect(readSuiteEvent));
  probot.on([...PULL_REQUEST_ACTIONS], collect(readPullEvent));
  probot.on('pull_request_review.submitted', collect(readReviewEvent));
  probot.on('issue_comment.created', collect(readCommandEvent));
}

function parse(raw: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(raw.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
