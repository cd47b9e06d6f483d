import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a token can do at the host, or how the host behaves for it. */
export type HostedToken =
  | 'developer'
  | 'reporter'
  | 'read_api'
  | 'read_user'
  | 'expired'
  | 'revoked'
  | 'nobody'
  | 'limited'
  | 'broken'
  | 'slow'
  | 'moved'
  | 'huge'
  | 'classic'
  | 'classic_public';

const PREFIX = 'token-of-the-kind-';

/** Tokens of the host, by what they can do; any other text is an unknown token. */
export const buildHostedToken = (kind: HostedToken) => `${PREFIX}${kind}`;

type Reply = [status: number, body: unknown, headers?: Record<string, string>];

/**
 * Handles requests about users, projects and tokens like GitLab below /api/v4, and like GitHub Enterprise Server below
 * /api/v3.
 */
export async function startScmHost() {
  const requested_paths: string[] = [];
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    requested_paths.push(url);
    const token = String(headers['private-token'] ?? headers.authorization?.replace('Bearer ', ''));
    const kind = token.startsWith(PREFIX) ? (token.slice(PREFIX.length) as HostedToken) : undefined;
    if (kind === 'huge') flood(response);
    else if (kind !== 'slow') send(response, replyTo(url, kind));
  });
  // Does not keep the process alive if it is not closed.
  server.listen(0, '127.0.0.1').unref();
  await new Promise((resolve) => server.once('listening', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, requested_paths };
}

function replyTo(url: string, kind: HostedToken | undefined): Reply {
  if (kind === 'limited') return [429, {}, { 'retry-after': '60' }];
  if (kind === 'broken') return [502, '<html>secret</html>'];
  if (url.startsWith('/api/v4/')) return answerAsGitlab(url, kind);
  return url.startsWith('/api/v3/') ? answerAsGithub(url, kind) : [404, {}];
}

function answerAsGitlab(url: string, kind: HostedToken | undefined): Reply {
  const refused = (error_description: string): Reply => [401, { error: 'invalid_token', error_description }];
  if (kind === undefined) return [401, { message: '401 Unauthorized' }];
  if (kind === 'expired') return refused('Token is expired. You can either do re-authorization or token refresh.');
  if (kind === 'revoked') return refused('Token was revoked. You have to re-authorize from the user.');
  if (url === '/api/v4/user') return [200, { id: 4711, username: 'dpa-bot' }];
  if (kind === 'read_user') {
    const error_description = 'The request requires higher privileges than provided by the access token.';
    return [403, { error: 'insufficient_scope', error_description, scope: 'api read_api' }];
  }
  if (url === '/api/v4/personal_access_tokens/self') {
    return [200, { id: 1, scopes: [kind === 'read_api' ? 'read_api' : 'api'], expires_at: '2026-09-01' }];
  }
  if (!url.startsWith('/api/v4/projects/acme%2F') || kind === 'nobody') {
    return [404, { message: '404 Project Not Found' }];
  }
  const project_access = { access_level: kind === 'reporter' ? 20 : 40, notification_level: 3 };
  return [200, { id: 1, visibility: 'private', permissions: { project_access, group_access: null } }];
}

function answerAsGithub(url: string, kind: HostedToken | undefined): Reply {
  if (kind === undefined || kind === 'expired' || kind === 'revoked') return [401, { message: 'Bad credentials' }];
  const scopes = { classic: 'read:org, repo', classic_public: 'public_repo' }[kind as string];
  const headers: Record<string, string> = {
    'github-authentication-token-expiration': '2026-09-01 10:00:00 UTC',
    ...(scopes === undefined ? {} : { 'x-oauth-scopes': scopes }),
  };
  if (url === '/api/v3/user') return [200, { id: 4711, login: 'dpa-bot' }, headers];
  if (kind === 'moved') return [301, {}, { location: '/api/v3/repositories/1' }];
  if (!url.startsWith('/api/v3/repos/acme/') || kind === 'nobody') return [404, { message: 'Not Found' }];
  return [200, { id: 1, private: true, permissions: { pull: true, push: kind !== 'reporter' } }, headers];
}

function send(response: ServerResponse, [status, body, headers]: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function flood(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'.repeat(300_000)), 1);
  response.once('close', () => clearInterval(timer));
}
