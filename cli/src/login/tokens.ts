import { Failure } from '../failure.ts';
import { changingLogin, type Login, type OidcCredential, readLogin, writeLogin } from './file.ts';

/** A token is renewed this long before it ends, so that it lasts for the request. */
const MARGIN_MS = 30_000;

/**
 * What gets the login's token, renewed when it has ended and then kept for the commands after this one.
 *
 * @returns what throws Failure when the login has ended for good
 */
export function accessTo(login: Login): () => Promise<string> {
  let { credential } = login;
  return async () => {
    if (credential.kind === 'api_key') return credential.api_key;
    if (!hasEnded(credential)) return credential.access_token;
    credential = await renewed(login.url);
    return credential.access_token;
  };
}

/**
 * Under the lock, because many providers end a whole login when two processes show the same refresh token: the second
 * finds what the first has got.
 */
async function renewed(url: string): Promise<OidcCredential> {
  return changingLogin(async () => {
    const login = await readLogin();
    if (login?.url !== url || login.credential.kind !== 'oidc') throw ended(url);
    if (!hasEnded(login.credential)) return login.credential;
    if (login.credential.refresh_token === null) throw ended(url);
    const { renew } = await import('./provider.ts');
    const credential = await renew(login.credential, login.credential.refresh_token);
    if (credential === undefined) throw ended(url);
    await writeLogin({ ...login, credential });
    return credential;
  });
}

function hasEnded({ expires_at }: OidcCredential): boolean {
  return expires_at !== null && Date.now() > expires_at - MARGIN_MS;
}

function ended(url: string): Failure {
  return new Failure(`the login at ${url} has ended; run \`dpa login --url ${url}\` again`);
}
