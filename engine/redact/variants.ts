/**
 * The forms in which a secret may stand inside a longer text: as it is; inside JSON, as `JSON.stringify` and as
 * Terraform's `jsonencode` (which also escapes `<`, `>` and `&`) write it; in an address; whole in base64, either alphabet.
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

/** Without padding, so that a form that leaves it out is found too. */
function* writeBase64(secret: string): Iterable<string> {
  const bytes = Buffer.from(secret, 'utf8');
  const standard = bytes.toString('base64').replace(/={1,2}$/, '');
  yield standard;
  const forAddresses = bytes.toString('base64url');
  if (forAddresses !== standard) yield forAddresses;
}
