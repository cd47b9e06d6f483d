/**
 * Encodings of a secret inside longer text: plain, JSON-escaped as by `JSON.stringify` and Terraform's `jsonencode`
 * (which also escapes `<`, `>` and `&`), URL-encoded, and base64 in both alphabets.
 */
export function* writeVariants(secrets: Iterable<string>): Iterable<string> {
  for (const secret of secrets) {
    yield secret;
    const escaped = JSON.stringify(secret).slice(1, -1);
    if (escaped !== secret) yield escaped;
    const safe = escaped.replace(/[<>&]/g, escapeUnit);
    if (safe !== escaped) yield safe;
    if (!LONE_SURROGATE.test(secret)) {
      const encoded = encodeURIComponent(secret);
      if (encoded !== secret) yield encoded;
    }
    yield* writeBase64(secret);
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function escapeUnit(unit: string): string {
  return `\\u00${unit.charCodeAt(0).toString(16)}`;
}

/** Without padding, so that unpadded forms are found too. */
function* writeBase64(secret: string): Iterable<string> {
  const bytes = Buffer.from(secret, 'utf8');
  const standard = bytes.toString('base64').replace(/={1,2}$/, '');
  yield standard;
  const forAddresses = bytes.toString('base64url');
  if (forAddresses !== standard) yield forAddresses;
}
