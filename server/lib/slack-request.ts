/**
 * Reads what Slack sends, reduced to the few fields that the service uses: what is left has the form of Slack's own
 * bodies. All other parts are dropped and never stored.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { InvalidInput } from './errors.ts';

/** What Slack sends: something happened, a person wrote a command, or used a message or a dialog. */
export type RequestKind = 'event' | 'command' | 'interaction';

const ID = z.string().min(1).max(64);
const LINK = z.object({ url: z.string().max(3_000) });
/** Slack sends at most this many. */
const MOST_LINKS = 100;

const CALL = z.object({ type: z.string(), challenge: z.string().max(1_000).optional() });
const EVENT = z.object({
  event_id: ID,
  event_time: z.number().default(0),
  team_id: ID.optional(),
  is_ext_shared_channel: z.boolean().default(false),
  authorizations: z.array(z.object({ team_id: ID.nullish() })).nullish(),
  event: z.discriminatedUnion('type', [
    z.object({ type: z.literal('app_uninstalled') }),
    z.object({
      type: z.literal('tokens_revoked'),
      tokens: z.object({ bot: z.array(z.string()).default([]) }).default({ bot: [] }),
    }),
    z.object({ type: z.literal('app_home_opened'), user: ID, tab: z.literal('home') }),
    z.object({
      type: z.literal('link_shared'),
      user: ID,
      channel: ID,
      message_ts: ID.optional(),
      unfurl_id: z.string().max(200).optional(),
      source: z.enum(['composer', 'conversations_history']).optional(),
      links: z.array(LINK).max(MOST_LINKS),
    }),
  ]),
});
const COMMAND = z.object({
  command: z.string().min(1).max(100),
  team_id: ID,
  user_id: ID,
  channel_id: ID.optional(),
  text: z.string().max(4_000).default(''),
  response_url: z.url(),
});
const STATE = z.object({
  values: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        value: z.string().max(3_000).nullish(),
        selected_option: z.object({ value: z.string().max(200) }).nullish(),
      }),
    ),
  ),
});
const VIEW = z.object({
  id: ID,
  callback_id: z.string().max(255).default(''),
  private_metadata: z.string().max(3_000).default(''),
  state: STATE.default({ values: {} }),
});
const WHO = { team: z.object({ id: ID }), user: z.object({ id: ID }) };
const PRESS = z.object({
  type: z.literal('block_actions'),
  ...WHO,
  trigger_id: z.string().max(200).optional(),
  /** Of a message. */
  response_url: z.url().optional(),
  channel: z.object({ id: ID }).optional(),
  message: z.object({ ts: ID }).optional(),
  /** Of a dialog. */
  view: VIEW.optional(),
  actions: z
    .array(
      z.object({
        type: z.string(),
        action_id: z.string().max(255),
        value: z.string().max(2_000).optional(),
        selected_option: z.object({ value: z.string().max(200) }).nullish(),
      }),
    )
    .min(1),
});
const SUBMISSION = z.object({ type: z.literal('view_submission'), ...WHO, view: VIEW });
const INTERACTION = z.discriminatedUnion('type', [PRESS, SUBMISSION]);

/** The app was removed, its home tab was opened, or one of the service's links was posted. */
export type SlackEvent = Omit<z.infer<typeof EVENT>, 'team_id' | 'authorizations'> & {
  type: 'event_callback';
  team_id: string;
};
/** The events that the service works on, as the manifest of the app lists them. */
export const HANDLED_EVENTS: readonly string[] = EVENT.shape.event.options.map(({ shape }) => shape.type.value);

export type SlackEventOf<Type extends SlackEvent['event']['type']> = Omit<SlackEvent, 'event'> & {
  event: Extract<SlackEvent['event'], { type: Type }>;
};
export type SlackCommand = z.infer<typeof COMMAND>;
/** A pressed button, or an entry chosen from a list. */
export type SlackPress = z.infer<typeof PRESS>;
/** A dialog that was sent. */
export type SlackSubmission = z.infer<typeof SUBMISSION>;
export type SlackBody = SlackEvent | SlackCommand | SlackPress | SlackSubmission;

/** What Slack sent; `request_key` is the same whenever it sends it. */
export type Incoming =
  | { what: 'challenge'; challenge: string }
  | { what: 'nothing' }
  | { what: 'request'; kind: RequestKind; team_id: string; request_key: string; body: SlackBody };

/** @throws InvalidInput for a body that Slack never sends */
export function readIncoming(kind: RequestKind, raw: Buffer): Incoming {
  if (kind === 'event') return readEvent(parseJson(raw.toString()));
  const form = Object.fromEntries(new URLSearchParams(raw.toString()));
  return kind === 'command' ? readCommand(form, raw) : readInteraction(form, raw);
}

function readEvent(sent: unknown): Incoming {
  const { type, challenge = '' } = check(CALL, sent);
  if (type === 'url_verification') return { what: 'challenge', challenge };
  const parsed = EVENT.safeParse(sent);
  if (!parsed.success) return { what: 'nothing' };
  const { authorizations, team_id: sent_by, ...rest } = parsed.data;
  // In a shared channel, the event names the other workspace, and the authorization the one that installed the app.
  const team_id = authorizations?.[0]?.team_id ?? sent_by;
  if (team_id === undefined) return { what: 'nothing' };
  const body: SlackEvent = { type: 'event_callback', team_id, ...rest };
  return { what: 'request', kind: 'event', team_id, request_key: `event:${rest.event_id}`, body };
}

function readCommand(form: Record<string, string>, raw: Buffer): Incoming {
  if (form['ssl_check'] === '1') return { what: 'nothing' };
  const body = check(COMMAND, form);
  return { what: 'request', kind: 'command', team_id: body.team_id, request_key: digest(raw), body };
}

/** A button that only opens a link is pressed, too, but there is nothing to do. */
function readInteraction(form: Record<string, string>, raw: Buffer): Incoming {
  const parsed = INTERACTION.safeParse(parseJson(form['payload'] ?? ''));
  if (!parsed.success) return { what: 'nothing' };
  const body = parsed.data;
  if (body.type === 'block_actions' && body.actions.every(isLink)) return { what: 'nothing' };
  return { what: 'request', kind: 'interaction', team_id: body.team.id, request_key: digest(raw), body };
}

function isLink({ value, selected_option }: SlackPress['actions'][number]): boolean {
  return value === undefined && (selected_option ?? null) === null;
}

/** Commands and interactions have an ID of their own inside, so equal bodies are repetitions. */
function digest(raw: Buffer): string {
  return `body:${hash('sha256', raw, 'hex')}`;
}

function check<Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape> {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidInput('the body is not a request that Slack documents');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput('the body is not JSON');
  }
}
