import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Caller, planText, startTestService, type TestService } from '../helpers/service.ts';
import { keepPlan } from './kept-plan.ts';

let service: TestService;
let owner: Caller;
let org_id: string;
let config_id: string;
beforeAll(async () => {
  service = await startTestService();
  owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  const repository = { provider: 'github', repo_path: 'acme/infra' };
  config_id = (await owner.post(`/api/v2/orgs/${org_id}/webhook-configs`, repository)).body.id;
});
afterAll(() => service.close());

const analyze = (plan_id: string, caller = owner) =>
  caller.post(`/api/v2/orgs/${org_id}/pull-request-plans/${plan_id}/analyze`, undefined);

test('a plan stored for a pull request is analyzed like a submitted one, with its origin', async () => {
  const plan = await planText('every-action.json');
  const ci = { repo_owner: 'acme', repo_name: 'infra', repo_url: 'https://github.com/acme/infra' };
  const sent = await owner.post(`/api/v2/orgs/${org_id}/analyze`, { plan_json: plan, ci });

  const kept = await analyze(await keepPlan(service, org_id, config_id, plan));

  expect(kept).toMatchObject({ status: 202, body: { status: 'pending' } });
  const [one, other] = await Promise.all(
    [sent, kept].map(async ({ headers }) => {
      const { body } = await service.waitForJob(owner, headers.get('location') ?? '');
      const { scan_run, ...judged } = body.result;
      return { scan_run, judged };
    }),
  );
  expect(other?.judged).toEqual(one?.judged);
  expect(other?.scan_run).toMatchObject({ ...ci, branch: 'feature', commit_sha: expect.stringMatching(/^9fceb02d/) });
});

test('a stored plan larger than 5 MiB is rejected like a submitted one', async () => {
  const filler = randomBytes(4 * 1_048_576).toString('hex');
  const id = await keepPlan(service, org_id, config_id, `{"format_version":"1.2","filler":"${filler}"}`);

  expect(await analyze(id)).toMatchObject({ status: 413, body: { error_class: 'payload_too_large' } });
});

test('an unknown plan is 404', async () => {
  expect((await analyze('019b7a10-0000-7000-8000-000000000011')).status).toBe(404);
});

test('the hourly limit also applies to stored plans', async () => {
  await service.admin_db('org_limits').insert({ org_id, name: 'analyses_hourly', value: 1 });
  const id = await keepPlan(service, org_id, config_id, await planText('every-action.json'));

  expect(await analyze(id)).toMatchObject({ status: 429, body: { error_class: 'analyze_rate_limited' } });
});
