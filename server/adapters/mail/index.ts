/** Sends emails by SMTP. The package is loaded with the first email. */
import { lazy } from '../../lib/lazy.ts';
import type { Mail, MailResult, MailSender } from './types.ts';

const TIMEOUT_MS = 10_000;

export interface MailOptions {
  /** `smtp://user:password@host:587`; `smtps:` for TLS from the first byte. */
  url: string;
  /** Sender, such as `dpa <dpa@example.com>`. */
  from: string;
}

export function createMailSender({ url, from }: MailOptions): MailSender {
  const open = lazy(async () => {
    const { createTransport } = await import('nodemailer');
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
    // Neither files nor URLs are read, whatever a message contains.
    return createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  });

  async function send({ to, subject, text, message_id, in_reply_to }: Mail): Promise<MailResult> {
    const reply = in_reply_to === null ? {} : { inReplyTo: `<${in_reply_to}>`, references: `<${in_reply_to}>` };
    try {
      const transport = await open();
      const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };
      await transport.sendMail({ from, to: [...to], subject, text, messageId: `<${message_id}>`, headers, ...reply });
      return { ok: true };
    } catch (error) {
      return describeFailure(error);
    }
  }

  return { send };
}

/** 5xx of SMTP is permanent, such as an unknown recipient; a wrong password is, too. */
function describeFailure(error: unknown): MailResult {
  const { responseCode: status = null, code } = error as { responseCode?: number; code?: string };
  const is_final = (status !== null && status >= 500) || code === 'EAUTH';
  if (code === 'EAUTH')
    return { ok: false, status, is_final, error: 'the mail server does not accept the credentials' };
  if (status === null) return { ok: false, status, is_final, error: 'the mail server could not be reached' };
  return { ok: false, status, is_final, error: `the mail server answered with status ${status}` };
}
