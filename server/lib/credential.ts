import { hash } from 'node:crypto';

/** The credential of a request, with its digest, so that it is hashed once per request. */
export interface Credential {
  kind: 'bearer' | 'api_key';
  token: string;
  /** SHA-256 of the token. */
  digest: Buffer;
}

export function createCredential(kind: Credential['kind'], token: string): Credential {
  return { kind, token, digest: hash('sha256', token, 'buffer') };
}

/** The key of a credential in a cache, which does not reveal the credential. */
export function toCacheKey({ kind, digest }: Credential): string {
  return `${kind} ${digest.toString('base64')}`;
}
