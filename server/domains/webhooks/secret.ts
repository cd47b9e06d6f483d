const PREFIX = 'whsec_';
const DISPLAYED_LENGTH = 12;
/** How long the old secret stays valid after a rotation, so that both sides can be changed one after the other. */
export const ROTATION_MS = 24 * 3_600_000;

/**
 * The secret of these random bytes, as it is shown.
 *
 * @see Standard Webhooks, "Signature scheme": `whsec_` and base64
 */
export function formatSecret(bytes: Uint8Array): string {
  return PREFIX + Buffer.from(bytes).toString('base64');
}

/** The part of a secret that can be shown. */
export function secretPrefix(secret: string): string {
  return secret.slice(0, DISPLAYED_LENGTH);
}
