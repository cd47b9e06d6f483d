/**
 * Bolt, which calls the listener of a request. It is loaded with the first request, and gets only requests that were
 * verified, stored and acknowledged before: it opens no port and no socket.
 *
 * @see docs/adr/0047-bolt-listens-behind-a-receiver-of-our-own.md
 */
import type { App, Logger, Receiver } from '@slack/bolt';
import { lazy } from '../../lib/lazy.ts';
import type { ListenOptions, SlackInbox, SlackListener, SlackListeners } from './types.ts';

/** What `authorize` and the receiver put into the context of a request. */
interface Context<Found> {
  org_id: string;
  found: Found;
}

export function createInbox<Found>(options: ListenOptions<Found>): SlackInbox {
  const open = lazy(() => openReceiver(options));
  return {
    async process(request) {
      await (await open()).process(request);
    },
  };
}

async function openReceiver<Found>({ authorize, listeners, log }: ListenOptions<Found>): Promise<QueueReceiver> {
  const { App, LogLevel } = await import('@slack/bolt');
  const receiver = new QueueReceiver();
  const app = new App({
    receiver,
    // Listeners use the service's own client, so Bolt gets no token and keeps no clients.
    authorize: async ({ teamId }, body) => {
      return { teamId: teamId ?? '', found: await authorize(teamId ?? '', receiver.findOrg(body)) };
    },
    convoStore: false,
    tokenVerificationEnabled: false,
    logger: toBoltLogger(log, LogLevel.WARN),
  });
  register(app, listeners);
  app.error(async (error) => {
    throw unwrap(error);
  });
  return receiver;
}

/** Hands over requests of the queue, which were acknowledged when they arrived. */
class QueueReceiver implements Receiver {
  #app: App | undefined;
  /** Bolt authorizes by the body alone. */
  readonly #orgs = new WeakMap<object, string>();

  init(app: App): void {
    this.#app = app;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async process({ org_id, body }: Parameters<SlackInbox['process']>[0]): Promise<void> {
    this.#orgs.set(body, org_id);
    await this.#app?.processEvent({ body, ack: async () => {}, customProperties: { org_id } });
  }

  findOrg(body: object = {}): string {
    const org_id = this.#orgs.get(body);
    if (org_id === undefined) throw new Error('Bolt asks for a request that it did not get');
    return org_id;
  }
}

function register<Found>(app: App, listeners: SlackListeners<Found>): void {
  const { command, actions, unknown_action, views, events, ended } = listeners;
  const call = (listener: SlackListener<never, Found>) => {
    return async ({ body, context }: { body: unknown; context: object }) =>
      listener(body as never, (context as Context<Found>).found);
  };
  const end = async ({ body, context }: { body: unknown; context: object }) =>
    ended(body as never, (context as Context<Found>).org_id);
  app.command(/^/, call(command));
  for (const [action_id, listener] of Object.entries(actions)) app.action(action_id, call(listener));
  app.action({ type: 'block_actions' }, async ({ body, action, context }) => {
    if (!Object.hasOwn(actions, action.action_id)) await call(unknown_action)({ body, context });
  });
  for (const [callback_id, listener] of Object.entries(views)) app.view(callback_id, call(listener));
  app.event('app_home_opened', call(events.app_home_opened));
  app.event('link_shared', call(events.link_shared));
  app.event('app_uninstalled', end);
  app.event('tokens_revoked', end);
}

/** The error of the listener, without what Bolt puts around it. */
function unwrap(error: Error): Error {
  const { original, originals } = error as { original?: unknown; originals?: unknown };
  const inner = Array.isArray(originals) ? originals[0] : original;
  return inner instanceof Error ? unwrap(inner) : error;
}

/** Messages of Bolt can contain what people wrote, so only its warnings are logged, without their values. */
function toBoltLogger(log: ListenOptions<unknown>['log'], level: ReturnType<Logger['getLevel']>): Logger {
  const warn = (text: unknown) => log.warn({ from: 'bolt' }, typeof text === 'string' ? text : 'Bolt reports an error');
  const ignore = () => {};
  return { debug: ignore, info: ignore, warn, error: ignore, setLevel: ignore, getLevel: () => level, setName: ignore };
}
