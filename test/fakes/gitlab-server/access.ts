import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, type Call, createNotFound } from './http.ts';
import type { GitlabState, MergeRequest, Pipeline, Project, Token } from './types.ts';

/** @throws ApiError 401 or 403 with GitLab's message */
export function authenticateToken(state: GitlabState, headers: IncomingHttpHeaders, method: string): Token {
  const token = state.tokens.find(({ value }) => value === headers['private-token']);
  if (token === undefined) throw new ApiError(401, { message: '401 Unauthorized' });
  if (token.revoked) {
    const error_description = 'Token was revoked. You have to re-authorize from the user.';
    throw new ApiError(401, { error: 'invalid_token', error_description });
  }
  const enough = method === 'GET' ? ['api', 'read_api'] : ['api'];
  if (token.scopes.some((scope) => enough.includes(scope))) return token;
  const error_description = 'The request requires higher privileges than provided by the access token.';
  throw new ApiError(403, { error: 'insufficient_scope', error_description, scope: enough.join(' ') });
}

/** The project with this ID or path, if the caller may see it. */
export function getProject({ state, user, params }: Call): Project {
  const project = state.projects.find(({ id, path }) => path === params['id'] || String(id) === params['id']);
  if (project === undefined || (project.visibility === 'private' && !project.members.has(user.id))) {
    throw createNotFound('Project');
  }
  return project;
}

/** @throws ApiError 403 if the caller's access level in the project is lower */
export function assertLevel(call: Call, project: Project, level: number): void {
  if ((project.members.get(call.user.id) ?? 0) < level) throw new ApiError(403, { message: '403 Forbidden' });
}

/** The merge request of a path. @throws ApiError 404 */
export function getMergeRequest(call: Call): MergeRequest {
  const found = getProject(call).merge_requests.find(({ iid }) => String(iid) === call.params['iid']);
  if (found === undefined) throw new ApiError(404, { message: '404 Not found' });
  return found;
}

/** The pipeline of a path. @throws ApiError 404 */
export function getPipeline(call: Call): Pipeline {
  const found = getProject(call).pipelines.find(({ id }) => String(id) === call.params['pipeline_id']);
  if (found === undefined) throw new ApiError(404, { message: '404 Not found' });
  return found;
}

/** A commit by its hash or by the name of a branch. */
export function getCommit(project: Project, ref: string) {
  const commit = project.commits.get(project.branches.get(ref) ?? ref);
  if (commit === undefined) throw createNotFound('Commit');
  return commit;
}
