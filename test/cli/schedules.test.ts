import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { declareSchedules } from '../../cli/src/commands/schedules-arguments.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

const NAMES = ['DPA_URL', 'DPA_ORG', 'DPA_TOKEN'] as const;

let service: TestService;
const printed: string[] = [];
const before = NAMES.map((name) => [name, process.env[name]] as const);

beforeAll(async () => {
  service = await startTestService();
  const owner = await service.signIn('owner');
  const { id } = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body;
  await service.admin_db('orgs').where({ id }).update({ plan: 'team' });
  const scopes = ['inventory:read', 'scans:read', 'schedules:read', 'schedules:write'];
  const { key } = (await owner.post(`/api/v2/orgs/${id}/api-keys`, { name: 'cli', scopes })).body;
  Object.assign(process.env, { DPA_URL: service.url, DPA_ORG: id, DPA_TOKEN: key });
  await owner.post(`/api/v2/orgs/${id}/cloud-accounts`, {
    provider: 'aws',
    display_name: 'Production',
    external_account_id: '123456789012',
    credential_type: 'aws_access_key',
    credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'secret' },
  });
});
beforeEach(() => {
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = undefined;
});
afterAll(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await service.close();
});

/** Runs `dpa schedules` with these words, and returns what it prints. */
async function schedules(...words: string[]): Promise<string> {
  printed.length = 0;
  const program = new Command('dpa').exitOverride();
  declareSchedules(program);
  await program.parseAsync(['schedules', ...words], { from: 'user' });
  return printed.join('');
}

test('a schedule is created, listed, changed, run and deleted by its name', async () => {
  expect(await schedules('list')).toBe('no schedules; run `dpa schedules create` to create one\n');
  const created = await schedules('create', 'Nightly', '30 2 * * *', '--account', 'Production', '--channel', '#infra');
  expect(created).toMatch(/^STATUS +NAME +CRON \(UTC\) +ACCOUNT +LAST RUN +NEXT RUN +NOTE\n/);
  expect(created).toMatch(/enabled +Nightly +30 2 \* \* \* +Production +- +\d{4}-\d\d-\d\d 02:3\d:\d\d/);

  const changes = ['--name', 'Mornings', '--cron', '0 6 * * MON-FRI', '--all-accounts', '--disable'];
  expect(await schedules('update', 'Nightly', ...changes)).toMatch(/disabled +Mornings +0 6 \* \* MON-FRI +all +- +-/);
  const [listed] = JSON.parse(await schedules('list', '--format', 'json')).schedules;
  expect(listed).toMatchObject({ name: 'Mornings', enabled: false, notify_chat_channel: '#infra', next_run_at: null });

  expect(await schedules('run', 'Mornings', '--wait')).toMatch(/done +Production/);
  expect(await schedules('delete', listed.id)).toBe('Mornings is deleted\n');
  expect(JSON.parse(await schedules('list', '--format', 'json'))).toEqual({ schedules: [] });
});

test('errors of the service and contradicting options are reported', async () => {
  await expect(schedules('create', 'Often', '61 * * * *')).rejects.toThrow('"61" is not valid in the field minute');
  await expect(schedules('update', 'Nothing')).rejects.toThrow('name a change');
  await expect(schedules('update', 'Nothing', '--enable', '--disable')).rejects.toThrow('contradict each other');
  await expect(schedules('run', 'Nothing')).rejects.toThrow('"Nothing" is not in the list');
});
