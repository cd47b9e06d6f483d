/** A small identity provider on loopback: discovery, JWKS and userinfo, with keys that can be rotated. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export interface TestProvider {
  issuer: string;
  /** Signs claims with the newest key; standard claims are filled in unless given (undefined leaves one out). */
  sign(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  publicJwk(): JWK;
  rotate(): Promise<void>;
  /** What userinfo answers. */
  userinfo: Record<string, unknown>;
  requests: string[];
  /** While true every answer is 500. */
  broken: boolean;
  close(): Promise<void>;
}

export async function startProvider(): Promise<TestProvider> {
  const keys: { kid: string; private_key: CryptoKey; jwk: JWK }[] = [];
  const provider = { userinfo: {}, requests: [], broken: false } as unknown as TestProvider;
  const server = createServer((request, response) => {
    provider.requests.push(request.url ?? '');
    if (provider.broken) {
      response.writeHead(500).end('{}');
      return;
    }
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

  provider.rotate = async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    const kid = `key-${keys.length + 1}`;
    keys.push({ kid, private_key: pair.privateKey, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256' } });
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
      .setProtectedHeader({ alg: 'RS256', kid: newest.kid, typ: 'at+jwt', ...header })
      .sign(newest.private_key);
  };
  provider.close = () => new Promise((resolve) => server.close(() => resolve()));
  await provider.rotate();
  return provider;
}
