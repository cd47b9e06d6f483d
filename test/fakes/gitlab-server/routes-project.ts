import { assertLevel, getCommit, getMergeRequest, getProject } from './access.ts';
import { ApiError, type Call, createNotFound, paginate, type Reply, route } from './http.ts';
import {
  presentMergeRequest,
  presentPipeline,
  presentProject,
  presentUser,
  presentWholeMergeRequest,
  readLatestVersion,
} from './present.ts';
import { newSha } from './records.ts';
import type { User } from './types.ts';

const DEVELOPER = 30;
const NOT_FOUND = { message: '404 Not found' };

function listMergeRequests(call: Call, commit_sha?: string): Reply {
  const { merge_requests } = getProject(call);
  const state = call.query.get('state') ?? 'all';
  const found = merge_requests
    .filter((one) => state === 'all' || one.state === state)
    .filter(({ versions }) => commit_sha === undefined || versions.some(({ head_sha }) => head_sha === commit_sha))
    .toReversed();
  return paginate(call, found, (one) => presentMergeRequest(call.state, one));
}

function showBranch(call: Call): Reply {
  const name = call.params['branch'] ?? '';
  const id = getProject(call).branches.get(name);
  if (id === undefined) throw createNotFound('Branch');
  return { status: 200, body: { name, commit: { id }, protected: true, default: false } };
}

function showCommit(call: Call): Reply {
  const { sha, parent_ids, message } = getCommit(getProject(call), call.params['sha'] ?? '');
  return { status: 200, body: { id: sha, short_id: sha.slice(0, 8), parent_ids, message, title: message } };
}

function showFile(call: Call): Reply {
  const project = getProject(call);
  const commit = getCommit(project, call.query.get('ref') ?? project.default_branch);
  const text = commit.files[call.params['path'] ?? ''];
  if (text === undefined) throw createNotFound('File');
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
}

function showEncodedFile(call: Call): Reply {
  const { body } = showFile(call);
  const [file_path, ref] = [call.params['path'], call.query.get('ref')];
  return {
    status: 200,
    body: { file_path, ref, encoding: 'base64', content: Buffer.from(String(body)).toString('base64') },
  };
}

/** Commits a new file to a branch. */
function createFile(call: Call): Reply {
  const project = getProject(call);
  assertLevel(call, project, DEVELOPER);
  const { branch, content, commit_message: message } = call.body as Record<string, string>;
  const path = call.params['path'] ?? '';
  const before = project.branches.get(branch ?? '');
  if (before === undefined)
    throw new ApiError(400, { message: 'You can only create or edit files when you are on a branch' });
  const files = project.commits.get(before)?.files ?? {};
  if (path in files) throw new ApiError(400, { message: 'A file with this name already exists' });
  const sha = newSha();
  project.commits.set(sha, {
    sha,
    parent_ids: [before],
    message: message ?? '',
    files: { ...files, [path]: content ?? '' },
  });
  project.branches.set(branch ?? '', sha);
  return { status: 201, body: { file_path: path, branch } };
}

function showApprovals(call: Call): Reply {
  const { approvals } = getMergeRequest(call);
  const approved_by = approvals.map((user) => ({ user: presentUser(call.state, user) }));
  const approved = approvals.length > 0;
  return { status: 200, body: { approved, approvals_required: 1, approvals_left: approved ? 0 : 1, approved_by } };
}

function listVersions(call: Call): Reply {
  const { id, versions } = getMergeRequest(call);
  const present = (version: object) => ({ ...version, merge_request_id: id, state: 'collected' });
  return paginate(call, versions.toReversed(), ({ head_sha, base_sha, start_sha, ...rest }) =>
    present({ ...rest, head_commit_sha: head_sha, base_commit_sha: base_sha, start_commit_sha: start_sha }),
  );
}

function listMergeRequestPipelines(call: Call): Reply {
  const merge_request = getMergeRequest(call);
  const own_pipelines = merge_request.project.pipelines.filter(
    (one) => one.merge_request === merge_request || one.sha === readLatestVersion(merge_request).head_sha,
  );
  return paginate(call, own_pipelines.toReversed(), (one) => presentPipeline(call.state, one));
}

function findUser(call: Call, test: (user: User) => boolean): User | undefined {
  return call.state.users.find(test);
}

function showMember(call: Call): Reply {
  const project = getProject(call);
  const user = findUser(call, ({ id }) => String(id) === call.params['user_id']);
  const access_level = user && project.members.get(user.id);
  if (user === undefined || access_level === undefined) throw new ApiError(404, NOT_FOUND);
  return { status: 200, body: { ...presentUser(call.state, user), access_level, membership_state: 'active' } };
}

function listUsers(call: Call): Reply {
  const requested = call.query.get('username')?.toLowerCase();
  const found = call.state.users.filter(({ username }) => username.toLowerCase() === requested);
  return paginate(call, found, (user) => presentUser(call.state, user));
}

function showUser(call: Call): Reply {
  const user = findUser(call, ({ id }) => String(id) === call.params['user_id']);
  if (user === undefined) throw createNotFound('User');
  return { status: 200, body: { ...presentUser(call.state, user), bot: user.is_bot, followers: 0 } };
}

function showWholeProject(call: Call): Reply {
  const project = getProject(call);
  const access_level = project.members.get(call.user.id) ?? null;
  const permissions = { project_access: access_level === null ? null : { access_level }, group_access: null };
  return { status: 200, body: { ...presentProject(call.state, project), permissions } };
}

function listMembersAll(call: Call): Reply {
  const project = getProject(call);
  assertLevel(call, project, 10);
  const members = call.state.users.filter(({ id }) => project.members.has(id));
  return paginate(call, members, (user) => ({
    ...presentUser(call.state, user),
    access_level: project.members.get(user.id),
  }));
}

export const PROJECT_ROUTES = [
  route('GET', 'user', ({ state, user }) => ({
    status: 200,
    body: { ...presentUser(state, user), bot: user.is_bot, email: `${user.username}@example.com` },
  })),
  route('GET', 'users', listUsers),
  route('GET', 'users/:user_id', showUser),
  route('GET', 'projects/:id', showWholeProject),
  route('GET', 'projects/:id/members/all', listMembersAll),
  route('GET', 'projects/:id/members/all/:user_id', showMember),
  route('GET', 'projects/:id/merge_requests', (call) => listMergeRequests(call)),
  route('GET', 'projects/:id/merge_requests/:iid', (call) => ({
    status: 200,
    body: presentWholeMergeRequest(call.state, getMergeRequest(call)),
  })),
  route('GET', 'projects/:id/merge_requests/:iid/approvals', showApprovals),
  route('GET', 'projects/:id/merge_requests/:iid/versions', listVersions),
  route('GET', 'projects/:id/merge_requests/:iid/pipelines', listMergeRequestPipelines),
  route('GET', 'projects/:id/repository/branches/:branch', showBranch),
  route('GET', 'projects/:id/repository/commits/:sha', showCommit),
  route('GET', 'projects/:id/repository/commits/:sha/merge_requests', (call) =>
    listMergeRequests(call, getCommit(getProject(call), call.params['sha'] ?? '').sha),
  ),
  route('GET', 'projects/:id/repository/files/:path/raw', showFile),
  route('GET', 'projects/:id/repository/files/:path', showEncodedFile),
  route('POST', 'projects/:id/repository/files/:path', createFile),
];
