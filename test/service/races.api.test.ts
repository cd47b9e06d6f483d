import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../server/lib/ids.ts';
import { type Answer, type Caller, startTestService, type TestService } from '../helpers/service.ts';
import { extractToken } from './fixtures.ts';

const RUNS = 20;
const UNLIMITED = { RATE_LIMIT_BURST: '1000000', RATE_LIMIT_PER_CREDENTIAL: '1000000', RATE_LIMIT_PER_ORG: '1000000' };

/** One person at each of the two instances. */
interface Both {
  here: Caller;
  there: Caller;
  user_id: string;
}

let service: TestService;
let other_url: string;
beforeAll(async () => {
  service = await startTestService(UNLIMITED, 'api');
  other_url = (await service.startProcess('api')).url ?? '';
});
afterAll(() => service.close());

async function person(name: string): Promise<Both> {
  const here = await service.signIn(name);
  return { here, there: await service.signIn(name, other_url), user_id: (await here.get('/api/v2/me')).body.user.id };
}

async function makeOrg(owners: Both[], limits: Record<string, number> = {}): Promise<{ id: string; ids: string[] }> {
  const id = newId();
  const slug = `org-${id.slice(-12)}`;
  const { admin_db } = service;
  await admin_db('orgs').insert({ id, slug, display_name: slug, plan: 'enterprise', noise_key_ct: Buffer.alloc(1) });
  const rows = owners.map(({ user_id }) => ({
    id: newId(),
    org_id: id,
    user_id,
    role: 'owner',
    accepted_at: new Date(),
  }));
  await admin_db('memberships').insert(rows);
  for (const [name, value] of Object.entries(limits)) await admin_db('org_limits').insert({ org_id: id, name, value });
  return { id, ids: rows.map((row) => row.id) };
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b);

async function repeat(run: () => Promise<void>): Promise<void> {
  for (let i = 0; i < RUNS; i += 1) await run();
}

const listOwners = (org_id: string) => service.admin_db('memberships').where({ org_id, role: 'owner' }).pluck('id');

describe(`two instances, ${RUNS} times each`, () => {
  test('two owners who demote each other leave an owner', async () => {
    const [ana, ben] = [await person('ana'), await person('ben')];
    await repeat(async () => {
      const { id, ids } = await makeOrg([ana, ben]);
      const demote = (caller: Caller, membership: string | undefined) =>
        caller.send('PATCH', `/api/v2/orgs/${id}/memberships/${membership}/role`, { role: 'member' });

      const answers = await Promise.all([demote(ana.here, ids[1]), demote(ben.there, ids[0])]);

      expect(statuses(answers)[0]).toBe(200);
      expect([403, 409]).toContain(statuses(answers)[1]);
      expect(await listOwners(id)).toHaveLength(1);
    });
  });

  test('two owners who leave concurrently leave an owner', async () => {
    const [ana, ben] = [await person('ana'), await person('ben')];
    await repeat(async () => {
      const { id, ids } = await makeOrg([ana, ben]);
      const leave = (caller: Caller, own: string | undefined) =>
        caller.send('DELETE', `/api/v2/orgs/${id}/memberships/${own}`);

      const answers = await Promise.all([leave(ana.here, ids[0]), leave(ben.there, ids[1])]);

      expect(statuses(answers)).toEqual([204, 409]);
      expect(await listOwners(id)).toHaveLength(1);
    });
  });

  test('of four invitations for the last seat one is created', async () => {
    const ana = await person('ana');
    await repeat(async () => {
      const { id } = await makeOrg([ana], { seats: 2 });
      const invite = (caller: Caller) =>
        caller.post(`/api/v2/orgs/${id}/invitations`, { email: `${newId()}@example.com`, role: 'member' });

      const answers = await Promise.all([ana.here, ana.there, ana.here, ana.there].map(invite));

      expect(statuses(answers)).toEqual([201, 402, 402, 402]);
      expect(answers.find(({ status }) => status === 402)?.body).toMatchObject({
        code: 'plan_limit_exceeded',
        error: 'plan_limit_exceeded',
        resource: 'seats',
        limit: 2,
        used: 2,
      });
    });
  });

  test('an invitation that is accepted four times concurrently creates one member', async () => {
    const [ana, guest] = [await person('ana'), await person('guest')];
    await repeat(async () => {
      const { id } = await makeOrg([ana]);
      const email = 'guest@example.com';
      const { body } = await ana.here.post(`/api/v2/orgs/${id}/invitations`, { email, role: 'viewer' });
      const token = extractToken(body.accept_url);
      const accept = (caller: Caller) => caller.post('/api/v2/invitations/accept', { token });

      const answers = await Promise.all([guest.here, guest.there, guest.here, guest.there].map(accept));

      const [first, ...rest] = statuses(answers);
      expect(first).toBe(201);
      for (const status of rest) expect([409, 410]).toContain(status);
      expect(await service.admin_db('memberships').where({ org_id: id, user_id: guest.user_id })).toHaveLength(1);
    });
  });

  test('concurrent requests with one Idempotency-Key are executed once', async () => {
    const ana = await person('ana');
    const { id } = await makeOrg([ana], { api_keys: -1 });
    await repeat(async () => {
      const name = newId();
      const make = (caller: Caller) =>
        caller.post(`/api/v2/orgs/${id}/api-keys`, { name, scopes: ['read'] }, { 'idempotency-key': name });

      const answers = await Promise.all([ana.here, ana.there, ana.here, ana.there].map(make));

      for (const status of statuses(answers)) expect([201, 409]).toContain(status);
      expect(answers.filter(({ body }) => typeof body.key === 'string')).toHaveLength(1);
      expect(await service.admin_db('api_keys').where({ org_id: id, name })).toHaveLength(1);
    });
  });
});

test(`the first person of an installation becomes its one admin, ${RUNS} times over`, async () => {
  const installation = await startTestService(UNLIMITED, 'api');
  const there = (await installation.startProcess('api')).url ?? '';
  const admins = () => installation.admin_db('users').where({ is_platform_admin: true });
  const ask = (caller: Caller) => caller.get('/api/v2/admin/me');
  for (let run = 0; run < RUNS; run += 1) {
    await installation.admin_db.raw('truncate users cascade');
    const [one, two] = [`one-${run}`, `two-${run}`];
    const same = run % 2 === 0;
    const callers = await Promise.all([
      installation.signIn(one),
      installation.signIn(same ? one : two, there),
      installation.signIn(one, there),
      installation.signIn(same ? one : two),
    ]);

    await Promise.all(callers.map(ask));

    const count = (await admins()).length;
    if (same) expect(count).toBe(1);
    else expect(count).toBeLessThanOrEqual(1);
  }
  await installation.close();
});
