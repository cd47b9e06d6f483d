/** A small local identity provider: discovery, JWKS and userinfo, with keys that can be rotated. */
import { KeyObject, sign as signBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export interface TestProvider {
  issuer: string;
  /** Signs claims with the newest key; standard claims are filled in unless given (undefined omits one). */
  sign(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** Signs any two texts with the first key (RS256), without checking them. */
  signTexts(header: string, payload: string): string;
  publicJwk(): JWK;
  /** Adds a key; new tokens are signed with it. */
  rotate(alg?: string): Promise<void>;
  /** Removes the older keys. */
  retire(): void;
  /** Response of userinfo. */
  userinfo: Record<string, unknown>;
  requests: string[];
  /** While true, every response is 500. */
  broken: boolean;
  /** If set, handles the requests of a path. */
  override: { path: string; answer(response: ServerResponse): void } | null;
  close(): Promise<void>;
}

/** @param alg of its first key */
export async function startProvider(alg = 'RS256'): Promise<TestProvider> {
  const keys: { kid: string; alg: string; private_key: CryptoKey; jwk: JWK }[] = [];
  let made = 0;
  const provider = { userinfo: {}, requests: [], broken: false, override: null } as unknown as TestProvider;
  const server = createServer((request, response) => {
    provider.requests.push(request.url ?? '');
    if (provider.broken) {
      response.writeHead(500).end('{}');
      return;
    }
    const { override } = provider;
    if (override !== null && override.path === request.url) return override.answer(response);
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer: provider.issuer,
        jwks_uri: `${provider.issuer}/jwks`,
        userinfo_endpoint: `${provider.issuer}/userinfo`,
      },
      '/jwks': { keys: keys.map((key) => key.jwk) },
      '/userinfo': provider.userinfo,
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(documents[request.url ?? ''] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  provider.rotate = async (alg = 'RS256') => {
    const pair = await generateKeyPair(alg, { extractable: true });
    made += 1;
    const kid = `key-${made}`;
    const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' };
    keys.push({ kid, alg, private_key: pair.privateKey, jwk });
  };
  provider.retire = () => void keys.splice(0, keys.length - 1);
  provider.signTexts = (header, payload) => {
    const signed = [header, payload].map((text) => Buffer.from(text).toString('base64url')).join('.');
    const signature = signBytes('sha256', Buffer.from(signed), KeyObject.from(keys[0]!.private_key as never));
    return `${signed}.${signature.toString('base64url')}`;
  };
  provider.publicJwk = () => keys[0]!.jwk;
  provider.sign = async (claims = {}, header = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const standard = {
      iss: provider.issuer,
      aud: 'dpa-test',
      sub: 'user-1',
      iat: now,
      exp: now + 600,
      email: 'Ana@Example.com',
      email_verified: true,
      name: 'Ana',
    };
    const newest = keys.at(-1)!;
    return new SignJWT({ ...standard, ...claims })
      .setProtectedHeader({ alg: newest.alg, kid: newest.kid, typ: 'at+jwt', ...header })
      .sign(newest.private_key);
  };
  provider.close = () => new Promise((resolve) => server.close(() => resolve()));
  await provider.rotate(alg);
  return provider;
}
