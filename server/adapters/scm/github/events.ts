import type { Context, Probot } from 'probot';
import type { Logger } from '../../../log.ts';
import type { BotEvent } from '../types.ts';
import { type AppIdentity, silenceLogger } from './client.ts';
import { readCheckEvent, readCommandEvent, readPullEvent, readRunEvent, readSuiteEvent } from './payloads.ts';

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
  const found = new WeakMap<object, BotEvent[]>();
  let loading: Promise<Probot> | undefined;

  function registerHandlers(probot: Probot): void {
    probot.on('workflow_run.completed', recordEvent(readRunEvent));
    probot.on(
      'check_run.rerequested',
      recordEvent((payload) => readCheckEvent(payload, app?.app_id)),
    );
    probot.on(
      'check_suite.rerequested',
      recordEvent((payload) => readSuiteEvent(payload, app?.app_id)),
    );
    probot.on([...PULL_REQUEST_ACTIONS], recordEvent(readPullEvent));
    probot.on('issue_comment.created', recordEvent(readCommandEvent));
  }

  function recordEvent(read: (payload: unknown) => BotEvent | undefined) {
    return ({ payload }: Pick<Context, 'payload'>): void => {
      const event = read(payload);
      if (event !== undefined) found.get(payload)?.push(event);
    };
  }

  return async ({ id, event, raw }) => {
    const payload = parse(raw);
    if (payload === undefined) return [];
    const events: BotEvent[] = [];
    found.set(payload, events);
    try {
      loading ??= load(registerHandlers, log);
      // Probot declares types of payloads but does not check them, so each member is validated.
      await (await loading).receive({ id, name: event, payload } as Parameters<Probot['receive']>[0]);
    } catch {
      log.warn({ delivery_id: id, event }, 'a delivery of GitHub could not be parsed');
      return [];
    }
    return events;
  };
}

/** Parsing needs no credential, but Probot requires one. */
async function load(registerHandlers: (probot: Probot) => void, log: Logger): Promise<Probot> {
  const { Probot } = await import('probot');
  const probot = new Probot({ githubToken: 'none', log: silenceLogger(log) });
  await probot.load(registerHandlers);
  return probot;
}

function parse(raw: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(raw.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
