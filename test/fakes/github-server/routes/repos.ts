import { createNotFound, ok, Refusal, type Reply, type RepoCall } from '../http.ts';
import { showAccount, showRepo } from '../shapes.ts';
import type { Role } from '../state.ts';

const INLINE_BYTES = 1024 * 1024;
/** The value of `permission` for a role. */
const PERMISSION: Record<Role, string> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
};

/** Includes the permissions of the user. */
export function getRepo({ github, repo, who }: RepoCall): Reply {
  const shown = showRepo(github, repo);
  if (who.kind !== 'token' || who.token.owner.kind !== 'user') return ok(shown);
  const push = who.token.repos.has(repo.full_name);
  return ok({ ...shown, permissions: { admin: false, maintain: false, push, triage: push, pull: true } });
}

/** A file with its content in base64 (none above one megabyte), or the entries of a directory. */
export function getContents({ github, repo, params, query }: RepoCall): Reply {
  const ref = query.get('ref') ?? repo.default_branch;
  const path = decodeURIComponent(params['path'] ?? '');
  const file = repo.files.get(`${ref}:${path}`);
  const entry = { name: path.split('/').at(-1), path, url: `${github.url}/repos/${repo.full_name}/contents/${path}` };
  if (file !== undefined) {
    const large = file.length > INLINE_BYTES;
    const content = large ? '' : `${file.toString('base64').replace(/.{60}/g, '$&\n')}\n`;
    return ok({ ...entry, type: 'file', size: file.length, encoding: large ? 'none' : 'base64', content });
  }
  const inside = [...repo.files.keys()].filter((key) => key.startsWith(`${ref}:${path === '' ? '' : `${path}/`}`));
  if (inside.length === 0) throw createNotFound();
  return ok(
    inside.map((key) => ({ type: 'file', path: key.slice(ref.length + 1), size: repo.files.get(key)!.length })),
  );
}

/** Commits a new file to a branch. A file that exists can only be replaced by who names its blob. */
export function putContents({ github, repo, params, body }: RepoCall): Reply {
  const { message, content, branch = repo.default_branch, sha } = body as Record<string, string | undefined>;
  const path = decodeURIComponent(params['path'] ?? '');
  if (repo.archived) throw new Refusal(403, 'Repository was archived so is read-only.');
  if (message === undefined || content === undefined) throw new Refusal(422, 'Invalid request.');
  if (repo.files.has(`${branch}:${path}`) && sha === undefined) {
    throw new Refusal(422, 'Invalid request.\n\n"sha" wasn\'t supplied.');
  }
  repo.files.set(`${branch}:${path}`, Buffer.from(content, 'base64'));
  repo.commits.push({ branch, path, message });
  const url = `${github.url}/repos/${repo.full_name}/contents/${path}`;
  return { status: 201, body: { content: { type: 'file', path, url }, commit: { message } } };
}

export function getPermission({ github, repo, params }: RepoCall): Reply {
  const account = github.accounts.get(params['login']!);
  if (account === undefined) throw createNotFound();
  const role = repo.collaborators.get(account.login);
  const permission = role === undefined ? (repo.private ? 'none' : 'read') : PERMISSION[role];
  return ok({ permission, role_name: role ?? permission, user: showAccount(github, account) });
}
