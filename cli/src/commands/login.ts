import type { Schemas } from '../../../sdk/src/index.ts';
import { chooseOrg, createServiceClient, parseServiceUrl, readMe, readSetting } from '../connection.ts';
import { Failure } from '../failure.ts';
import { type Login, readLogin, removeLogin, resolveLoginPath, withLoginLock, writeLogin } from '../login/file.ts';
import { runInterruptible } from '../login/interrupt.ts';
import { readSecret } from '../login/secret.ts';

export interface LoginOptions {
  url?: string;
  org?: string;
  issuer?: string;
  clientId?: string;
  scope: string;
  audience?: string;
  resource?: string;
  tokenStdin?: boolean;
}

const KEY_PREFIX = 'dpa_';

/** Finds out who somebody is, lets the service confirm it, and only then keeps it. */
export async function login(options: LoginOptions): Promise<void> {
  const given = options.url ?? readSetting('DPA_URL');
  if (given === undefined) throw new Failure('which service? Set --url or DPA_URL to its address');
  const url = parseServiceUrl(given);
  const created = await runInterruptible(async (signal) => {
    const credential = await getCredential(options, signal);
    return confirmLogin(url, { credential, org: options.org ?? readSetting('DPA_ORG'), signal });
  });
  await withLoginLock(() => writeLogin(created));
  process.stdout.write(
    `logged in at ${url} as ${created.email}, ${describeOrg(created)}; kept in ${resolveLoginPath()}\n`,
  );
}

/** Forgets the login here, and ends it at its provider. */
export async function logout(): Promise<void> {
  await withLoginLock(async () => {
    const message = await endLogin();
    await removeLogin();
    process.stdout.write(`${message}\n`);
  });
}

async function getCredential(options: LoginOptions, signal: AbortSignal): Promise<Login['credential']> {
  const issuer = options.issuer ?? readSetting('DPA_OIDC_ISSUER');
  if (issuer !== undefined && options.tokenStdin !== true) {
    const credential = await requestDeviceCredential(issuer, options, signal);
    if (credential !== undefined) return credential;
    process.stderr.write(`${issuer} offers no login by device code; an API key does as well\n`);
  }
  const api_key = await readSecret('API key (it is not shown): ', { input: process.stdin, signal });
  // What was given instead may be a secret of another kind: it is not repeated here.
  if (!api_key.startsWith(KEY_PREFIX)) throw new Failure(`this is no API key: those begin with ${KEY_PREFIX}`);
  return { kind: 'api_key', api_key };
}

async function requestDeviceCredential(issuer: string, options: LoginOptions, signal: AbortSignal) {
  const client_id = options.clientId ?? readSetting('DPA_OIDC_CLIENT_ID');
  if (client_id === undefined)
    throw new Failure('which client? Set --client-id or DPA_OIDC_CLIENT_ID beside the issuer');
  const { logInByDevice } = await import('../login/provider.ts');
  const { audience, resource, scope } = options;
  const parameters = {
    ...(audience === undefined ? {} : { audience }),
    ...(resource === undefined ? {} : { resource }),
  };
  return logInByDevice({ issuer, client_id, scope, parameters }, { showPrompt, signal });
}

function showPrompt({ url, code, expires_in_s }: { url: string; code: string; expires_in_s: number }): void {
  const minutes = Math.max(1, Math.floor(expires_in_s / 60));
  process.stderr.write(
    replaceUnprintable(`Open ${url}\nin any browser and confirm the code ${code} within ${minutes} min …\n`),
  );
}

/** The provider's text goes to a terminal, which takes orders. */
function replaceUnprintable(text: string): string {
  return text.replace(/[^\n\x20-\x7e…]/g, '?');
}

async function confirmLogin(
  url: string,
  { credential, org, signal }: { credential: Login['credential']; org: string | undefined; signal: AbortSignal },
): Promise<Login> {
  const token = credential.kind === 'api_key' ? credential.api_key : credential.access_token;
  const me = await readMe(createServiceClient(url, token), url, signal);
  return { url, email: me.user.email, ...chooseDefaultOrg(me, org), credential };
}

/** Where there are several, each command can still name one. */
function chooseDefaultOrg(me: Schemas['Me'], org: string | undefined): Pick<Login, 'org_id' | 'org_slug'> {
  if (org === undefined && me.memberships.length !== 1) return { org_id: null, org_slug: null };
  return chooseOrg(me, org);
}

function describeOrg({ org_slug }: Login): string {
  return org_slug === null ? 'of no one organization (name one by --org or DPA_ORG)' : `organization ${org_slug}`;
}

async function endLogin(): Promise<string> {
  try {
    const stored = await readLogin();
    return stored === undefined ? 'nobody was logged in' : await revokeAtProvider(stored);
  } catch (error) {
    // It is removed, be it what it may.
    if (error instanceof Failure) return `removed ${resolveLoginPath()} (${error.message})`;
    throw error;
  }
}

async function revokeAtProvider({ url, credential }: Login): Promise<string> {
  const done = `logged out of ${url}`;
  if (credential.kind === 'api_key') return `${done}; the key itself still works until it is revoked`;
  try {
    const { revoke } = await import('../login/provider.ts');
    if (await revoke(credential)) return done;
    return `${done}; ${credential.issuer} takes no tokens back, they end by themselves`;
  } catch (error) {
    return `${done}, but the tokens could not be taken back: ${error instanceof Error ? error.message : String(error)}`;
  }
}
