import { Failure } from '../failure.ts';
import { type Login, type OidcCredential, readLogin, withLoginLock, writeLogin } from './file.ts';

/** A token is renewed this long before it ends, so that it lasts for the request. */
const RENEWAL_MARGIN_MS = 30_000;

/**
 * What gets the login's token, renewed when it has ended and then kept for the commands after this one.
 *
 * @returns what throws Failure when the login has ended for good
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
 * Under the lock, because many providers end a whole login when two processes show the same refresh token: the second
 * finds what the first has got.
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
  return new Failure(`the login at ${url} has ended; run \`dpa login --url ${url}\` again`);
}
