import type { Schemas } from './contract.ts';
import { DpaUsageError, DpaWebhookError } from './errors.ts';

/** Default tolerance between the clocks of sender and receiver, in seconds. */
const TOLERANCE_S = 300;
const SECRET_PREFIX = 'whsec_';
/** A message has one signature per valid secret, which are at most two. */
const MOST_SIGNATURES = 10;

/**
 * A message of the service; `type` says what `data` contains. Later versions can add types, so ignore those that you do
 * not know. Messages can arrive twice and in any order: process each `id` once.
 */
export type WebhookEvent =
  | Schemas['DriftDetectedEvent']
  | Schemas['DriftResolvedEvent']
  | Schemas['DriftUnchangedEvent']
  | Schemas['ScanFailedEvent']
  | Schemas['AnalysisCompletedEvent']
  | Schemas['AnalysisApprovedEvent']
  | Schemas['ScheduleDisabledEvent']
  | Schemas['CompliancePackReadyEvent']
  | Schemas['CompliancePackFailedEvent']
  | Schemas['WebhookPingEvent'];

/** The types of messages that this version knows. */
export type WebhookEventType = WebhookEvent['type'];

/** Headers of `fetch` or of Node. */
export type WebhookHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** Tolerance between the clocks of sender and receiver, in seconds; default: 300. */
  tolerance_s?: number;
  /** The current time; default: the clock. */
  now?: Date;
}

/**
 * Verifies that the service signed this message recently, and parses it.
 *
 * @param payload the raw body as bytes or text; a parsed and serialized object does not work
 * @param secret the `raw_secret` of the webhook; several during a rotation
 * @throws DpaWebhookError if the verification fails; DpaUsageError if the payload or a secret is invalid
 * @see Standard Webhooks, "Signature scheme"
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance_s = TOLERANCE_S, now = new Date() }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const bytes = toBytes(payload);
  const keys = (typeof secret === 'string' ? [secret] : secret).map(parseSecret);
  if (keys.length === 0) throw new DpaUsageError('verifyWebhook needs a secret: the raw_secret of the webhook');

  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  assertRecent(timestamp, now, tolerance_s);
  if (!(await isSigned(concat(`${id}.${timestamp}.`, bytes), signatures, keys))) {
    throw new DpaWebhookError('no_matching_signature', 'no signature of the message matches its body and the secret');
  }
  return parseEvent(bytes);
}

function toBytes(payload: string | Uint8Array): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  if (payload instanceof Uint8Array) return payload;
  throw new DpaUsageError('verifyWebhook needs the raw body as text or bytes: read it before a JSON parser does');
}

/** @throws DpaUsageError; the message never contains the secret */
function parseSecret(secret: string): Uint8Array<ArrayBuffer> {
  const base64 = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const key = decodeBase64(base64);
  if (key !== undefined && key.length > 0) return key;
  throw new DpaUsageError(`this is not a webhook secret: use the value of raw_secret, ${SECRET_PREFIX} and base64`);
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : findHeader(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new DpaWebhookError('missing_header', `the message has no header ${name}`);
}

function findHeader(headers: object, name: string): unknown {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

function assertRecent(timestamp: string, now: Date, tolerance_s: number): void {
  const skew_s = /^\d{1,12}$/.test(timestamp) ? Math.abs(now.getTime() / 1_000 - Number(timestamp)) : Number.NaN;
  if (skew_s <= tolerance_s) return;
  throw new DpaWebhookError(
    'timestamp_out_of_tolerance',
    `webhook-timestamp is not within ${tolerance_s} seconds of the current time: the message is old, or a clock is wrong`,
  );
}

/** Checks every combination of key and signature; WebCrypto compares in constant time. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  header: string,
  keys: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const signatures = header
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .flatMap((one) => (one.startsWith('v1,') ? [decodeBase64(one.slice(3))] : []));
  let found = false;
  for (const raw of keys) {
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures) {
      if (signature !== undefined) found = (await crypto.subtle.verify('HMAC', key, signature, content)) || found;
    }
  }
  return found;
}

function parseEvent(bytes: Uint8Array): WebhookEvent {
  const event = parseJson(new TextDecoder().decode(bytes)) as Partial<WebhookEvent> | null | undefined;
  if (typeof event?.type === 'string' && typeof event.id === 'string') return event as WebhookEvent;
  throw new DpaWebhookError(
    'invalid_payload',
    'the message has a valid signature but is not an event: id or type is missing',
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function concat(text: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(text);
  const all = new Uint8Array(head.length + bytes.length);
  all.set(head);
  all.set(bytes, head.length);
  return all;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
