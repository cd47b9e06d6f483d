/** Every limit and feature of a plan, at the operation that it is for: one more is allowed, or refused with its name. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LimitName } from '../../server/contract/domain-parts.ts';
import { buildValidRequest, callValid, type ServiceFixtures, startFixtures } from './fixtures.ts';
import { OPERATIONS } from './operations.ts';

/** Calls of models are counted by the worker. @see test/domains/llm/quota.test.ts */
type Counted = Exclude<LimitName, 'llm_weekly' | 'llm_hourly' | 'schedule_interval'>;

const CHECKED_BY = {
  seats: 'createInvitation',
  schedules: 'createSchedule',
  state_sources: 'createStateSource',
  cloud_accounts: 'createCloudAccount',
  concurrent_scans: 'createScan',
  custom_rules: 'createCustomRule',
  known_owners: 'createKnownOwner',
  api_keys: 'createApiKey',
  webhook_configs: 'createWebhookConfig',
  analyses_hourly: 'analyzePlan',
} as const satisfies Record<Counted, string>;

const FEATURES = {
  audit_compliance: 'createCompliancePack',
  chat: 'createChatInstallUrl',
  glob_state_sources: 'createStateSourceGlob',
  sso: 'getSsoConfig',
};

let fixtures: ServiceFixtures;

beforeAll(async () => {
  fixtures = await startFixtures('api');
});

afterAll(() => fixtures.service.close());

function findOperation(id: string) {
  const found = OPERATIONS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

async function override(change: { plan?: string; limits?: Record<string, number | null> }): Promise<void> {
  const { status } = await fixtures.people.root.send('PATCH', `/api/v2/admin/orgs/${fixtures.ours}`, change);
  expect(status).toBe(200);
}

async function countUsed(name: string): Promise<number> {
  const { body } = await fixtures.people.owner.get(`/api/v2/orgs/${fixtures.ours}/limits`);
  return body.limits.find(({ resource }: { resource: string }) => resource === name).used;
}

describe('every limit', () => {
  test.each(Object.entries(CHECKED_BY))('%s is enforced by %s: at the limit, and above it', async (name, id) => {
    const { owner } = fixtures.people;
    const operation = findOperation(id);
    const first = await buildValidRequest(fixtures, operation);
    const used = await countUsed(name);

    await override({ limits: { [name]: used } });
    const refused = await owner.send(operation.method, first.path, first.recipe.body);
    await override({ limits: { [name]: used + 1 } });
    const allowed = await owner.send(operation.method, first.path, first.recipe.body);
    const { answer: next } = await callValid(fixtures, operation, { caller: owner });
    await override({ limits: { [name]: null } });

    const limit = { resource: name, limit: used, used };
    expect(refused).toMatchObject(name === 'analyses_hourly' ? { status: 429 } : { status: 402, body: limit });
    expect(allowed.status).toBeLessThan(300);
    expect(next.status).toBe(refused.status);
  });

  test('the interval of schedules is enforced when one is created and when it is changed', async () => {
    const { owner } = fixtures.people;
    const schedules = `/api/v2/orgs/${fixtures.ours}/schedules`;
    const at = (schedule: string) => ({ name: `at ${schedule}`, schedule });
    await override({ limits: { schedule_interval: 30, schedules: -1 } });

    const allowed = await owner.post(schedules, at('*/30 * * * *'));
    const created = await owner.post(schedules, at('*/29 * * * *'));
    const changed = await owner.send('PUT', `${schedules}/${allowed.body.id}`, { schedule: '*/15 * * * *' });
    await override({ limits: { schedule_interval: null, schedules: null } });

    expect(allowed.status).toBe(201);
    for (const refused of [created, changed]) {
      expect(refused).toMatchObject({
        status: 402,
        body: { code: 'plan_schedule_frequency', resource: 'schedule_interval', limit: 30 },
      });
    }
  });
});

describe('every feature', () => {
  test.each(Object.entries(FEATURES))('%s is enforced by %s, also after a downgrade', async (feature, id) => {
    const { owner } = fixtures.people;
    const operation = findOperation(id);
    const { path, recipe } = await buildValidRequest(fixtures, operation);
    const call = () => owner.send(operation.method, path, recipe.body);

    const included = await call();
    await override({ plan: 'free' });
    const refused = await call();
    await override({ plan: 'enterprise' });

    expect(included.status).toBeLessThan(300);
    expect(refused).toMatchObject({ status: 402, body: { code: 'plan_feature_required', feature, plan: 'free' } });
  });
});
