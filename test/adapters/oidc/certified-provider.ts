/**
 * `oidc-provider`, a certified OpenID provider, on loopback; users sign in with the authorization code flow and PKCE,
 * or with a device code.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider } from 'oidc-provider';

const CLIENT = 'dpa-ui';
/** Can sign in with a device code, and refresh its tokens. */
export const DEVICE_CLIENT = 'dpa-cli';
const CALLBACK = 'http://127.0.0.1/callback';
export const RESOURCE = 'urn:dpa';
export const AUDIENCE = 'dpa';

export interface CertifiedProvider {
  issuer: string;
  /** Signs in like a browser. */
  login(sub: string, options?: { email?: boolean }): Promise<{ access_token: string; id_token: string }>;
  /** Confirms or denies a device code, like a person in a browser. */
  confirm(verification_url: string, sub: string, answer?: 'confirm' | 'abort'): Promise<void>;
  /** Signs with a new key from now on; the old one is still published. */
  rotate(): Promise<void>;
  requests: string[];
  close(): Promise<void>;
}

/** @param device false: device codes are not supported */
export async function startCertifiedProvider({ device = true } = {}): Promise<CertifiedProvider> {
  const keys: JWK[] = [];
  const requests: string[] = [];
  const without_email = new Set<string>();
  let listener: RequestListener;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function rotate(): Promise<void> {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    keys.unshift({ ...(await exportJWK(privateKey)), kid: `key-${keys.length + 1}`, alg: 'ES256', use: 'sig' });
    const provider = new Provider(issuer, configuration(keys, { without_email, device }));
    provider.use(pollEverySecond);
    listener = provider.callback();
  }

  await rotate();
  return {
    issuer,
    rotate,
    requests,
    async login(sub, { email = true } = {}) {
      without_email[email ? 'delete' : 'add'](sub);
      return logIn(issuer, sub);
    },
    confirm: (url, sub, answer = 'confirm') => confirmDevice(issuer, { url, sub, answer }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** It sends no polling interval, so the default of five seconds applies (RFC 8628, section 3.5). */
async function pollEverySecond(context: { body: object; oidc?: { route: string } }, next: () => Promise<void>) {
  await next();
  if (context.oidc?.route === 'device_authorization') Object.assign(context.body, { interval: 1 });
}

interface Special {
  without_email: Set<string>;
  device: boolean;
}

function configuration(keys: JWK[], { without_email, device }: Special): Record<string, unknown> {
  const buildProfile = (sub: string) => ({
    email: `${sub}@example.com`,
    email_verified: true,
    name: sub.toUpperCase(),
  });
  return {
    jwks: { keys: [...keys] },
    cookies: { keys: ['test'] },
    clients: [
      {
        client_id: CLIENT,
        application_type: 'native',
        redirect_uris: [CALLBACK],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: 'ES256',
      },
      ...(device ? [deviceClient()] : []),
    ],
    scopes: ['openid', 'api', 'offline_access'],
    features: {
      devInteractions: { enabled: true },
      deviceFlow: { enabled: device },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'api',
          audience: AUDIENCE,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    extraTokenClaims: (_context: unknown, { accountId }: { accountId: string }) =>
      without_email.has(accountId) ? {} : buildProfile(accountId),
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...buildProfile(sub) }),
    }),
  };
}

function deviceClient(): Record<string, unknown> {
  return {
    client_id: DEVICE_CLIENT,
    application_type: 'native',
    redirect_uris: [],
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    response_types: [],
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: 'ES256',
  };
}

/** Follows redirects, fills in the forms of sign-in and consent, and exchanges the code for tokens. */
async function logIn(issuer: string, sub: string): Promise<{ access_token: string; id_token: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const request = {
    client_id: CLIENT,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid api',
    resource: RESOURCE,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const visit = browser(issuer);
  let response = await visit(`/auth?${new URLSearchParams(request)}`);
  for (;;) {
    const location = response.headers.get('location');
    if (location?.startsWith(CALLBACK)) {
      const code = new URL(location).searchParams.get('code') ?? '';
      return trade(issuer, { code, code_verifier: verifier });
    }
    response = location === null ? await submit(visit, await response.text(), sub) : await visit(location);
  }
}

async function confirmDevice(issuer: string, { url, sub, answer }: { url: string; sub: string; answer: string }) {
  const visit = browser(issuer);
  let response = await visit(url);
  for (;;) {
    const location = response.headers.get('location');
    const page = await response.text();
    if (location !== null) response = await visit(location);
    else if (page.includes('name="xsrf"')) response = await visit('/device', { ...hidden(page), [answer]: 'yes' });
    else if (page.includes('name="prompt"')) response = await submit(visit, page, sub);
    else return;
    if (answer === 'abort' && (await response.clone().text()).includes('interrupted')) return;
  }
}

function hidden(page: string): Record<string, string> {
  const fields = [...page.matchAll(/name="(xsrf|user_code)" value="([^"]+)"/g)];
  return Object.fromEntries(fields.map(([, name, value]) => [name, value]));
}

type Visit = (url: string, form?: Record<string, string>) => Promise<Response>;

async function submit(visit: Visit, page: string, login: string): Promise<Response> {
  const action = /action="([^"]+)"/.exec(page)?.[1];
  const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
  if (action === undefined || prompt === undefined) throw new Error(`the provider shows no form: ${page}`);
  return visit(action, { prompt, login, password: 'x' });
}

async function trade(issuer: string, proof: { code: string; code_verifier: string }) {
  const form = { grant_type: 'authorization_code', client_id: CLIENT, redirect_uri: CALLBACK, resource: RESOURCE };
  const response = await fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams({ ...form, ...proof }) });
  return (await response.json()) as { access_token: string; id_token: string };
}

/** Keeps cookies between requests. */
function browser(issuer: string): Visit {
  const cookies = new Map<string, string>();
  return async (url, form) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const post = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    const response = await fetch(new URL(url, issuer), { redirect: 'manual', headers: { cookie }, ...post });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
}
