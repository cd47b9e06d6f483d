import type { Schemas } from '../../../sdk/src/index.ts';
import { chooseOrg, clientAt, readMe, serviceUrl, setting } from '../connection.ts';
import { Failure } from '../failure.ts';
import { changingLogin, type Login, loginPath, readLogin, removeLogin, writeLogin } from '../login/file.ts';
import { interruptible } from '../login/interrupt.ts';
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
  const given = options.url ?? setting('DPA_URL');
  if (given === undefined) throw new Failure('which service? Set --url or DPA_URL to its address');
  const url = serviceUrl(given);
  const made = await interruptible(async (signal) => {
    const credential = await getCredential(options, signal);
    return confirm(url, { credential, org: options.org ?? setting('DPA_ORG'), signal });
  });
  await changingLogin(() => writeLogin(made));
  process.stdout.write(`logged in at ${url} as ${made.email}, ${orgText(made)}; kept in ${loginPath()}\n`);
}

/** Forgets the login here, and ends it at its provider. */
export async function logout(): Promise<void> {
  await changingLogin(async () => {
    const said = await endLogin();
    await removeLogin();
    process.stdout.write(`${said}\n`);
  });
}

async function getCredential(options: LoginOptions, signal: AbortSignal): Promise<Login['credential']> {
  const issuer = options.issuer ?? setting('DPA_OIDC_ISSUER');
  if (issuer !== undefined && options.tokenStdin !== true) {
    const credential = await byDevice(issuer, options, signal);
    if (credential !== undefined) return credential;
    process.stderr.write(`${issuer} offers no login by device code; an API key does as well\n`);
  }
  const api_key = await readSecret('API key (it is not shown): ', { input: process.stdin, signal });
  // What was given instead may be a secret of another kind: it is not repeated here.
  if (!api_key.startsWith(KEY_PREFIX)) throw new Failure(`this is no API key: those begin with ${KEY_PREFIX}`);
  return { kind: 'api_key', api_key };
}

async function byDevice(issuer: string, options: LoginOptions, signal: AbortSignal) {
  const client_id = options.clientId ?? setting('DPA_OIDC_CLIENT_ID');
  if (client_id === undefined)
    throw new Failure('which client? Set --client-id or DPA_OIDC_CLIENT_ID beside the issuer');
  const { logInByDevice } = await import('../login/provider.ts');
  const { audience, resource, scope } = options;
  const parameters = {
    ...(audience === undefined ? {} : { audience }),
    ...(resource === undefined ? {} : { resource }),
  };
  return logInByDevice({ issuer, client_id, scope, parameters }, { ask: tellPrompt, signal });
}

function tellPrompt({ url, code, expires_in_s }: { url: string; code: string; expires_in_s: number }): void {
  const minutes = Math.max(1, Math.floor(expires_in_s / 60));
  process.stderr.write(printable(`Open ${url}\nin any browser and confirm the code ${code} within ${minutes} min …\n`));
}

/** The provider's text goes to a terminal, which takes orders. */
function printable(text: string): string {
  return text.replace(/[^\n\x20-\x7e…]/g, '?');
}

async function confirm(
  url: string,
  { credential, org, signal }: { credential: Login['credential']; org: string | undefined; signal: AbortSignal },
): Promise<Login> {
  const token = credential.kind === 'api_key' ? credential.api_key : credential.access_token;
  const me = await readMe(clientAt(url, token), url, signal);
  return { url, email: me.user.email, ...defaultOrg(me, org), credential };
}

/** Where there are several, each command can still name one. */
function defaultOrg(me: Schemas['Me'], org: string | undefined): Pick<Login, 'org_id' | 'org_slug'> {
  if (org === undefined && me.memberships.length !== 1) return { org_id: null, org_slug: null };
  return chooseOrg(me, org);
}

function orgText({ org_slug }: Login): string {
  return org_slug === null ? 'of no one organization (name one by --org or DPA_ORG)' : `organization ${org_slug}`;
}

async function endLogin(): Promise<string> {
  try {
    const kept = await readLogin();
    return kept === undefined ? 'nobody was logged in' : await endAtProvider(kept);
  } catch (error) {
    // It is removed, be it what it may.
    if (error instanceof Failure) return `removed ${loginPath()} (${error.message})`;
    throw error;
  }
}

async function endAtProvider({ url, credential }: Login): Promise<string> {
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
