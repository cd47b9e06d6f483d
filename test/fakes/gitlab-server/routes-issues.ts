import { assertLevel, getProject } from './access.ts';
import { ApiError, type Call, paginate, type Reply, route } from './http.ts';
import { presentUser } from './present.ts';
import { nextId } from './records.ts';
import type { Issue, Project } from './types.ts';

const REPORTER = 20;
const LONGEST_TITLE = 255;
const NOT_FOUND = { message: '404 Not found' };

/** Issues of a project that has them; GitLab answers 403 otherwise. */
function getIssues(call: Call): Project {
  const project = getProject(call);
  if (!project.issues_enabled) throw new ApiError(403, { message: '403 Forbidden' });
  return project;
}

function getWritable(call: Call): Project {
  const project = getIssues(call);
  if (project.archived) throw new ApiError(403, { message: '403 Forbidden' });
  assertLevel(call, project, REPORTER);
  return project;
}

function getIssue(call: Call, project: Project): Issue {
  const found = project.issues.find(({ iid }) => String(iid) === call.params['iid']);
  if (found === undefined) throw new ApiError(404, NOT_FOUND);
  return found;
}

function present(call: Call, { notes: _notes, author, ...issue }: Issue) {
  return { ...issue, author: presentUser(call.state, author), labels: [], web_url: `${call.state.url}/issues` };
}

function listIssues(call: Call): Reply {
  const project = getIssues(call);
  const [author_id, since] = [call.query.get('author_id'), call.query.get('updated_after')];
  const found = project.issues
    .filter(({ author }) => author_id === null || String(author.id) === author_id)
    .filter(({ updated_at }) => since === null || Date.parse(updated_at) >= Date.parse(since));
  const sorted = call.query.get('sort') === 'asc' ? found : found.toReversed();
  return paginate(call, sorted, (issue) => present(call, issue));
}

function readTitle({ body: { title } }: Call): string {
  if (typeof title === 'string' && title.trim() !== '' && [...title].length <= LONGEST_TITLE) return title;
  throw new ApiError(400, { message: { title: ['is too long (maximum is 255 characters)'] } });
}

function createIssue(call: Call): Reply {
  const project = getWritable(call);
  const at = new Date().toISOString();
  const issue: Issue = {
    ...{ id: nextId(), iid: project.issues.length + 1, title: readTitle(call) },
    ...{ description: String(call.body['description'] ?? ''), author: call.user, state: 'opened' },
    ...{ created_at: at, updated_at: at, notes: [] },
  };
  project.issues.push(issue);
  return { status: 201, body: present(call, issue) };
}

function changeIssue(call: Call): Reply {
  const issue = getIssue(call, getWritable(call));
  const { description, state_event } = call.body;
  Object.assign(issue, { title: readTitle(call), description, updated_at: new Date().toISOString() });
  if (state_event === 'close') issue.state = 'closed';
  if (state_event === 'reopen') issue.state = 'opened';
  return { status: 200, body: present(call, issue) };
}

function listNotes(call: Call): Reply {
  const { notes } = getIssue(call, getIssues(call));
  const sorted = call.query.get('sort') === 'asc' ? notes : notes.toReversed();
  return paginate(call, sorted, ({ author, ...note }) => ({ ...note, author: presentUser(call.state, author) }));
}

function createNote(call: Call): Reply {
  const issue = getIssue(call, getWritable(call));
  const { body } = call.body;
  if (typeof body !== 'string' || body.trim() === '') throw new ApiError(400, { error: 'body is missing' });
  const note = { id: nextId(), body, author: call.user, system: false, created_at: new Date().toISOString() };
  issue.notes.push(note);
  return { status: 201, body: { ...note, author: presentUser(call.state, note.author) } };
}

const ISSUES = 'projects/:id/issues';

export const ISSUE_ROUTES = [
  route('GET', ISSUES, listIssues),
  route('POST', ISSUES, createIssue),
  route('PUT', `${ISSUES}/:iid`, changeIssue),
  route('GET', `${ISSUES}/:iid/notes`, listNotes),
  route('POST', `${ISSUES}/:iid/notes`, createNote),
];
