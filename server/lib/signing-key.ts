import { createPrivateKey, type KeyObject } from 'node:crypto';

/**
 * Parses a private key of ES256 (ECDSA on P-256): PEM, with line breaks or `\n`, or a JWK.
 *
 * @throws Error if the text contains none
 * @see RFC 7518, section 3.4
 */
export function readSigningKey(text: string): KeyObject {
  const key = text.trimStart().startsWith('{')
    ? createPrivateKey({ key: JSON.parse(text), format: 'jwk' })
    : createPrivateKey(text.replaceAll('\\n', '\n'));
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error('not a private key on the curve P-256');
  }
  return key;
}
