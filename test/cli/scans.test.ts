import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { declareScans } from '../../cli/src/commands/scans-arguments.ts';
import { fakeFault, fakePart, fakeResource } from '../fakes/cloud/adapter.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

const NAMES = ['DPA_URL', 'DPA_ORG', 'DPA_TOKEN'] as const;

let service: TestService;
let owner: Caller;
let org_id: string;
const printed: string[] = [];
const before = NAMES.map((name) => [name, process.env[name]] as const);

beforeAll(async () => {
  service = await startTestService();
  owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'team' });
  const scopes = ['inventory:read', 'scans:read', 'scans:write'];
  const { key } = (await owner.post(`/api/v2/orgs/${org_id}/api-keys`, { name: 'cli', scopes })).body;
  Object.assign(process.env, { DPA_URL: service.url, DPA_ORG: org_id, DPA_TOKEN: key });
  for (const [display_name, external_account_id] of [
    ['Production', '123456789012'],
    ['Staging', '210987654321'],
  ]) {
    const credentials = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'secret' };
    const account = {
      provider: 'aws',
      display_name,
      external_account_id,
      credential_type: 'aws_access_key',
      credentials,
    };
    await owner.post(`/api/v2/orgs/${org_id}/cloud-accounts`, account);
  }
});
beforeEach(async () => {
  service.clouds.aws.reset();
  await service.admin_db('scan_runs').update({ bulk_id: null });
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

/** Runs `dpa scans` with these words, and returns what it prints. */
async function scans(...words: string[]): Promise<string> {
  printed.length = 0;
  const program = new Command('dpa').exitOverride();
  declareScans(program);
  await program.parseAsync(['scans', ...words], { from: 'user' });
  return printed.join('');
}

describe('dpa scans', () => {
  test('start --wait shows what was found and what was not read, and exits with 2 if the scan is partial', async () => {
    const denied = fakeFault('access_denied', 'Denied.', { permission: 'kms:ListKeys' });
    service.clouds.aws.account.parts = [
      { part: fakePart('AWS::SQS::Queue'), pages: [[fakeResource('a')]] },
      { part: fakePart('AWS::KMS::Key'), pages: [], ends_with: denied },
    ];
    const text = await scans('start', 'Production', '--wait');

    expect(text).toMatch(/partial +Production +1 +1 /);
    expect(text).toContain('access_denied AWS::KMS::Key in eu-west-1: Denied. Missing permission: kms:ListKeys.');
    expect(process.exitCode).toBe(2);
  });

  test('start without a name scans every account, and a scan that read everything leaves the exit code alone', async () => {
    const started = JSON.parse(await scans('start', '--wait', '--format', 'json')).scans;

    expect(started.map(({ status_kind }: { status_kind: string }) => status_kind)).toEqual(['ok', 'ok']);
    expect(process.exitCode).toBeUndefined();
  });

  test('list filters by account and status, and get shows one', async () => {
    await scans('start', 'Staging', '--region', 'eu-west-1', '--wait');
    const listed = JSON.parse(
      await scans('list', '--account', 'Staging', '--status', 'done', '--format', 'json'),
    ).scans;

    expect(listed.length).toBeGreaterThan(0);
    expect(await scans('get', listed[0].id)).toContain(listed[0].id);
    expect(await scans('list', '--account', 'Staging', '--status', 'error')).toBe('no scans\n');
  });

  test('cancel ends a scan', async () => {
    const accounts = (await owner.get(`/api/v2/orgs/${org_id}/cloud-accounts`)).body.cloud_accounts;
    service.clouds.aws.account.parts = [{ part: fakePart('AWS::SQS::Queue'), pages: [[]] }];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    service.clouds.aws.onPage = () => held;
    const path = `/api/v2/orgs/${org_id}/scans`;
    const { id } = (await owner.post(path, { cloud_account_id: accounts[0].id })).body;

    expect(await scans('cancel', id)).toContain('cancelled: The scan was canceled.');
    await expect(scans('cancel', id)).rejects.toThrow('already ended');
    release();
  });

  test('an unknown account is refused before anything is started', async () => {
    await expect(scans('start', 'Nothing')).rejects.toThrow('"Nothing" is not in the list');
  });
});
