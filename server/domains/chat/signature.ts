import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ReceivedHeaders } from '../webhooks/index.ts';

/** Maximum clock difference to Slack. */
const TOLERANCE_MS = 5 * 60_000;

/** Verifies the sender of a body while it arrives. */
export interface SlackCheck {
  update(chunk: Uint8Array): void;
  /** Whether Slack has signed the body; called once, after the whole body has arrived. */
  isGenuine(): boolean;
}

/**
 * Verifies that Slack signed a body recently.
 *
 * @returns undefined if the headers alone rule that out
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function checkSlackSender(signing_secret: string, headers: ReceivedHeaders, now: Date): SlackCheck | undefined {
  const timestamp = text(headers['x-slack-request-timestamp']);
  const given = text(headers['x-slack-signature']);
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(given)) return undefined;
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > TOLERANCE_MS) return undefined;
  const mac = createHmac('sha256', signing_secret).update(`v0:${timestamp}:`);
  return {
    update: (chunk) => void mac.update(chunk),
    isGenuine: () => timingSafeEqual(Buffer.from(`v0=${mac.digest('hex')}`), Buffer.from(given)),
  };
}

function text(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
