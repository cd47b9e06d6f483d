import { isObject } from '../../../lib/is-object.ts';
import type { GuardedFetch } from '../../egress/index.ts';
import { toApiUrl } from '../github/api-url.ts';
import { assertAnswered, createAskHost, type HostAnswer } from './ask-host.ts';
import type { TokenProbe, TokenTarget } from './types.ts';

const VERSION = '2022-11-28';

/**
 * @see GitHub's documentation of its REST API: "Get the authenticated user", "Get a repository", "Scopes for OAuth apps"
 */
export async function probeGithub(fetch: GuardedFetch, target: TokenTarget, token: string): Promise<TokenProbe> {
  const { provider_base_url, repo_path } = target;
  const api_url = toApiUrl(provider_base_url);
  const { host } = new URL(api_url);
  const headers = { authorization: `Bearer ${token}`, 'x-github-api-version': VERSION };
  const ask = createAskHost(fetch, api_url, headers);

  const user = await ask('/user');
  assertAnswered(user, host);
  const user_id = user.body['id'];
  if (user.status !== 200 || typeof user_id !== 'number') return toRefusal(user, host);

  const repository = await ask(`/repos/${repo_path}`);
  assertAnswered(repository, host);
  if ([301, 302, 307, 308].includes(repository.status)) {
    return toInsufficientScope(
      `the repository ${repo_path} was renamed; create the configuration with its current name`,
    );
  }
  if (repository.status !== 200)
    return toInsufficientScope(`it cannot see the repository ${repo_path}; give it access there`);
  const { permissions } = repository.body;
  if (!isObject(permissions) || permissions['push'] !== true) {
    return toInsufficientScope(`its user must have write access to the repository ${repo_path}`);
  }
  if (!isScoped(repository)) return toInsufficientScope('it needs the scope "repo"');
  return { status: 'active', user_id: String(user_id), expires_at: readExpiry(user.headers) };
}

function toRefusal({ status }: HostAnswer, host: string): TokenProbe {
  if (status === 401) {
    return {
      status: 'invalid',
      problem: `${host} does not recognize it, or it has expired; create a new one, or check that you pasted all of it`,
    };
  }
  if (status === 403)
    return toInsufficientScope(`${host} does not let it act as a user; create a personal access token`);
  return {
    status: 'unknown',
    problem: `${host} responded with status ${status}, which GitHub never does; check the address`,
  };
}

function toInsufficientScope(what: string): TokenProbe {
  return { status: 'insufficient_scope', problem: what };
}

/** Classic tokens list their scopes in a header; fine-grained tokens list none. */
function isScoped({ headers, body }: HostAnswer): boolean {
  const scopes = headers.get('x-oauth-scopes')?.split(/, */);
  return (
    scopes === undefined || scopes.includes('repo') || (body['private'] === false && scopes.includes('public_repo'))
  );
}

/** Such as `2026-03-01 00:00:00 UTC` or `2026-03-01 00:00:00 +0100`. */
function readExpiry(headers: Headers): Date | null {
  const end = new Date(headers.get('github-authentication-token-expiration') ?? '');
  return Number.isNaN(end.getTime()) ? null : end;
}
