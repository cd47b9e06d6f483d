import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Headers of a request, names in lower case. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

const SECRET_PREFIX = 'whsec_';
/** How far the clock of a sender may be from ours. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * Whether GitHub signed these bytes with one of the secrets.
 *
 * @see GitHub's documentation, "Validating webhook deliveries": HMAC-SHA256 in hexadecimal over the body
 */
export function isSignedByGithub(secrets: readonly string[], body: Uint8Array, headers: ReceivedHeaders): boolean {
  const given = text(headers['x-hub-signature-256']);
  return matchesAny(
    [given],
    secrets.map((secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
  );
}

/**
 * Whether GitLab signed these bytes with one of the secrets not long ago or, where it signs nothing, knows one of them.
 * A signature that does not fit is not made up for by a token.
 *
 * @see GitLab's documentation of webhooks: signing tokens follow Standard Webhooks, secret tokens stand in X-Gitlab-Token
 */
export function isSentByGitlab(
  secrets: readonly string[],
  body: Uint8Array,
  headers: ReceivedHeaders,
  now: Date,
): boolean {
  if (headers['webhook-signature'] === undefined) return matchesAny([text(headers['x-gitlab-token'])], secrets);
  const timestamp = text(headers['webhook-timestamp']);
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > TOLERANCE_MS) return false;
  const id = text(headers['webhook-id']);
  const given = text(headers['webhook-signature']).split(' ');
  return (
    id !== '' &&
    matchesAny(
      given,
      secrets.map((secret) => signatureOf(secret, { id, timestamp, body })),
    )
  );
}

/**
 * The signature of a message: `v1,` and HMAC-SHA256 in base64 over id, timestamp and body with dots between.
 *
 * @param message `timestamp`: seconds since 1970
 * @see Standard Webhooks, "Signature scheme"
 */
export function signatureOf(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: string | Uint8Array },
): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/** Looks at every pair and takes equal time for each, so that nothing is learned from how long it takes. */
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
