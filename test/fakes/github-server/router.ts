import { assertGranted, getVisibleRepo } from './access.ts';
import { type Call, createNotFound, type Reply, type RepoCall } from './http.ts';
import * as actions from './routes/actions.ts';
import * as app from './routes/app.ts';
import * as checks from './routes/checks.ts';
import * as comments from './routes/comments.ts';
import * as issues from './routes/issues.ts';
import * as pulls from './routes/pulls.ts';
import * as repos from './routes/repos.ts';
import type { Grant, Level } from './state.ts';

interface Route {
  method: string;
  path: RegExp;
  answer: (call: Call) => Reply;
}

const REPO = '/repos/{owner}/{name}';
const DISCUSSION: Grant[] = ['issues', 'pull_requests'];

const ROUTES: Route[] = [
  { method: 'POST', path: compilePattern('/login/oauth/access_token'), answer: app.exchangeCode },
  { method: 'GET', path: compilePattern('/user'), answer: app.getUser },
  { method: 'GET', path: compilePattern('/user/installations'), answer: app.listInstallationsOfUser },
  {
    method: 'GET',
    path: compilePattern('/user/installations/{installation_id}/repositories'),
    answer: app.listRepositoriesOfUser,
  },
  { method: 'GET', path: compilePattern('/installation/repositories'), answer: app.listRepositoriesOfInstallation },
  {
    method: 'POST',
    path: compilePattern('/app/installations/{installation_id}/access_tokens'),
    answer: app.createInstallationToken,
  },
  createRepoRoute('GET', '', ['metadata'], repos.getRepo),
  createRepoRoute('GET', '/contents/{path*}', ['contents'], repos.getContents),
  createRepoRoute('PUT', '/contents/{path*}', ['contents'], repos.putContents),
  createRepoRoute('GET', '/collaborators/{login}/permission', ['metadata'], repos.getPermission),
  createRepoRoute('GET', '/pulls', ['pull_requests'], pulls.listPulls),
  createRepoRoute('GET', '/pulls/{number}', ['pull_requests'], pulls.getPull),
  createRepoRoute('GET', '/pulls/{number}/reviews', ['pull_requests'], pulls.listReviews),
  createRepoRoute('GET', '/commits/{sha}/pulls', ['pull_requests'], pulls.listPullsOfCommit),
  createRepoRoute('GET', '/actions/runs', ['actions'], actions.listRuns),
  createRepoRoute('GET', '/actions/runs/{run_id}', ['actions'], actions.getRun),
  createRepoRoute('GET', '/actions/runs/{run_id}/artifacts', ['actions'], actions.listArtifacts),
  createRepoRoute('GET', '/actions/artifacts/{artifact_id}/zip', ['actions'], actions.downloadArtifact),
  createRepoRoute('GET', '/issues', ['issues'], issues.listIssues),
  createRepoRoute('POST', '/issues', ['issues'], issues.createIssue),
  createRepoRoute('PATCH', '/issues/{number}', ['issues'], issues.updateIssue),
  createRepoRoute('GET', '/issues/{number}/comments', DISCUSSION, comments.listComments),
  createRepoRoute('POST', '/issues/{number}/comments', DISCUSSION, comments.createComment),
  createRepoRoute('GET', '/issues/comments/{comment_id}', DISCUSSION, comments.getComment),
  createRepoRoute('PATCH', '/issues/comments/{comment_id}', DISCUSSION, comments.updateComment),
  createRepoRoute('POST', '/issues/comments/{comment_id}/reactions', DISCUSSION, comments.reactToComment),
  createRepoRoute('POST', '/check-runs', ['checks'], checks.createCheck),
  createRepoRoute('PATCH', '/check-runs/{check_run_id}', ['checks'], checks.updateCheck),
  createRepoRoute('GET', '/commits/{sha}/check-runs', ['checks'], checks.listChecks),
  createRepoRoute('POST', '/statuses/{sha}', ['statuses'], checks.createStatus),
];

/** The response to a call, after a check of its permission. @throws Refusal */
export function route(method: string, path: string, call: Omit<Call, 'params'>): Reply {
  for (const { method: route_method, path: regexp, answer } of ROUTES) {
    const match = route_method === method ? regexp.exec(path) : null;
    if (match === null) continue;
    return answer({ ...call, params: { ...match.groups } });
  }
  throw createNotFound();
}

function createRepoRoute(method: string, path: string, grants: Grant[], answer: (call: RepoCall) => Reply): Route {
  const level: Level = method === 'GET' ? 'read' : 'write';
  return {
    method,
    path: compilePattern(`${REPO}${path}`),
    answer(call) {
      const full_name = `${call.params['owner']}/${call.params['name']}`;
      const moved = [...call.github.repos.values()].find(({ former_name }) => former_name === full_name);
      if (moved !== undefined) return redirectTo(call, moved.full_name, path);
      const repo = getVisibleRepo(call.github, call.who, full_name);
      assertGranted(repo, call.who, grants, level);
      return answer({ ...call, repo });
    },
  };
}

/** Redirects requests with the old name of a renamed repository. */
function redirectTo(call: Call, to: string, path: string): Reply {
  const filled = path.replace(/\{(\w+)\*?\}/g, (_all, name: string) => call.params[name] ?? '');
  const query = call.query.size === 0 ? '' : `?${call.query}`;
  const location = `${call.github.url}/repos/${to}${filled}${query}`;
  return { status: 301, headers: { location }, body: { message: 'Moved Permanently', url: location } };
}

function compilePattern(template: string): RegExp {
  const source = template.replace(/\{(\w+)(\*?)\}/g, (_all, name: string, rest: string) => {
    return `(?<${name}>${rest === '' ? '[^/]+' : '.*'})`;
  });
  return new RegExp(`^${source}$`);
}
