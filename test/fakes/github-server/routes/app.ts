import { randomBytes } from 'node:crypto';
import { type Call, createNotFound, ok, paginate, Refusal, type Reply, readText } from '../http.ts';
import { formatTimestamp, showAccount, showInstallation, showRepo } from '../shapes.ts';
import { ensureAccount, getRepository, type Token } from '../state.ts';

/** Exchanges a code for a token of its user. As at GitHub, an invalid code gets an error with status 200. */
export function exchangeCode({ github, body }: Call): Reply {
  const [client_id, client_secret, code = ''] = ['client_id', 'client_secret', 'code'].map((name) =>
    readText(body, name),
  );
  const login = github.codes.get(code);
  if (client_id !== github.app.client_id || client_secret !== github.app.client_secret) {
    return ok({ error: 'incorrect_client_credentials' });
  }
  if (login === undefined) return ok({ error: 'bad_verification_code' });
  github.codes.delete(code);
  const value = `ghu_${randomBytes(18).toString('hex')}`;
  const owner = { kind: 'user', account: ensureAccount(github, login) } as const;
  github.tokens.set(value, { value, repos: new Set(), grants: {}, expires_at: null, owner });
  return ok({ access_token: value, token_type: 'bearer', scope: '' });
}

/** The user of a token; installations have none. */
export function getUser({ github, who }: Call): Reply {
  if (who.kind !== 'token') throw new Refusal(401, 'Requires authentication');
  if (who.token.owner.kind === 'installation') throw new Refusal(403, 'Resource not accessible by integration');
  return ok(showAccount(github, who.token.owner.account));
}

export function listInstallationsOfUser(call: Call): Reply {
  const { github, who } = call;
  if (who.kind !== 'token' || who.token.owner.kind !== 'user') throw new Refusal(401, 'Requires authentication');
  const { login } = who.token.owner.account;
  const visible = [...github.installations.values()].filter(({ visible_to }) => visible_to.has(login));
  const shown = visible.map((installation) => showInstallation(github, installation));
  return paginate(call, '/user/installations', shown, (installations) => ({
    total_count: shown.length,
    installations,
  }));
}

/** The repositories that the user may read, each with the user's permissions. */
export function listRepositoriesOfUser(call: Call): Reply {
  const { github, who, params } = call;
  if (who.kind !== 'token' || who.token.owner.kind !== 'user') throw new Refusal(401, 'Requires authentication');
  const { login } = who.token.owner.account;
  const installation = github.installations.get(Number(params['installation_id']));
  if (installation === undefined || !installation.visible_to.has(login)) throw createNotFound();
  const shown = [...installation.repos].flatMap((name) => {
    const repo = getRepository(github, name);
    const role = installation.owned_by.has(login) ? 'admin' : repo.collaborators.get(login);
    if (role === undefined) return [];
    const permissions = { admin: role === 'admin', push: role !== 'read', pull: true };
    return [{ ...showRepo(github, repo), permissions }];
  });
  const path = `/user/installations/${installation.id}/repositories`;
  return paginate(call, path, shown, (repositories) => ({ total_count: shown.length, repositories }));
}

export function listRepositoriesOfInstallation(call: Call): Reply {
  const { github, who } = call;
  if (who.kind !== 'token' || who.token.owner.kind !== 'installation') {
    throw new Refusal(403, 'You must authenticate with an installation access token');
  }
  const shown = [...who.token.owner.installation.repos].map((name) => showRepo(github, getRepository(github, name)));
  return paginate(call, '/installation/repositories', shown, (repositories) => ({
    total_count: shown.length,
    repositories,
  }));
}

export function createInstallationToken({ github, who, params }: Call): Reply {
  if (who.kind !== 'app') throw new Refusal(401, 'A JSON web token could not be decoded');
  const installation = github.installations.get(Number(params['installation_id']));
  if (installation === undefined) throw createNotFound();
  if (installation.suspended) throw new Refusal(403, 'This installation has been suspended');
  const expires_at = github.now() + github.token_ttl_ms;
  const token: Token = {
    value: `ghs_${github.nextId()}${'x'.repeat(30)}`,
    repos: installation.repos,
    grants: installation.grants,
    expires_at,
    owner: { kind: 'installation', installation },
  };
  github.tokens.set(token.value, token);
  return ok(
    {
      token: token.value,
      expires_at: formatTimestamp(new Date(expires_at)),
      permissions: installation.grants,
      repository_selection: 'selected',
    },
    201,
  );
}
