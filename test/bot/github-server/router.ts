import { assertGranted, visibleRepo } from './access.ts';
import { type Call, notFound, type Reply, type RepoCall } from './http.ts';
import * as actions from './routes/actions.ts';
import * as app from './routes/app.ts';
import * as checks from './routes/checks.ts';
import * as comments from './routes/comments.ts';
import * as pulls from './routes/pulls.ts';
import * as repos from './routes/repos.ts';
import type { Grant, Level } from './world.ts';

interface Route {
  method: string;
  path: RegExp;
  answer: (call: Call) => Reply;
}

const REPO = '/repos/{owner}/{name}';
const DISCUSSION: Grant[] = ['issues', 'pull_requests'];

const ROUTES: Route[] = [
  { method: 'POST', path: pattern('/login/oauth/access_token'), answer: app.exchangeCode },
  { method: 'GET', path: pattern('/user'), answer: app.getUser },
  { method: 'GET', path: pattern('/user/installations'), answer: app.listInstallationsOfUser },
  {
    method: 'GET',
    path: pattern('/user/installations/{installation_id}/repositories'),
    answer: app.listRepositoriesOfUser,
  },
  { method: 'GET', path: pattern('/installation/repositories'), answer: app.listRepositoriesOfInstallation },
  {
    method: 'POST',
    path: pattern('/app/installations/{installation_id}/access_tokens'),
    answer: app.createInstallationToken,
  },
  ofRepo('GET', '', ['metadata'], repos.getRepo),
  ofRepo('GET', '/contents/{path*}', ['contents'], repos.getContents),
  ofRepo('GET', '/collaborators/{login}/permission', ['metadata'], repos.getPermission),
  ofRepo('GET', '/pulls', ['pull_requests'], pulls.listPulls),
  ofRepo('GET', '/pulls/{number}', ['pull_requests'], pulls.getPull),
  ofRepo('GET', '/pulls/{number}/reviews', ['pull_requests'], pulls.listReviews),
  ofRepo('GET', '/commits/{sha}/pulls', ['pull_requests'], pulls.listPullsOfCommit),
  ofRepo('GET', '/actions/runs', ['actions'], actions.listRuns),
  ofRepo('GET', '/actions/runs/{run_id}', ['actions'], actions.getRun),
  ofRepo('GET', '/actions/runs/{run_id}/artifacts', ['actions'], actions.listArtifacts),
  ofRepo('GET', '/actions/artifacts/{artifact_id}/zip', ['actions'], actions.downloadArtifact),
  ofRepo('GET', '/issues/{number}/comments', DISCUSSION, comments.listComments),
  ofRepo('POST', '/issues/{number}/comments', DISCUSSION, comments.createComment),
  ofRepo('GET', '/issues/comments/{comment_id}', DISCUSSION, comments.getComment),
  ofRepo('PATCH', '/issues/comments/{comment_id}', DISCUSSION, comments.updateComment),
  ofRepo('POST', '/issues/comments/{comment_id}/reactions', DISCUSSION, comments.reactToComment),
  ofRepo('POST', '/check-runs', ['checks'], checks.createCheck),
  ofRepo('PATCH', '/check-runs/{check_run_id}', ['checks'], checks.updateCheck),
  ofRepo('GET', '/commits/{sha}/check-runs', ['checks'], checks.listChecks),
  ofRepo('POST', '/statuses/{sha}', ['statuses'], checks.createStatus),
];

/** The answer to a call, whose permission is checked first. @throws Refusal */
export function route(method: string, path: string, call: Omit<Call, 'params'>): Reply {
  for (const { method: wanted, path: regexp, answer } of ROUTES) {
    const match = wanted === method ? regexp.exec(path) : null;
    if (match === null) continue;
    return answer({ ...call, params: { ...match.groups } });
  }
  throw notFound();
}

function ofRepo(method: string, path: string, grants: Grant[], answer: (call: RepoCall) => Reply): Route {
  const level: Level = method === 'GET' ? 'read' : 'write';
  return {
    method,
    path: pattern(`${REPO}${path}`),
    answer(call) {
      const full_name = `${call.params['owner']}/${call.params['name']}`;
      const moved = [...call.world.repos.values()].find(({ former_name }) => former_name === full_name);
      if (moved !== undefined) return redirectTo(call, moved.full_name, path);
      const repo = visibleRepo(call.world, call.who, full_name);
      assertGranted(repo, call.who, grants, level);
      return answer({ ...call, repo });
    },
  };
}

/** A repository that was renamed answers by its old name with where it is now. */
function redirectTo(call: Call, to: string, path: string): Reply {
  const filled = path.replace(/\{(\w+)\*?\}/g, (_all, name: string) => call.params[name] ?? '');
  const query = call.query.size === 0 ? '' : `?${call.query}`;
  const location = `${call.world.url}/repos/${to}${filled}${query}`;
  return { status: 301, headers: { location }, body: { message: 'Moved Permanently', url: location } };
}

function pattern(template: string): RegExp {
  const source = template.replace(/\{(\w+)(\*?)\}/g, (_all, name: string, rest: string) => {
    return `(?<${name}>${rest === '' ? '[^/]+' : '.*'})`;
  });
  return new RegExp(`^${source}$`);
}
