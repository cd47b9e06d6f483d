import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { hasRedis, startRedis } from '../fakes/redis.ts';
import { type Answer, type Caller, startTestService, type TestService } from '../helpers/service.ts';

const POLL_MS = 100;

interface Scene {
  /** Removes the permission at the first instance. */
  revoke(): Promise<Answer>;
  /** A request that is allowed until then, at the given instance. */
  ask(where: 'here' | 'there'): Promise<Answer>;
  refusal: number;
}

/** Four permissions that are removed: a key, a membership, a role, a user. */
async function makeScenes(service: TestService, there: string): Promise<Record<string, Scene>> {
  const root = await service.signIn('root');
  await root.get('/api/v2/admin/me');
  const owner = await service.signIn('owner');
  const { body: org } = await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' });
  await service.admin_db('orgs').where({ id: org.id }).update({ plan: 'enterprise' });
  const path = `/api/v2/orgs/${org.id}`;

  const { body: key } = await owner.post(`${path}/api-keys`, { name: 'ci', scopes: ['read'] });
  const at = (where: 'here' | 'there') => (where === 'here' ? service.url : there);
  async function join(name: string, role: string) {
    const users = { here: await service.signIn(name), there: await service.signIn(name, there) };
    const { user } = (await users.here.get('/api/v2/me')).body;
    const { body } = await root.post('/api/v2/admin/memberships', { org_id: org.id, user_id: user.id, role });
    return {
      ask: (where: 'here' | 'there', to: (caller: Caller) => Promise<Answer>) => to(users[where]),
      user,
      membership: body.id,
    };
  }
  const [leaver, demoted, deleted] = [
    await join('leaver', 'member'),
    await join('demoted', 'admin'),
    await join('deleted', 'viewer'),
  ];

  return {
    'a revoked key': {
      revoke: () => owner.send('DELETE', `${path}/api-keys/${key.id}`),
      ask: (where) => service.withHeaders({ 'x-api-key': key.key }, at(where)).get(path),
      refusal: 401,
    },
    'a removed member': {
      revoke: () => owner.send('DELETE', `${path}/memberships/${leaver.membership}`),
      ask: (where) => leaver.ask(where, (caller) => caller.get(path)),
      refusal: 404,
    },
    'a demoted admin': {
      revoke: () => owner.send('PATCH', `${path}/memberships/${demoted.membership}/role`, { role: 'viewer' }),
      ask: (where) => demoted.ask(where, (caller) => caller.get(`${path}/invitations`)),
      refusal: 403,
    },
    'a deleted user': {
      revoke: () => root.send('DELETE', `/api/v2/admin/users/${deleted.user.id}`),
      ask: (where) => deleted.ask(where, (caller) => caller.get('/api/v2/me')),
      refusal: 403,
    },
  };
}

/** Resolves when the second instance also rejects; otherwise the test times out. */
async function untilRefused({ ask, refusal }: Scene): Promise<void> {
  while ((await ask('there')).status !== refusal) await wait(POLL_MS);
}

/** Each permission is used at both instances, removed at the first, and immediately rejected there. */
async function takeAway(scenes: Record<string, Scene>): Promise<void> {
  for (const scene of Object.values(scenes)) {
    expect([(await scene.ask('here')).status, (await scene.ask('there')).status]).toEqual([200, 200]);
  }
  for (const [name, scene] of Object.entries(scenes)) {
    expect((await scene.revoke()).status).toBeLessThan(300);
    expect({ name, status: (await scene.ask('here')).status }).toEqual({ name, status: scene.refusal });
  }
}

/** The clock of the instances' caches. */
function stopTheClock() {
  const at = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(at);
  return { advance: (ms: number) => void clock.mockReturnValue(at + ms), restore: () => clock.mockRestore() };
}

describe('a removed permission', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({}, 'api');
  });
  afterAll(async () => {
    await service.close();
  });

  test('a removed permission ends immediately here, and soon after by broadcast at another instance', async () => {
    const there = (await service.startProcess('api')).url ?? '';
    const scenes = await makeScenes(service, there);
    // Nothing expires.
    const clock = stopTheClock();

    await takeAway(scenes);
    for (const scene of Object.values(scenes)) await untilRefused(scene);

    clock.restore();
  });
});

(hasRedis() ? describe : describe.skip)('a removed permission without broadcasts', () => {
  test('a removed permission ends at another instance within thirty seconds without a broadcast', async () => {
    // The other instance listens on a different channel.
    const redis = await startRedis();
    const service = await startTestService({}, 'api');
    const there = (await service.startProcess('api', { REDIS_URL: redis.url })).url ?? '';
    const scenes = await makeScenes(service, there);
    const clock = stopTheClock();

    await takeAway(scenes);
    for (const { ask } of Object.values(scenes)) expect((await ask('there')).status).toBe(200);
    clock.advance(30_001);
    for (const { ask, refusal } of Object.values(scenes)) expect((await ask('there')).status).toBe(refusal);

    clock.restore();
    await service.close();
    await redis.close();
  });
});
