import { randomBytes } from 'node:crypto';
import { type Call, notFound, ok, page, Refusal, type Reply, text } from '../http.ts';
import { showAccount, showInstallation, showRepo, stamp } from '../shapes.ts';
import { accountOf, repoOf, type Token } from '../world.ts';

/** A token that speaks for the person whose code it is. What does not hold is told with status 200. */
export function exchangeCode({ world, body }: Call): Reply {
  const [client_id, client_secret, code = ''] = ['client_id', 'client_secret', 'code'].map((name) => text(body, name));
  const login = world.codes.get(code);
  if (client_id !== world.app.client_id || client_secret !== world.app.client_secret) {
    return ok({ error: 'incorrect_client_credentials' });
  }
  if (login === undefined) return ok({ error: 'bad_verification_code' });
  world.codes.delete(code);
  const value = `ghu_${randomBytes(18).toString('hex')}`;
  const owner = { kind: 'user', account: accountOf(world, login) } as const;
  world.tokens.set(value, { value, repos: new Set(), grants: {}, expires_at: null, owner });
  return ok({ access_token: value, token_type: 'bearer', scope: '' });
}

/** The user of a token; an installation has none. */
export function getUser({ world, who }: Call): Reply {
  if (who.kind !== 'token') throw new Refusal(401, 'Requires authentication');
  if (who.token.owner.kind === 'installation') throw new Refusal(403, 'Resource not accessible by integration');
  return ok(showAccount(world, who.token.owner.account));
}

export function listInstallationsOfUser(call: Call): Reply {
  const { world, who } = call;
  if (who.kind !== 'token' || who.token.owner.kind !== 'user') throw new Refusal(401, 'Requires authentication');
  const { login } = who.token.owner.account;
  const seen = [...world.installations.values()].filter(({ seen_by }) => seen_by.has(login));
  const shown = seen.map((installation) => showInstallation(world, installation));
  return page(call, '/user/installations', shown, (installations) => ({ total_count: shown.length, installations }));
}

/** Those that the user may read, each with what they may do there. */
export function listRepositoriesOfUser(call: Call): Reply {
  const { world, who, params } = call;
  if (who.kind !== 'token' || who.token.owner.kind !== 'user') throw new Refusal(401, 'Requires authentication');
  const { login } = who.token.owner.account;
  const installation = world.installations.get(Number(params['installation_id']));
  if (installation === undefined || !installation.seen_by.has(login)) throw notFound();
  const shown = [...installation.repos].flatMap((name) => {
    const repo = repoOf(world, name);
    const role = installation.owned_by.has(login) ? 'admin' : repo.collaborators.get(login);
    if (role === undefined) return [];
    const permissions = { admin: role === 'admin', push: role !== 'read', pull: true };
    return [{ ...showRepo(world, repo), permissions }];
  });
  const path = `/user/installations/${installation.id}/repositories`;
  return page(call, path, shown, (repositories) => ({ total_count: shown.length, repositories }));
}

export function listRepositoriesOfInstallation(call: Call): Reply {
  const { world, who } = call;
  if (who.kind !== 'token' || who.token.owner.kind !== 'installation') {
    throw new Refusal(403, 'You must authenticate with an installation access token');
  }
  const shown = [...who.token.owner.installation.repos].map((name) => showRepo(world, repoOf(world, name)));
  return page(call, '/installation/repositories', shown, (repositories) => ({
    total_count: shown.length,
    repositories,
  }));
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
