import { type Call, notFound, ok, Refusal, type Reply, type RepoCall } from '../http.ts';
import { showAccount, showRepo, stamp } from '../shapes.ts';
import type { Role, Token } from '../world.ts';

const INLINE_BYTES = 1024 * 1024;
/** A role by the name that `permission` gives it. */
const PERMISSION: Record<Role, string> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
};

/** A user is told what they may do there. */
export function getRepo({ world, repo, who }: RepoCall): Reply {
  const shown = showRepo(world, repo);
  if (who.kind !== 'token' || who.token.owner.kind !== 'user') return ok(shown);
  const push = who.token.repos.has(repo.full_name);
  return ok({ ...shown, permissions: { admin: false, maintain: false, push, triage: push, pull: true } });
}

/** A file with its content in base64 (none above a megabyte), or a directory's entries. */
export function getContents({ world, repo, params, query }: RepoCall): Reply {
  const ref = query.get('ref') ?? repo.default_branch;
  const path = decodeURIComponent(params['path'] ?? '');
  const file = repo.files.get(`${ref}:${path}`);
  const entry = { name: path.split('/').at(-1), path, url: `${world.url}/repos/${repo.full_name}/contents/${path}` };
  if (file !== undefined) {
    const large = file.length > INLINE_BYTES;
    const content = large ? '' : `${file.toString('base64').replace(/.{60}/g, '$&\n')}\n`;
    return ok({ ...entry, type: 'file', size: file.length, encoding: large ? 'none' : 'base64', content });
  }
  const inside = [...repo.files.keys()].filter((key) => key.startsWith(`${ref}:${path === '' ? '' : `${path}/`}`));
  if (inside.length === 0) throw notFound();
  return ok(
    inside.map((key) => ({ type: 'file', path: key.slice(ref.length + 1), size: repo.files.get(key)!.length })),
  );
}

export function getPermission({ world, repo, params }: RepoCall): Reply {
  const account = world.accounts.get(params['login']!);
  if (account === undefined) throw notFound();
  const role = repo.collaborators.get(account.login);
  const permission = role === undefined ? (repo.private ? 'none' : 'read') : PERMISSION[role];
  return ok({ permission, role_name: role ?? permission, user: showAccount(world, account) });
}

/** The user of a token; an installation has none. */
export function getUser({ world, who }: Call): Reply {
  if (who.kind !== 'token') throw new Refusal(401, 'Requires authentication');
  if (who.token.owner.kind === 'installation') throw new Refusal(403, 'Resource not accessible by integration');
  return ok(showAccount(world, who.token.owner.account));
}

export function createInstallationToken({ world, who, params }: Call): Reply {
  if (who.kind !== 'app') throw new Refusal(401, 'A JSON web token could not be decoded');
  const installation = world.installations.get(Number(params['installation_id']));
  if (installation === undefined) throw notFound();
  if (installation.suspended) throw new Refusal(403, 'This installation has been suspended');
  const expires_at = world.now() + world.token_ttl_ms;
  const token: Token = {
    value: `ghs_${world.nextId()}${'x'.repeat(30)}`,
    repos: installation.repos,
    grants: installation.grants,
    expires_at,
    owner: { kind: 'installation', installation },
  };
  world.tokens.set(token.value, token);
  return ok(
    {
      token: token.value,
      expires_at: stamp(new Date(expires_at)),
      permissions: installation.grants,
      repository_selection: 'selected',
    },
    201,
  );
}
