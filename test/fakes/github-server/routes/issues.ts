import {
  createInvalidField,
  createNotFound,
  ok,
  paginate,
  Refusal,
  type Reply,
  type RepoCall,
  readText,
} from '../http.ts';
import { showIssue, showPull } from '../shapes.ts';
import { type Account, ensureAccount, type Issue } from '../state.ts';

const MOST_CHARACTERS = 65_536;
const LONGEST_TITLE = 256;
/** Issues and pull requests share their numbers; the fake numbers issues from here on. */
const FIRST_NUMBER = 1_001;

/** Issues and pull requests: the oldest first if asked for, those of a creator, and those that changed since then. */
export function listIssues(call: RepoCall): Reply {
  assertIssues(call);
  const { github, repo, query } = call;
  const pulls = [...repo.pulls.values()].map((pull) => ({
    ...showPull(github, repo, pull),
    pull_request: { url: `${github.url}/repos/${repo.full_name}/pulls/${pull.number}` },
  }));
  const [creator, state, since] = [query.get('creator'), query.get('state') ?? 'open', query.get('since')];
  const found = [...pulls, ...repo.issues.map((issue) => showIssue(github, repo, issue))]
    .filter(({ user }) => creator === null || user.login === creator)
    .filter((one) => state === 'all' || one.state === state)
    .filter(({ updated_at }) => since === null || Date.parse(updated_at) >= Date.parse(since))
    .sort((a, b) => a.number - b.number);
  const sorted = query.get('direction') === 'asc' ? found : found.reverse();
  return paginate(call, `/repos/${repo.full_name}/issues`, sorted);
}

export function createIssue(call: RepoCall): Reply {
  assertWritable(call);
  const { github, repo, body } = call;
  const at = new Date(github.now());
  const issue: Issue = {
    id: github.nextId(),
    number: FIRST_NUMBER + repo.issues.length,
    title: readTitle(body),
    body: readBody(body) ?? '',
    author: findAuthor(call),
    state: 'open',
    created_at: at,
    updated_at: at,
  };
  repo.issues.push(issue);
  return ok(showIssue(github, repo, issue), 201);
}

export function updateIssue(call: RepoCall): Reply {
  assertWritable(call);
  const { github, repo, body, params } = call;
  const issue = repo.issues.find(({ number }) => number === Number(params['number']));
  if (issue === undefined) throw createNotFound();
  const state = readText(body, 'state') === 'closed' ? 'closed' : 'open';
  Object.assign(issue, { title: readTitle(body), body: readBody(body) ?? issue.body, state });
  issue.updated_at = new Date(github.now());
  return ok(showIssue(github, repo, issue));
}

/** GitHub does not create an issue if the repository has none. */
function assertIssues({ repo }: RepoCall): void {
  if (!repo.has_issues) throw new Refusal(410, 'Issues has been disabled in this repository.');
}

function assertWritable(call: RepoCall): void {
  assertIssues(call);
  if (call.repo.archived) throw new Refusal(403, 'Repository was archived so is read-only.');
}

function readTitle(body: Record<string, unknown>): string {
  const title = readText(body, 'title') ?? '';
  if (title.trim() === '' || [...title].length > LONGEST_TITLE) {
    throw createInvalidField('Issue', 'title', 'title is blank or too long (maximum is 256 characters)');
  }
  return title;
}

function readBody(body: Record<string, unknown>): string | undefined {
  const text = readText(body, 'body');
  if (text !== undefined && [...text].length > MOST_CHARACTERS) {
    throw createInvalidField('Issue', 'body', `body is too long (maximum is ${MOST_CHARACTERS} characters)`);
  }
  return text;
}

function findAuthor({ github, who }: RepoCall): Account {
  if (who.kind !== 'token') return ensureAccount(github, 'ghost');
  return who.token.owner.kind === 'user' ? who.token.owner.account : github.app.account;
}
