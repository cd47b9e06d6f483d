import { createPrivateKey, type KeyObject } from 'node:crypto';

export type SigningAlgorithm = 'ES256' | 'RS256';

export interface SigningKey {
  algorithm: SigningAlgorithm;
  private_key: KeyObject;
}

/** The shortest keys that RS256 allows. */
const MIN_RSA_BITS = 2_048;

/**
 * Private keys that sign tokens, in the order of the text: PEM blocks one after another, with line breaks or `\n`, or a
 * JWK, or a JWK set. A key on the curve P-256 signs with ES256, an RSA key with RS256.
 *
 * @throws Error if the text contains none, or another kind of key
 * @see RFC 7517, section 5; RFC 7518, sections 3.3 and 3.4
 */
export function readSigningKeys(text: string): SigningKey[] {
  const keys = text.trimStart().startsWith('{') ? readJwks(JSON.parse(text)) : readPem(text.replaceAll('\\n', '\n'));
  if (keys.length === 0) throw new Error('no private key');
  return keys.map((private_key) => ({ private_key, algorithm: toAlgorithm(private_key) }));
}

function readJwks(json: { keys?: unknown }): KeyObject[] {
  const keys = Array.isArray(json.keys) ? json.keys : [json];
  return keys.map((key) => createPrivateKey({ key, format: 'jwk' }));
}

/** Other blocks are skipped: `openssl ecparam -genkey` writes the parameters of the curve before its key. */
function readPem(text: string): KeyObject[] {
  const blocks = text.split('-----BEGIN ').slice(1);
  return blocks
    .filter((block) => block.slice(0, block.indexOf('-----')).endsWith('PRIVATE KEY'))
    .map((block) => createPrivateKey(`-----BEGIN ${block}`));
}

function toAlgorithm({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): SigningAlgorithm {
  if (type === 'ec' && details.namedCurve === 'prime256v1') return 'ES256';
  if (type === 'rsa' && (details.modulusLength ?? 0) >= MIN_RSA_BITS) return 'RS256';
  throw new Error(`neither a key on the curve P-256 nor an RSA key of at least ${MIN_RSA_BITS} bits`);
}
