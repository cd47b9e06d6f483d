/** What is sent to servers, and what follows from their answers. */
import { signMessage } from './signature.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const VERSION = '2026-01';

/** How long to wait after each try that failed; after the last there is none. */
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
/** Statuses of the 4xx that another try may mend. */
const TRANSIENT = new Set([408, 425, 429]);

/** What one try came to. */
export interface Attempt {
  /** null = nobody answered. */
  http_status: number | null;
  /** null = it was delivered. */
  error: string | null;
  duration_ms: number;
  /** What the server asked for; null = nothing. */
  retry_after_ms: number | null;
}

/** `gone`: the server wants no more at all. */
export type Verdict = 'delivered' | 'gone' | 'refused' | 'failed';

export function classifyStatus(http_status: number | null): Verdict {
  if (http_status === null || http_status >= 500) return 'failed';
  if (http_status >= 200 && http_status < 300) return 'delivered';
  if (http_status === 410) return 'gone';
  return http_status >= 400 && !TRANSIENT.has(http_status) ? 'refused' : 'failed';
}

/**
 * How long to wait before the next try: 30 s, 2 min, 10 min, 30 min, 2 h, 6 h and 12 h, each a fifth more or less, and no
 * shorter than the server asked for.
 *
 * @param tries how many there were, at least one
 * @param random from 0 to 1
 * @returns milliseconds; null after the eighth try
 */
export function waitAfter(tries: number, random: number, retry_after_ms: number | null): number | null {
  const wait_ms = WAITS_MS[tries - 1];
  if (wait_ms === undefined) return null;
  const spread_ms = Math.round(wait_ms * (1 + JITTER * (2 * random - 1)));
  return Math.max(spread_ms, retry_after_ms ?? 0);
}

/** Seconds or a date, as milliseconds from now; null for what is none, and for more than an hour. */
export function retryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * SECOND_MS : new Date(header).getTime() - now.getTime();
  return ms > 0 && ms <= LONGEST_RETRY_AFTER_MS ? ms : null;
}

/** An event as servers get it. */
export function buildEnvelope(event: {
  id: string;
  type: string;
  created_at: Date;
  org: { id: string; slug: string };
  data: Readonly<Record<string, unknown>>;
}): string {
  const { id, type, created_at, org, data } = event;
  return JSON.stringify({ id, type, version: VERSION, created_at, org_id: org.id, org_slug: org.slug, data });
}

/**
 * Headers of a message: signed with each secret, while two of them are valid.
 *
 * @param id the same at each try
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
