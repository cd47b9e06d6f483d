import { isObject } from '../../../lib/is-object.ts';
import type { GuardedFetch } from '../../egress/index.ts';
import { assertAnswered, createAskHost, type HostAnswer } from './ask-host.ts';
import type { TokenProbe, TokenTarget } from './types.ts';

/** Developer: the lowest role that can set the status of a commit. */
const DEVELOPER = 30;

/**
 * @see GitLab's documentation of its REST API: users, projects, "Retrieve details on a personal access token" with
 *   `self`, which also works for project and group tokens
 */
export async function probeGitlab(fetch: GuardedFetch, target: TokenTarget, token: string): Promise<TokenProbe> {
  const { provider_base_url, repo_path } = target;
  const { host } = new URL(provider_base_url);
  const ask = createAskHost(fetch, `${provider_base_url}/api/v4`, { 'private-token': token });

  const user = await ask('/user');
  assertAnswered(user, host);
  const user_id = user.body['id'];
  if (user.status !== 200 || typeof user_id !== 'number') return toRefusal(user, host);

  const project = await ask(`/projects/${encodeURIComponent(repo_path)}`);
  assertAnswered(project, host);
  if (isUnscoped(project)) return toInsufficientScope('it needs the scope "api"');
  if (project.status !== 200)
    return toInsufficientScope(`it cannot see ${repo_path}; add its user there as a Developer`);
  if (!isDeveloper(project.body) && user.body['is_admin'] !== true) {
    return toInsufficientScope(`its user must be at least a Developer of the project ${repo_path}`);
  }

  const self = await ask('/personal_access_tokens/self');
  assertAnswered(self, host);
  // OAuth tokens have no such details; they have been validated by the requests before.
  const { scopes, expires_at } = self.status === 200 ? self.body : {};
  if (Array.isArray(scopes) && !scopes.includes('api')) return toInsufficientScope('it needs the scope "api"');
  return { status: 'active', user_id: String(user_id), expires_at: parseExpiry(expires_at) };
}

function toRefusal(answer: HostAnswer, host: string): TokenProbe {
  const { status, body } = answer;
  if (isUnscoped(answer)) return toInsufficientScope('it needs the scope "api"');
  if (status !== 401) {
    return {
      status: 'unknown',
      problem: `${host} responded with status ${status}, which GitLab never does; check the address`,
    };
  }
  const description = String(body['error_description'] ?? '');
  return /expired/i.test(description)
    ? { status: 'expired', problem: `${host} reports that it has expired; create a new one` }
    : {
        status: 'invalid',
        problem: `${host} does not recognize it; create a new one, or check that you pasted all of it`,
      };
}

function isUnscoped({ body }: HostAnswer): boolean {
  return body['error'] === 'insufficient_scope';
}

function toInsufficientScope(what: string): TokenProbe {
  return { status: 'insufficient_scope', problem: what };
}

/**
 * A project shared with a group of the user reports no access level; a user who can see a private project has access.
 */
function isDeveloper({ permissions, visibility }: HostAnswer['body']): boolean {
  if (!isObject(permissions)) return false;
  const accesses = [permissions['project_access'], permissions['group_access']].filter(isObject);
  if (accesses.length === 0) return visibility === 'private';
  return accesses.some(({ access_level }) => typeof access_level === 'number' && access_level >= DEVELOPER);
}

/** Tokens expire at midnight UTC of the given day. */
function parseExpiry(day: unknown): Date | null {
  return typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00Z`) : null;
}
