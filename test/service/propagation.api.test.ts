import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hasRedis, startRedis } from '../helpers/redis.ts';
import { type Answer, type Caller, startTestService, type TestService } from '../helpers/service.ts';

const POLL_MS = 100;

interface Scene {
  /** Does it at the first instance. */
  revoke(): Promise<Answer>;
  /** A request that is allowed until then, at the given instance. */
  ask(where: 'here' | 'there'): Promise<Answer>;
  refusal: number;
}

/** Four rights that are taken away: a key, a membership, a role, a user. */
async function makeScenes(service: TestService, there: string): Promise<Record<string, Scene>> {
  const root = await service.as('root');
  await root.get('/api/v2/admin/me');
  const owner = await service.as('owner');
  const { body: org } = await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' });
  await service.admin_db('orgs').where({ id: org.id }).update({ plan: 'enterprise' });
  const path = `/api/v2/orgs/${org.id}`;

  const { body: key } = await owner.post(`${path}/api-keys`, { name: 'ci', scopes: ['read'] });
  const at = (where: 'here' | 'there') => (where === 'here' ? service.url : there);
  async function join(name: string, role: string) {
    const users = { here: await service.as(name), there: await service.as(name, there) };
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
      ask: (where) => service.with({ 'x-api-key': key.key }, at(where)).get(path),
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

/** @returns milliseconds until the second instance refused too */
async function timeToRefusal({ ask, refusal }: Scene, most_ms: number): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < most_ms) {
    if ((await ask('there')).status === refusal) return performance.now() - begun;
    await wait(POLL_MS);
  }
  return Number.POSITIVE_INFINITY;
}

async function takeAway(scenes: Record<string, Scene>, most_ms: number): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const scene of Object.values(scenes)) {
    expect([(await scene.ask('here')).status, (await scene.ask('there')).status]).toEqual([200, 200]);
  }
  const one = async ([name, scene]: [string, Scene]) => {
    expect((await scene.revoke()).status).toBeLessThan(300);
    expect({ name, status: (await scene.ask('here')).status }).toEqual({ name, status: scene.refusal });
    times[name] = await timeToRefusal(scene, most_ms);
  };
  await Promise.all(Object.entries(scenes).map(one));
  return times;
}

describe('a right that was taken away', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({}, 'api');
  });
  afterAll(async () => {
    await service.close();
  });

  test('is gone here at once, and by the broadcast at another instance soon after', async () => {
    const there = (await service.another('api')).url ?? '';

    const times = await takeAway(await makeScenes(service, there), 10_000);

    for (const ms of Object.values(times)) expect(ms).toBeLessThan(2_000);
  }, 60_000);
});

(hasRedis() ? describe : describe.skip)('a right that was taken away while no broadcast is heard', () => {
  test('is gone at another instance within thirty seconds', async () => {
    // The other instance listens on a channel that the first knows nothing of.
    const redis = await startRedis();
    const service = await startTestService({}, 'api');
    const there = (await service.another('api', { REDIS_URL: redis.url })).url ?? '';

    const times = await takeAway(await makeScenes(service, there), 40_000);

    for (const ms of Object.values(times)) {
      expect(ms).toBeGreaterThan(2_000);
      expect(ms).toBeLessThan(31_000);
    }
    await service.close();
    await redis.close();
  }, 90_000);
});
