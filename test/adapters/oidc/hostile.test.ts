/** Forged and malformed tokens, from the threats in RFC 8725 and known mistakes of libraries. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CompactEncrypt, type CryptoKey, exportSPKI, importJWK } from 'jose';
import { createTokenVerifier } from '../../../server/adapters/oidc/index.ts';
import { startProvider, type TestProvider } from '../../fakes/oidc-provider.ts';

const NOW = Math.floor(Date.now() / 1000);
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

interface Workshop {
  provider: TestProvider;
  /** An address that must not be called. */
  trap: string;
  /** The header and claims of a valid token. */
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  good: string;
  /** The provider's public key, as text. */
  pem: string;
  /** A key of the attacker. */
  own: { private_key: KeyObject; jwk: object };
  /** Signed by the provider itself: the content is invalid. */
  genuine(claims?: object, header?: object): string;
  /** Signed with the attacker's key. */
  forged(header?: object, claims?: object): string;
  hmac(secret: string | Buffer, header?: object): string;
}

type Make = (shop: Workshop) => string | Promise<string>;

const parts = (token: string) => token.split('.') as [string, string, string];

const FORGERIES: [string, Make][] = [
  ...['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg): [string, Make][] => [
    [`alg "${alg}" without a signature`, ({ claims }) => `${encode({ alg, typ: 'JWT' })}.${encode(claims)}.`],
    [
      `alg "${alg}" with the good signature`,
      ({ claims, good }) => `${encode({ alg })}.${encode(claims)}.${parts(good)[2]}`,
    ],
  ]),
  ['no alg', ({ claims, good }) => `${encode({ typ: 'JWT' })}.${encode(claims)}.${parts(good)[2]}`],
  ['alg as list', ({ claims, good }) => `${encode({ alg: ['RS256'] })}.${encode(claims)}.${parts(good)[2]}`],
  ['alg as number', ({ claims, good }) => `${encode({ alg: 256 })}.${encode(claims)}.${parts(good)[2]}`],
  ['alg in lower case', ({ genuine }) => genuine({}, { alg: 'rs256' })],
  ['alg with another hash', ({ genuine }) => genuine({}, { alg: 'RS384' })],
  ['HS256 with the public key in PEM', ({ hmac, pem }) => hmac(pem)],
  ['HS256 with the public key in PEM without its final line break', ({ hmac, pem }) => hmac(pem.trim())],
  ['HS256 with the public key as JWK', ({ hmac, provider }) => hmac(JSON.stringify(provider.publicJwk()))],
  ['HS256 with the modulus', ({ hmac, provider }) => hmac(Buffer.from(provider.publicJwk().n!, 'base64url'))],
  ['HS256 with an empty secret', ({ hmac }) => hmac('')],
  ['HS256 with the issuer as secret', ({ hmac, provider }) => hmac(provider.issuer)],
  ['HS512 with the public key in PEM', ({ hmac, pem }) => hmac(pem, { alg: 'HS512' })],
  ['PS256 over an RS256 signature', ({ genuine }) => genuine({}, { alg: 'PS256' })],
  ['ES256 over an RS256 signature', ({ genuine }) => genuine({}, { alg: 'ES256' })],
  ['EdDSA over an RS256 signature', ({ genuine }) => genuine({}, { alg: 'EdDSA' })],
  ['a key of the attacker with the valid kid', ({ forged }) => forged()],
  ['a key of the attacker without kid', ({ forged }) => forged({ kid: undefined })],
  ['a key of the attacker in jwk', ({ forged, own }) => forged({ jwk: own.jwk })],
  ['a key of the attacker in jwk, without kid', ({ forged, own }) => forged({ jwk: own.jwk, kid: undefined })],
  ['a key of the attacker behind jku', ({ forged, trap }) => forged({ jku: `${trap}/jwks` })],
  [
    'a key of the attacker behind jku with user info',
    ({ forged, trap, provider }) => forged({ jku: `${provider.issuer}@${trap.replace('http://', '')}/jwks` }),
  ],
  ['a key of the attacker behind x5u', ({ forged, trap }) => forged({ x5u: `${trap}/cert.pem` })],
  ['a key of the attacker in x5c', ({ forged }) => forged({ x5c: ['MIIB'] })],
  ['a kid that is a path', ({ forged }) => forged({ kid: '../../../../dev/null' })],
  ['a kid that is SQL', ({ forged }) => forged({ kid: "' union select 'key' --" })],
  ['a kid that is an address', ({ forged, trap }) => forged({ kid: `${trap}/key` })],
  ['a kid of ten thousand characters', ({ forged }) => forged({ kid: 'k'.repeat(9_000) })],
  ['a kid that is a list', ({ genuine }) => genuine({}, { kid: ['key-1'] })],
  ['a kid that is an object', ({ genuine }) => genuine({}, { kid: { toString: 'key-1' } })],
  ['a kid that is a number', ({ genuine }) => genuine({}, { kid: 1 })],
  ['a kid named __proto__', ({ forged }) => forged({ kid: '__proto__' })],
  ['crit of something unknown', ({ genuine }) => genuine({}, { crit: ['x'], x: 1 })],
  ['crit that is empty', ({ genuine }) => genuine({}, { crit: [] })],
  ['b64 false', ({ genuine }) => genuine({}, { b64: false, crit: ['b64'] })],
  ['b64 false without crit', ({ genuine }) => genuine({}, { b64: false })],
  ['the typ of a logout token', ({ genuine }) => genuine({}, { typ: 'logout+jwt' })],
  ['the typ of a request object', ({ genuine }) => genuine({}, { typ: 'oauth-authz-req+jwt' })],
  ['the typ of a proof of possession', ({ genuine }) => genuine({}, { typ: 'dpop+jwt' })],
  ['a typ that is a list', ({ genuine }) => genuine({}, { typ: ['JWT'] })],
  ['a typ that is a number', ({ genuine }) => genuine({}, { typ: 1 })],
  ['an empty signature', ({ good }) => `${parts(good)[0]}.${parts(good)[1]}.`],
  ['a signature of zeros', ({ good }) => `${parts(good)[0]}.${parts(good)[1]}.${encode('\0'.repeat(256))}`],
  [
    'a changed claim',
    ({ good, claims }) => `${parts(good)[0]}.${encode({ ...claims, sub: 'root' })}.${parts(good)[2]}`,
  ],
  [
    'a changed header',
    ({ good, header }) => `${encode({ ...header, typ: 'JWT' })}.${parts(good)[1]}.${parts(good)[2]}`,
  ],
  [
    'the signature of another token',
    ({ good, genuine }) => `${parts(good)[0]}.${parts(good)[1]}.${parts(genuine({ sub: 'x' }))[2]}`,
  ],
  ['a signature with other unused bits', ({ good }) => good.slice(0, -1) + sibling(good.at(-1)!)],
  ['padding', ({ good }) => `${good}==`],
  ['base64 instead of base64url', ({ good }) => `${parts(good)[0]}.${parts(good)[1]}.${'+/'.repeat(171)}`],
  ['white space at the end', ({ good }) => `${good} `],
  ['white space at the beginning', ({ good }) => ` ${good}`],
  ['a line break within', ({ good }) => `${good.slice(0, 40)}\n${good.slice(40)}`],
  ['a dot at the end', ({ good }) => `${good}.`],
  ['a dot at the beginning', ({ good }) => `.${good}`],
  ['two parts', ({ good }) => good.split('.').slice(0, 2).join('.')],
  ['four parts', ({ good }) => `${good}.${parts(good)[2]}`],
  ['a letter that looks like a dot', ({ good }) => good.replaceAll('.', '\u2024')],
  ['a NUL at the end', ({ good }) => `${good}\0`],
  ['nothing', () => ''],
  ['two dots', () => '..'],
  [
    'JSON serialization',
    ({ good }) => {
      const [protectedHeader, payload, signature] = parts(good);
      return JSON.stringify({ protected: protectedHeader, payload, signature });
    },
  ],
  [
    'encryption to the public key',
    async ({ provider, claims }) =>
      new CompactEncrypt(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
        .encrypt((await importJWK({ ...provider.publicJwk(), alg: 'RSA-OAEP-256', use: 'enc' })) as CryptoKey),
  ],
  [
    'direct encryption without a signature',
    ({ claims }) => `${encode({ alg: 'dir', enc: 'A128GCM' })}..${encode('iv')}.${encode(claims)}.${encode('tag')}`,
  ],
  [
    'a valid token inside a token',
    ({ provider, header, good }) => provider.signTexts(JSON.stringify({ ...header, cty: 'JWT' }), good),
  ],
  ['more than 16 KiB', ({ genuine }) => genuine({ padding: 'x'.repeat(17_000) })],
  ['half a megabyte', () => `${'a'.repeat(500_000)}.b.c`],
  [
    'claims nested a thousand deep',
    ({ provider, header }) =>
      provider.signTexts(JSON.stringify(header), `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`),
  ],
  [
    'a duplicate claim',
    ({ provider, header, claims }) =>
      provider.signTexts(JSON.stringify(header), JSON.stringify(claims).replace('{', '{"sub":"root",')),
  ],
  [
    'a duplicate header',
    ({ provider, header, claims }) =>
      provider.signTexts(JSON.stringify(header).replace('{', '{"alg":"none",'), JSON.stringify(claims)),
  ],
  ['claims that are a list', ({ provider, header }) => provider.signTexts(JSON.stringify(header), '[]')],
  ['claims that are null', ({ provider, header }) => provider.signTexts(JSON.stringify(header), 'null')],
  ['claims that are not JSON', ({ provider, header }) => provider.signTexts(JSON.stringify(header), 'sub=ana')],
  [
    'claims with a byte order mark',
    ({ provider, header, claims }) => provider.signTexts(JSON.stringify(header), `\ufeff${JSON.stringify(claims)}`),
  ],
  ['a header that is not an object', ({ provider, claims }) => provider.signTexts('"RS256"', JSON.stringify(claims))],
];

