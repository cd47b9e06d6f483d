/** Reads what Slack sends, into the few facts that the service needs. All other parts are dropped and never stored. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { InvalidInput } from './errors.ts';

/** What Slack sends: something happened, a person wrote a command, or pressed a button. */
export type RequestKind = 'event' | 'command' | 'interaction';

const ID = z.string().min(1).max(64);
const HANDLED_EVENTS = ['app_uninstalled', 'tokens_revoked', 'app_home_opened'] as const;

const EVENT = z.object({
  type: z.string(),
  challenge: z.string().max(1_000).optional(),
  event_id: ID.optional(),
  event_time: z.number().optional(),
  team_id: ID.optional(),
  authorizations: z.array(z.object({ team_id: ID.nullish() })).nullish(),
  event: z
    .object({
      type: z.string(),
      user: ID.optional(),
      tab: z.string().optional(),
      tokens: z.object({ bot: z.array(z.string()).optional() }).optional(),
    })
    .optional(),
});
const COMMAND = z.object({
  team_id: ID,
  user_id: ID,
  text: z.string().max(4_000).default(''),
  response_url: z.url(),
});
const BUTTON = z.object({
  type: z.literal('block_actions'),
  team: z.object({ id: ID }),
  user: z.object({ id: ID }),
  response_url: z.url(),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().max(2_000).optional() })).min(1),
});

/** The event that a workspace has ended the app, or that a person opens its home tab. */
export interface SlackEvent {
  type: (typeof HANDLED_EVENTS)[number];
  user_id: string | null;
  /** Whether the token of the app itself is gone. */
  is_bot_token: boolean;
  /** Seconds since 1970. */
  event_time: number;
}

export interface SlackCommand {
  user_id: string;
  text: string;
  response_url: string;
}

/** A pressed button. */
export interface SlackPress {
  user_id: string;
  action_id: string;
  value: string;
  response_url: string;
}

export type SlackContent = SlackEvent | SlackCommand | SlackPress;

/** What Slack sent; `request_key` is the same whenever it sends it. */
export type Incoming =
  | { what: 'challenge'; challenge: string }
  | { what: 'nothing' }
  | { what: 'request'; kind: RequestKind; team_id: string; request_key: string; content: SlackContent };

/** @throws InvalidInput for a body that Slack never sends */
export function readIncoming(kind: RequestKind, raw: Buffer): Incoming {
  if (kind === 'event') return readEvent(raw);
  const form = Object.fromEntries(new URLSearchParams(raw.toString()));
  return kind === 'command' ? readCommand(form, raw) : readPress(form, raw);
}

function readEvent(raw: Buffer): Incoming {
  const body = parse(EVENT, raw.toString());
  if (body.type === 'url_verification') return { what: 'challenge', challenge: body.challenge ?? '' };
  const { event, event_id, authorizations } = body;
  // In a shared channel, the event names the other workspace, and the authorization the one that installed the app.
  const team_id = authorizations?.[0]?.team_id ?? body.team_id;
  const type = HANDLED_EVENTS.find((handled) => handled === event?.type);
  if (type === undefined || team_id === undefined || event_id === undefined) return { what: 'nothing' };
  if (type === 'app_home_opened' && event?.tab !== 'home') return { what: 'nothing' };
  const content: SlackEvent = {
    type,
    user_id: event?.user ?? null,
    is_bot_token: type === 'app_uninstalled' || (event?.tokens?.bot ?? []).length > 0,
    event_time: body.event_time ?? 0,
  };
  return { what: 'request', kind: 'event', team_id, request_key: `event:${event_id}`, content };
}

function readCommand(form: Record<string, string>, raw: Buffer): Incoming {
  if (form['ssl_check'] === '1') return { what: 'nothing' };
  const { team_id, ...content } = check(COMMAND, form);
  return { what: 'request', kind: 'command', team_id, request_key: digest(raw), content };
}

/** A button that only opens a link is pressed, too, but there is nothing to do. */
function readPress(form: Record<string, string>, raw: Buffer): Incoming {
  const parsed = BUTTON.safeParse(parseJson(form['payload'] ?? ''));
  if (!parsed.success) return { what: 'nothing' };
  const { team, user, response_url, actions } = parsed.data;
  const { action_id = '', value } = actions[0] ?? {};
  if (value === undefined) return { what: 'nothing' };
  const content: SlackPress = { user_id: user.id, action_id, value, response_url };
  return { what: 'request', kind: 'interaction', team_id: team.id, request_key: digest(raw), content };
}

/** Commands and presses have an ID of their own inside, so equal bodies are repetitions. */
function digest(raw: Buffer): string {
  return `body:${hash('sha256', raw, 'hex')}`;
}

function parse<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> {
  return check(shape, parseJson(text));
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
