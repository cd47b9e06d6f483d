import { createHmac, type Hmac, hash, timingSafeEqual } from 'node:crypto';

/** Headers of a request, with names in lower case. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

const SECRET_PREFIX = 'whsec_';
/** Maximum clock difference to a sender. */
const TOLERANCE_MS = 5 * 60_000;

/** Verifies the sender of a body while it arrives. */
export interface SenderCheck {
  update(chunk: Uint8Array): void;
  /** Whether the sender knows the secret; called once, after the whole body has arrived. */
  isGenuine(): boolean;
}

/**
 * Verifies that GitHub signed a body with one of the secrets.
 *
 * @returns undefined if the headers alone rule that out
 * @see GitHub's documentation, "Validating webhook deliveries": HMAC-SHA256 in hexadecimal over the body
 */
export function checkGithubSender(secrets: readonly string[], headers: ReceivedHeaders): SenderCheck | undefined {
  const given = text(headers['x-hub-signature-256']);
  if (!/^sha256=[0-9a-f]{64}$/.test(given)) return undefined;
  const macs = secrets.map((secret) => createHmac('sha256', secret));
  return checkMacs([given], macs, (mac) => `sha256=${mac.digest('hex')}`);
}

/**
 * Verifies that GitLab signed a body recently with one of the secrets or, if it is not signed, sent one of them. A
 * token does not compensate for a wrong signature.
 *
 * @returns undefined if the headers alone rule that out
 * @see GitLab's documentation of webhooks: signing tokens follow Standard Webhooks, secret tokens are in X-Gitlab-Token
 */
export function checkGitlabSender(
  secrets: readonly string[],
  headers: ReceivedHeaders,
  now: Date,
): SenderCheck | undefined {
  if (headers['webhook-signature'] === undefined) {
    const knows = matchesAny([text(headers['x-gitlab-token'])], secrets);
    return knows ? { update: () => {}, isGenuine: () => true } : undefined;
  }
  const timestamp = text(headers['webhook-timestamp']);
  if (!/^\d{1,12}$/.test(timestamp)) return undefined;
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > TOLERANCE_MS) return undefined;
  const id = text(headers['webhook-id']);
  if (id === '') return undefined;
  const given = text(headers['webhook-signature']).split(' ');
  const macs = secrets.map((secret) => startSignature(secret, { id, timestamp }));
  return checkMacs(given, macs, endSignature);
}

function checkMacs(given: readonly string[], macs: readonly Hmac[], end: (mac: Hmac) => string): SenderCheck {
  return {
    update(chunk) {
      for (const mac of macs) mac.update(chunk);
    },
    isGenuine: () => matchesAny(given, macs.map(end)),
  };
}

/**
 * The signature of a message: `v1,` and HMAC-SHA256 in base64 over id, timestamp and body with dots between.
 *
 * @param message `timestamp`: seconds since 1970
 * @see Standard Webhooks, "Signature scheme"
 */
export function signMessage(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: string | Uint8Array },
): string {
  return endSignature(startSignature(secret, { id, timestamp }).update(body));
}

function startSignature(secret: string, { id, timestamp }: { id: string; timestamp: string }): Hmac {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`);
}

function endSignature(mac: Hmac): string {
  return `v1,${mac.digest('base64')}`;
}

/** Compares every pair in constant time, so that the duration reveals nothing. */
function matchesAny(given: readonly string[], expected: readonly string[]): boolean {
  let found = false;
  for (const one of given.slice(0, 10)) {
    for (const other of expected) found = isEqual(one, other) || found;
  }
  return found;
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

function text(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
