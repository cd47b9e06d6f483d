/** The format of messages to servers, and the handling of their responses. */
import { readRetryAfter } from '../../lib/retry-after.ts';
import { signMessage } from './signature.ts';
import type { OutboundEvent } from './types.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const VERSION = '2026-01';

/** Wait after each failed attempt; there is none after the last. */
const WAITS_MS = [
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];
const JITTER = 0.2;
const LONGEST_RETRY_AFTER_MS = HOUR_MS;
/** 4xx statuses for which a retry may help. */
const TRANSIENT = new Set([408, 425, 429]);

/** The outcome of one attempt. */
export interface Attempt {
  /** null = no response. */
  http_status: number | null;
  /** null = it was delivered. */
  error: string | null;
  duration_ms: number;
  /** The wait that the server requested; null = none. */
  retry_after_ms: number | null;
}

/** `gone`: the server wants no more messages. */
export type Verdict = 'delivered' | 'gone' | 'refused' | 'failed';

export function classifyStatus(http_status: number | null): Verdict {
  if (http_status === null || http_status >= 500) return 'failed';
  if (http_status >= 200 && http_status < 300) return 'delivered';
  if (http_status === 410) return 'gone';
  return http_status >= 400 && !TRANSIENT.has(http_status) ? 'refused' : 'failed';
}

/**
 * Wait before the next attempt: 30 s, 2 min, 10 min, 30 min, 2 h, 6 h and 12 h, each plus or minus a fifth, and at
 * least what the server requested.
 *
 * @param tries number of attempts, at least one
 * @param random from 0 to 1
 * @returns milliseconds; null after the eighth attempt
 */
export function waitAfter(tries: number, random: number, retry_after_ms: number | null): number | null {
  const wait_ms = WAITS_MS[tries - 1];
  if (wait_ms === undefined) return null;
  const spread_ms = Math.round(wait_ms * (1 + JITTER * (2 * random - 1)));
  return Math.max(spread_ms, retry_after_ms ?? 0);
}

/** The header `Retry-After` as milliseconds from now; null if it is invalid, or more than an hour. */
export function readWait(header: string | null, now: Date): number | null {
  const ms = (readRetryAfter(header, now) ?? 0) * SECOND_MS;
  return ms > 0 && ms <= LONGEST_RETRY_AFTER_MS ? ms : null;
}

/** An event in the form that servers receive. */
export function buildEnvelope(event: OutboundEvent): string {
  const { id, type, created_at, org, data } = event;
  return JSON.stringify({ id, type, version: VERSION, created_at, org_id: org.id, org_slug: org.slug, data });
}

/**
 * Headers of a message, with a signature of each valid secret.
 *
 * @param id the same for each attempt
 * @see Standard Webhooks, "Webhook headers"
 */
export function buildHeaders(secrets: readonly string[], { id, body }: { id: string; body: string }, now: Date) {
  const timestamp = String(Math.floor(now.getTime() / SECOND_MS));
  return {
    'content-type': 'application/json',
    'user-agent': 'dpa-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signMessage(secret, { id, timestamp, body })).join(' '),
  };
}
