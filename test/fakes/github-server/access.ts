import { createPublicKey, verify } from 'node:crypto';
import { createNotFound, Refusal, type Who } from './http.ts';
import type { GithubState, Grant, Level, Repo } from './state.ts';

const TEN_MINUTES_S = 600;
const SKEW_S = 60;

/** The caller that a request's `Authorization` identifies. @throws Refusal 401 */
export function identify(github: GithubState, authorization: string | undefined): Who {
  if (authorization === undefined) return { kind: 'nobody' };
  const credential = authorization.replace(/^(bearer|token)\s+/i, '');
  if (credential.split('.').length === 3) {
    checkAppToken(github, credential);
    return { kind: 'app' };
  }
  const token = github.tokens.get(credential);
  if (token === undefined) throw new Refusal(401, 'Bad credentials');
  if (token.expires_at !== null && token.expires_at <= github.now()) throw new Refusal(401, 'Bad credentials');
  if (token.owner.kind === 'installation' && token.owner.installation.suspended) {
    throw new Refusal(403, 'This installation has been suspended');
  }
  return { kind: 'token', token };
}

/** `app`, `nobody`, the login of a user, or `installation-<id>`. */
export function describeCaller(who: Who): string {
  if (who.kind !== 'token') return who.kind;
  return who.token.owner.kind === 'user'
    ? who.token.owner.account.login
    : `installation-${who.token.owner.installation.id}`;
}

/** GitHub's rules for the token of an App: RS256, issued in the past, valid for at most ten minutes. */
function checkAppToken(github: GithubState, jwt: string): void {
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  const decoded = new Refusal(401, 'A JSON web token could not be decoded');
  const header = parse(head);
  const { iat, exp, iss } = parse(claims);
  if (header['alg'] !== 'RS256') throw decoded;
  const key = createPublicKey(github.app.public_key);
  if (!verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))) throw decoded;
  const now = github.now() / 1000;
  if (String(iss) !== String(github.app.app_id)) throw new Refusal(401, 'Integration not found');
  if (typeof iat !== 'number' || iat > now + SKEW_S) {
    throw new Refusal(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
  if (typeof exp !== 'number' || exp <= now) {
    throw new Refusal(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  if (exp > now + TEN_MINUTES_S + SKEW_S) {
    throw new Refusal(401, "'Expiration time' claim ('exp') is too far in the future");
  }
}

function parse(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    throw new Refusal(401, 'A JSON web token could not be decoded');
  }
}

/** The repository of a path, if the caller may see it. @throws Refusal 404 */
export function getVisibleRepo(github: GithubState, who: Who, full_name: string): Repo {
  const repo = github.repos.get(full_name);
  if (repo === undefined || who.kind === 'app') throw createNotFound();
  const granted = who.kind === 'token' && canReach(who.token.repos, who, full_name);
  if (!granted && repo.private) throw createNotFound();
  return repo;
}

/** The tokens of an installation can access its current repositories, not those at the time of their creation. */
function canReach(repos: Set<string>, who: Extract<Who, { kind: 'token' }>, full_name: string): boolean {
  const { owner } = who.token;
  return owner.kind === 'installation' ? owner.installation.repos.has(full_name) : repos.has(full_name);
}

/** @throws Refusal 403 (401 for anonymous callers) unless the caller has one of the grants at that level */
export function assertGranted(repo: Repo, who: Who, grants: readonly Grant[], level: Level): void {
  if (level === 'read' && !repo.private) return;
  if (who.kind !== 'token') throw new Refusal(401, 'Requires authentication');
  const { owner, grants: own } = who.token;
  const held = owner.kind === 'installation' ? owner.installation.grants : own;
  const enough = grants.some((grant) => held[grant] === 'write' || (level === 'read' && held[grant] === 'read'));
  if (enough && canReach(who.token.repos, who, repo.full_name)) return;
  const kind = owner.kind === 'installation' ? 'integration' : 'personal access token';
  throw new Refusal(403, `Resource not accessible by ${kind}`);
}
