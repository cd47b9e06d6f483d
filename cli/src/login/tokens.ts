import { Failure } from '../failure.ts';
import { type Login, type OidcCredential, readLogin, withLoginLock, writeLogin } from './file.ts';

/** A token is renewed this long before it expires, so that it is valid for the whole request. */
const RENEWAL_MARGIN_MS = 30_000;

/**
 * Creates a function that gets the token of the login, and renews and stores it when it has expired.
 *
 * @returns a function that throws Failure if the login cannot be renewed
 */
export function createTokenSource(login: Login): () => Promise<string> {
  let { credential } = login;
  return async () => {
    if (credential.kind === 'api_key') return credential.api_key;
    if (!isExpired(credential)) return credential.access_token;
    credential = await renewUnderLock(login.url);
    return credential.access_token;
  };
}

/**
 * Renews under the lock, because many providers revoke the login if two processes use the same refresh token. The second
 * process finds the new token of the first.
 */
async function renewUnderLock(url: string): Promise<OidcCredential> {
  return withLoginLock(async () => {
    const login = await readLogin();
    if (login?.url !== url || login.credential.kind !== 'oidc') throw createExpiredFailure(url);
    if (!isExpired(login.credential)) return login.credential;
    if (login.credential.refresh_token === null) throw createExpiredFailure(url);
    const { renew } = await import('./provider.ts');
    const credential = await renew(login.credential, login.credential.refresh_token);
    if (credential === undefined) throw createExpiredFailure(url);
    await writeLogin({ ...login, credential });
    return credential;
  });
}

function isExpired({ expires_at }: OidcCredential): boolean {
  return expires_at !== null && Date.now() > expires_at - RENEWAL_MARGIN_MS;
}

function createExpiredFailure(url: string): Failure {
  return new Failure(`the login for ${url} has expired; run \`dpa login --url ${url}\` again`);
}
