import type { GuardedFetch } from '../../adapters/egress/index.ts';
import type { Mail, MailSender } from '../../adapters/mail/types.ts';
import type { ChatMessage, ChatSender } from '../../adapters/slack/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { PaymentRequired } from '../../lib/errors.ts';
import type { Orgs } from '../orgs/index.ts';
import { classifyStatus, readWait } from '../webhooks/index.ts';
import { renderEmail } from './email-text.ts';
import { type PostResult, postOnce } from './post-once-service.ts';
import type { PreparedMail } from './seals.ts';
import { renderSlack, renderSlackLine } from './slack-blocks.ts';
import { createSlackPace } from './slack-pace-service.ts';
import { renderTeams } from './teams-card.ts';
import type { Medium, Message, Place, Sending, SendOutcome } from './types.ts';

const TIMEOUT_MS = 10_000;
/** The posted message cannot be changed, so that a new one is posted. */
const GONE = new Set(['message_not_found', 'cant_update_message']);

export interface MediaDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  orgs: Pick<Orgs, 'assertFeature'>;
  /** The workspace of an organization; null if it has none. */
  openChat: (org_id: string) => Promise<OrgChat | null>;
  guardedFetch: GuardedFetch;
  /** Null if the deployment has no mail server. */
  mail: MailSender | null;
  /** The part of message IDs after the at sign. */
  mail_domain: string;
}

export interface OrgChat extends ChatSender {
  /** Whether the service learns of pressed buttons: only in the organization's own workspace. */
  has_buttons: boolean;
}

/** The ways to reach people. */
export function createMedia(deps: MediaDeps) {
  const { db, orgs, openChat, guardedFetch, mail, mail_domain, now } = deps;
  const pace = createSlackPace(deps);

  /** Posts a message, or brings a posted one up to date and notifies people below it. */
  async function sendSlack(org_id: string, { channel }: Place, sending: Sending): Promise<SendOutcome> {
    const opened = await openChat(org_id);
    if (opened === null) return refuse('no Slack workspace is connected; connect one and deliver again');
    const missing = await findMissingFeature(org_id);
    if (missing !== null) return refuse(missing);
    const chat = pace(org_id, opened);
    const message = renderSlack(sending.message, opened.has_buttons ? sending.buttons : []);
    const whole = { channel: channel ?? '', message, thread: null };
    if (sending.ref === null) return postWhole(chat, whole, sending);
    const ref = { channel: sending.ref.channel, ts: sending.ref.id };
    const updated = await chat.update(ref, message);
    if (!updated.ok && GONE.has(updated.code)) return postWhole(chat, whole, sending);
    if (!updated.ok || sending.line === null) return toOutcome(updated);
    const line = { channel: ref.channel, message: renderSlackLine(sending.line), thread: ref };
    const below = await postOnce(chat, line, sending);
    return toOutcome(below.ok ? { ...updated, is_found: below.is_found === true } : below);
  }

  /** A message that an earlier attempt has posted shows what was known then, so it is brought up to date. */
  async function postWhole(
    chat: ChatSender,
    whole: { channel: string; message: ChatMessage; thread: null },
    sending: Sending,
  ): Promise<SendOutcome> {
    const posted = await postOnce(chat, whole, sending);
    if (!posted.ok || posted.is_found !== true) return toOutcome(posted);
    const updated = await chat.update(posted.ref, whole.message);
    return toOutcome(updated.ok ? posted : { ...updated, is_unsure: true });
  }

  /** Why the plan of an organization does not include chat; null if it does. */
  async function findMissingFeature(org_id: string): Promise<string | null> {
    try {
      await db.inOrg(org_id, (trx) => orgs.assertFeature(trx, org_id, 'chat'));
      return null;
    } catch (error) {
      if (error instanceof PaymentRequired) return error.message;
      throw error;
    }
  }

  /** Posts to the URL of a workflow, which cannot change what it posted. */
  async function sendTeams(_org_id: string, { url }: Place, { message, line }: Sending): Promise<SendOutcome> {
    const { host } = new URL(url ?? '');
    const body = JSON.stringify(renderTeams(withLine(message, line)));
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const headers = { 'content-type': 'application/json' };
    try {
      const answer = await guardedFetch(url ?? '', { method: 'POST', headers, body, signal });
      await answer.body?.cancel();
      const verdict = classifyStatus(answer.status);
      if (verdict === 'delivered') return { status: 'delivered', http_status: answer.status };
      const failure = { http_status: answer.status, error: `${host} responded with status ${answer.status}` };
      if (verdict !== 'failed') return { status: 'refused', ...failure };
      return { status: 'failed', ...failure, retry_after_ms: readWait(answer.headers.get('retry-after'), now()) };
    } catch (error) {
      const is_ours = error instanceof Error && error.name === 'EgressError';
      const why = signal.aborted ? `${host} did not respond within ${TIMEOUT_MS / 1_000} seconds` : undefined;
      const text = why ?? (is_ours ? error.message : `${host} closed the connection`);
      return { status: 'failed', http_status: null, error: text, retry_after_ms: null };
    }
  }

  /** Sends an email, which mail programs show below the first one of its conversation. */
  async function sendEmail(_org_id: string, { addresses }: Place, sending: Sending): Promise<SendOutcome> {
    const first = sending.ref?.id ?? null;
    const content = renderEmail(withLine(sending.message, sending.line));
    return post({ to: addresses, ...content, in_reply_to: first }, sending.delivery_id);
  }

  /** Sends an email that was written before. */
  async function sendMail({ to, subject, text }: PreparedMail, delivery_id: string): Promise<SendOutcome> {
    return post({ to: [to], subject, text, in_reply_to: null }, delivery_id);
  }

  async function post(content: Omit<Mail, 'message_id'>, delivery_id: string): Promise<SendOutcome> {
    if (mail === null) return refuse('this deployment sends no email; its operator can set SMTP_URL');
    const message_id = `${delivery_id}@${mail_domain}`;
    const sent = await mail.send({ ...content, message_id });
    const ref = { channel: 'email', id: content.in_reply_to ?? message_id };
    if (sent.ok) return { status: 'delivered', http_status: null, ref };
    const failure = { http_status: sent.status, error: sent.error };
    return sent.is_final ? { status: 'refused', ...failure } : { status: 'failed', ...failure, retry_after_ms: null };
  }

  const media: Record<'slack' | 'teams' | 'email', Medium> = { slack: sendSlack, teams: sendTeams, email: sendEmail };
  return { ...media, sendMail };
}

export type Media = ReturnType<typeof createMedia>;

/** Where a message cannot be changed, the next one starts with what has happened. */
function withLine(message: Message, line: string | null): Message {
  if (line === null) return message;
  return { ...message, sections: [{ heading: null, lines: [{ name: '', text: line }] }, ...message.sections] };
}

function refuse(error: string): SendOutcome {
  return { status: 'refused', http_status: null, error };
}

function toOutcome(result: PostResult): SendOutcome {
  if (result.ok) {
    const { ref, is_found = false } = result;
    return { status: 'delivered', http_status: null, ref: { channel: ref.channel, id: ref.ts }, is_found };
  }
  const { error, is_final, retry_after_ms, is_unsure = false } = result;
  return is_final ? refuse(error) : { status: 'failed', http_status: null, error, retry_after_ms, is_unsure };
}
