import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { declareOwners } from '../../cli/src/commands/owners-arguments.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

const NAMES = ['DPA_URL', 'DPA_ORG', 'DPA_TOKEN'] as const;
const endpoint = 'https://hooks.example.com/a';
const topic = {
  address: 'aws_sns_topic_subscription.a',
  mode: 'managed',
  type: 'aws_sns_topic_subscription',
  name: 'a',
  change: {
    actions: ['update'],
    before: { endpoint, topic_arn: 'arn:aws:sns:eu-west-1:111122223333:a' },
    after: { endpoint },
  },
};
const PLAN = JSON.stringify({ format_version: '1.2', resource_changes: [topic] });

let service: TestService;
const printed: string[] = [];
const before = NAMES.map((name) => [name, process.env[name]] as const);

beforeAll(async () => {
  service = await startTestService();
  const owner = await service.signIn('owner');
  const org = `/api/v2/orgs/${(await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id}`;
  const { body } = await owner.post(`${org}/analyze`, { plan_json: PLAN });
  await service.waitForJob(owner, `${org}/llm-jobs/${body.job_id}`);
  const { key } = (await owner.post(`${org}/api-keys`, { name: 'cli', scopes: ['rules:read', 'rules:write'] })).body;
  Object.assign(process.env, { DPA_URL: service.url, DPA_ORG: org.split('/').at(-1), DPA_TOKEN: key });
});
beforeEach(() => {
  printed.length = 0;
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await service.close();
});

/** Runs `dpa owners` with these words, and returns what it prints. */
async function owners(...words: string[]): Promise<string> {
  printed.length = 0;
  const program = new Command('dpa').exitOverride();
  declareOwners(program);
  await program.parseAsync(['owners', ...words], { from: 'user' });
  return printed.join('');
}

const statuses = async () => {
  const { owners: listed } = JSON.parse(await owners('list', '--format', 'json'));
  return Object.fromEntries(listed.map(({ owner, status }: Record<string, string>) => [owner, status]));
};

describe('dpa owners', () => {
  test('list shows the owners that plans named, as a table or as JSON, and filters them', async () => {
    expect(await statuses()).toEqual({ 'example.com': 'suggested', 'account:111122223333': 'suggested' });
    const accounts = await owners('list', '--kind', 'account', '--status', 'suggested');
    expect(accounts).toMatch(/^STATUS {5}OWNER .*\nsuggested {2}account:111122223333 {2}account {2}1 .*\n$/);
    expect(await owners('list', '--status', 'dismissed')).toBe('no known owners\n');
    await expect(owners('list', '--kind', 'planet')).rejects.toThrow(/--kind planet: use one of account, project/);
  });

  test('add stores the canonical name, and an owner that cannot be added is reported with the reason', async () => {
    expect(await owners('add', 'https://GitHub.com/Acme/infra', '--note', 'Our code')).toMatch(
      /confirmed {2}github\.com\/acme {2}repository_host {2}0 .*Our code/,
    );
    await expect(owners('add', 'datadoghq.com')).rejects.toThrow(/belongs to a vendor/);
    await expect(owners('add', 'hooks.example.com')).rejects.toThrow(/already suggested; confirm the suggestion/);
  });

  test('confirm and dismiss accept any form of a listed owner, and several at once', async () => {
    await owners('confirm', 'www.example.com', '111122223333', '--note', 'Shop');
    expect(await statuses()).toMatchObject({ 'example.com': 'confirmed', 'account:111122223333': 'confirmed' });

    await owners('dismiss', 'example.com');
    expect(await statuses()).toMatchObject({ 'example.com': 'dismissed', 'account:111122223333': 'confirmed' });
  });

  test('if one of several names is not listed, nothing is changed', async () => {
    const known = await statuses();

    await expect(owners('confirm', 'example.com', 'example.org')).rejects.toThrow(/"example\.org" is not in the list/);
    expect(await statuses()).toEqual(known);
  });

  test('remove deletes an owner by its name or ID', async () => {
    const { owners: listed } = JSON.parse(await owners('list', '--format', 'json'));
    const { id } = listed.find(({ owner }: { owner: string }) => owner === 'github.com/acme');

    expect(await owners('remove', id, 'example.com')).toBe(
      'github.com/acme is deleted from the list\nexample.com is deleted from the list\n',
    );
    expect(await statuses()).toEqual({ 'account:111122223333': 'confirmed' });
  });
});