/** Signed by the provider with its real key. */
const WRONG_CLAIMS: [string, object][] = [
  ['no iss', { iss: undefined }],
  ['a different iss', { iss: 'https://evil.example' }],
  ['an iss with an additional slash', { iss: 'ISSUER/' }],
  ['an iss in another case', { iss: 'UPPER' }],
  ['an iss that is a list', { iss: ['ISSUER'] }],
  ['an iss that is null', { iss: null }],
  ['no aud', { aud: undefined }],
  ['the aud of another client, as an id token has', { aud: 'another-client', nonce: 'n' }],
  ['an aud with the right prefix', { aud: 'dpa-test-2' }],
  ['an empty aud', { aud: '' }],
  ['an aud list without the right value', { aud: ['a', 'b'] }],
  ['an empty aud list', { aud: [] }],
  ['an aud list inside a list', { aud: [['dpa-test']] }],
  ['an aud that is an object', { aud: { 0: 'dpa-test' } }],
  ['an aud that is a number', { aud: 1 }],
  ['no sub', { sub: undefined }],
  ['an empty sub', { sub: '' }],
  ['a sub that is a list', { sub: ['user-1'] }],
  ['a sub that is a number', { sub: 1 }],
  ['a sub that is an object', { sub: {} }],
  ['a sub with NUL', { sub: 'user-1\0' }],
  ['a sub with an unpaired surrogate', { sub: 'user-\ud800' }],
  ['a sub of a thousand characters', { sub: 'u'.repeat(1_000) }],
  ['no exp', { exp: undefined }],
  ['an exp in the past', { exp: NOW - 60, iat: NOW - 600 }],
  ['an exp that is a string', { exp: String(NOW + 600) }],
  ['an exp that is a date', { exp: '2099-01-01T00:00:00Z' }],
  ['a negative exp', { exp: -1 }],
  ['an exp of zero', { exp: 0 }],
  ['an exp larger than any number', { exp: 1e300 }],
  ['an exp that is null', { exp: null }],
  ['an exp that is a list', { exp: [NOW + 600] }],
  ['an exp too far in the future', { exp: NOW + 90_000 }],
  ['an exp too far from iat', { iat: NOW - 90_000 }],
  ['an iat in the future', { iat: NOW + 120 }],
  ['an iat in the far future, which makes the lifetime seem short', { iat: NOW + 1e6, exp: NOW + 1e6 }],
  ['an iat that is a string', { iat: String(NOW) }],
  ['an nbf in the future', { nbf: NOW + 120 }],
  ['an nbf that is a string', { nbf: '0' }],
  ['an event, as in a logout token', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
  ['an unverified email', { email_verified: false }],
  ['an email whose email_verified is "false"', { email_verified: 'false' }],
  ['an email without email_verified', { email_verified: undefined }],
  ['an email whose email_verified is null', { email_verified: null }],
  ['an email whose email_verified is 1', { email_verified: 1 }],
  ['an email whose email_verified is a list', { email_verified: [true] }],
  ['an email that is a list', { email: ['ana@example.com'] }],
  ['an email that is an object', { email: {} }],
  ['two addresses in one', { email: 'a@evil.example@example.com' }],
  ['two addresses with a comma and a space', { email: 'a@evil.example, ana@example.com' }],
  ['an email with NUL', { email: 'ana@example.com\0.evil.example' }],
  ['an email with a line break', { email: 'ana@example.com\n' }],
  ['an email without a domain', { email: 'ana@' }],
  ['an email with a Kelvin sign for a k', { email: 'ana@o\u212a.example' }],
  ['an email with an unpaired surrogate', { email: 'ana\ud800@example.com' }],
  ['an email of 300 characters', { email: `${'a'.repeat(290)}@example.com` }],
];

describe('hostile tokens', () => {
  let shop: Workshop;
  let trap: Server;
  const trapped: string[] = [];
  let verify: (token: string) => Promise<unknown>;

  beforeAll(async () => {
    const provider = await startProvider();
    trap = createServer((request, response) => {
      trapped.push(request.url ?? '');
      response.end(JSON.stringify({ keys: [] }));
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    shop = await openWorkshop(provider, `http://127.0.0.1:${(trap.address() as AddressInfo).port}`);
    const settings = { email_claim: 'email', trust_email: false, max_token_ttl_s: 86_400, audience: ['dpa-test'] };
    verify = createTokenVerifier({ oidc: { issuer: provider.issuer, ...settings }, data_dir: '' });
  });
  afterAll(async () => {
    await shop.provider.close();
    trap.close();
  });

  test('the valid token that they are derived from is accepted', async () => {
    expect(await verify(shop.good)).toMatchObject({ subject: 'user-1', email: 'ana@example.com' });
    expect(await verify(shop.genuine())).toMatchObject({ subject: 'user-1' });
  });

  test.each(FORGERIES)('%s', async (_title, make) => {
    await expect(verify(await make(shop))).rejects.toMatchObject({ status: 401 });
  });

  test.each(WRONG_CLAIMS)('%s', async (_title, claims) => {
    const { issuer } = shop.provider;
    const text = JSON.stringify(claims).replace('ISSUER', issuer).replace('UPPER', issuer.toUpperCase());
    const absent = Object.fromEntries(Object.entries(claims).filter(([, value]) => value === undefined));

    await expect(verify(shop.genuine({ ...JSON.parse(text), ...absent }))).rejects.toMatchObject({ status: 401 });
  });

  test('a genuine token is accepted whatever other keys its header names, and those are not fetched', async () => {
    const { own, trap: url } = shop;
    const token = shop.genuine({}, { jku: `${url}/jwks`, x5u: `${url}/cert`, jwk: own.jwk, x5c: ['MIIB'] });

    expect(await verify(token)).toMatchObject({ subject: 'user-1' });
  });

  test("all hostile tokens together cause requests only for the provider's documents", () => {
    expect(FORGERIES.length + WRONG_CLAIMS.length).toBeGreaterThan(120);
    expect(trapped).toEqual([]);
    expect([...new Set(shop.provider.requests)].sort()).toEqual(['/.well-known/openid-configuration', '/jwks']);
    expect(shop.provider.requests).toHaveLength(2);
  });
});

/** The character that differs only in bits that are unused at the end of a 256-byte signature. */
function sibling(char: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(char) ^ 1]!;
}

async function openWorkshop(provider: TestProvider, trap: string): Promise<Workshop> {
  const good = await provider.sign();
  const [header, claims] = parts(good)
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString())) as [object, object];
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const public_key = await importJWK({ ...provider.publicJwk(), ext: true }, 'RS256', { extractable: true });
  const over = (parts: [object, object]) => parts.map(encode).join('.');
  return {
    provider,
    trap,
    header: { ...header },
    claims: { ...claims },
    good,
    pem: await exportSPKI(public_key as CryptoKey),
    own: { private_key: pair.privateKey, jwk: pair.publicKey.export({ format: 'jwk' }) },
    genuine: (own_claims = {}, own_header = {}) =>
      provider.signTexts(JSON.stringify({ ...header, ...own_header }), JSON.stringify({ ...claims, ...own_claims })),
    forged(own_header = {}, own_claims = {}) {
      const signed = over([
        { ...header, ...own_header },
        { ...claims, ...own_claims },
      ]);
      return `${signed}.${sign('sha256', Buffer.from(signed), pair.privateKey).toString('base64url')}`;
    },
    hmac(secret, own_header = {}) {
      const used = { ...header, alg: 'HS256', ...own_header };
      const signed = over([used, claims]);
      const hash = used.alg === 'HS512' ? 'sha512' : 'sha256';
      return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
    },
  };
}
