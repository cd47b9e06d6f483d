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

/** Gets a credential, has the service confirm it, and only then stores it. */
export async function login(options: LoginOptions): Promise<void> {
  const given = options.url ?? readSetting('DPA_URL');
  if (given === undefined) throw new Failure('no service selected: set --url or DPA_URL to its address');
  const url = parseServiceUrl(given);
  const created = await runInterruptible(async (signal) => {
    const credential = await getCredential(options, signal);
    return confirmLogin(url, { credential, org: options.org ?? readSetting('DPA_ORG'), signal });
  });
  await withLoginLock(() => writeLogin(created));
  process.stdout.write(
    `logged in at ${url} as ${created.email}, ${describeOrg(created)}; stored in ${resolveLoginPath()}\n`,
  );
}

/** Deletes the stored login and revokes it at its provider. */
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
    process.stderr.write(`${issuer} does not support login with a device code; enter an API key instead\n`);
  }
  const api_key = await readSecret('API key (input is hidden): ', { input: process.stdin, signal });
  // The input may be a different secret, so the message does not repeat it.
  if (!api_key.startsWith(KEY_PREFIX)) throw new Failure(`this is not an API key: API keys begin with ${KEY_PREFIX}`);
  return { kind: 'api_key', api_key };
}

async function requestDeviceCredential(issuer: string, options: LoginOptions, signal: AbortSignal) {
  const client_id = options.clientId ?? readSetting('DPA_OIDC_CLIENT_ID');
  if (client_id === undefined)
    throw new Failure('the client ID is missing: set --client-id or DPA_OIDC_CLIENT_ID together with the issuer');
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

/** Replaces control characters in the provider's text, because a terminal would execute them. */
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

/** If there are several organizations, there is no default; each command can select one. */
function chooseDefaultOrg(me: Schemas['Me'], org: string | undefined): Pick<Login, 'org_id' | 'org_slug'> {
  if (org === undefined && me.memberships.length !== 1) return { org_id: null, org_slug: null };
  return chooseOrg(me, org);
}

function describeOrg({ org_slug }: Login): string {
  return org_slug === null ? 'no organization selected (set --org or DPA_ORG)' : `organization ${org_slug}`;
}

async function endLogin(): Promise<string> {
  try {
    const stored = await readLogin();
    return stored === undefined ? 'you were not logged in' : await revokeAtProvider(stored);
  } catch (error) {
    // An invalid login file is deleted too.
    if (error instanceof Failure) return `removed ${resolveLoginPath()} (${error.message})`;
    throw error;
  }
}

async function revokeAtProvider({ url, credential }: Login): Promise<string> {
  const done = `logged out of ${url}`;
  if (credential.kind === 'api_key') return `${done}; the API key stays valid until it is revoked`;
  try {
    const { revoke } = await import('../login/provider.ts');
    if (await revoke(credential)) return done;
    return `${done}; ${credential.issuer} does not support revoking tokens; they expire by themselves`;
  } catch (error) {
    return `${done}, but the tokens could not be revoked: ${error instanceof Error ? error.message : String(error)}`;
  }
}
