import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { declareAccounts } from '../../cli/src/commands/accounts-arguments.ts';
import { declareResources } from '../../cli/src/commands/resources-arguments.ts';
import { newId } from '../../server/lib/ids.ts';
import { clearInventory, insertResources } from '../helpers/inventory.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

const NAMES = ['DPA_URL', 'DPA_ORG', 'DPA_TOKEN'] as const;

let service: TestService;
let org_id: string;
let cloud_account_id: string;
const printed: string[] = [];
const before = NAMES.map((name) => [name, process.env[name]] as const);

beforeAll(async () => {
  service = await startTestService({ API_URL: 'https://api.example.com', FEDERATION_SUBJECT: 'deployment:test' });
  const owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  const credentials = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'wJalrXUtnFEMI' };
  const account = { provider: 'aws', display_name: 'Production', external_account_id: '123456789012', credentials };
  const path = `/api/v2/orgs/${org_id}`;
  const added = await owner.post(`${path}/cloud-accounts`, { ...account, credential_type: 'aws_access_key' });
  cloud_account_id = added.body.id;
  const scopes = ['inventory:read', 'inventory:write'];
  const { key } = (await owner.post(`${path}/api-keys`, { name: 'cli', scopes })).body;
  Object.assign(process.env, { DPA_URL: service.url, DPA_ORG: org_id, DPA_TOKEN: key });
});
beforeEach(async () => {
  printed.length = 0;
  await clearInventory(service.admin_db);
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

/** Runs `dpa` with these words, and returns what it prints. */
async function dpa(...words: string[]): Promise<string> {
  printed.length = 0;
  const program = new Command('dpa').exitOverride();
  declareAccounts(program);
  declareResources(program, Number);
  await program.parseAsync(words, { from: 'user' });
  return printed.join('');
}

const found = (...rows: Parameters<typeof insertResources>[2]) =>
  insertResources(service.admin_db, { org_id, cloud_account_id }, rows);

test('an empty inventory says where resources come from', async () => {
  expect(await dpa('resources', 'list')).toContain('a scan of a cloud account adds them');
});

test('resources are listed with what was asked for', async () => {
  await found(
    { name: 'logs', provider_resource_id: 'logs', iac_resource_id: 'aws_s3_bucket.logs' },
    { name: 'web\u001b[31m', provider_resource_id: 'web', region: null },
  );

  expect(await dpa('resources', 'list')).toMatch(/AWS::S3::Bucket +eu-west-1 +logs +logs +aws_s3_bucket\.logs\n/);
  const undeclared = await dpa('resources', 'list', '--undeclared', '--account', 'Production', '--search', 'web');
  expect(undeclared).toMatch(/global +web/);
  expect(undeclared).not.toContain('\u001b');
  expect(await dpa('resources', 'list', '--limit', '1')).toContain('1 of 2 resources');
  expect(JSON.parse(await dpa('resources', 'list', '--kind', 'storage', '--format', 'json'))).toMatchObject({
    total: 2,
    truncated: false,
  });
  await expect(dpa('resources', 'list', '--account', 'nobody')).rejects.toThrow('is not in the list');
});

test('a resource is shown, and its properties if they are asked for', async () => {
  const [id = ''] = await found({ provider_resource_id: 'logs' });
  service.clouds.aws.properties = { BucketName: 'logs-of-acme' };

  expect(await dpa('resources', 'get', id)).toContain('provider_resource_id: logs\n');
  expect(service.clouds.aws.reads).toEqual([]);
  expect(await dpa('resources', 'get', id, '--properties')).toContain('"BucketName": "logs-of-acme"');
});

test('the coverage of an account shows what was not read, and why', async () => {
  expect(await dpa('accounts', 'coverage', 'Production')).toBe('the account was not scanned yet\n');
  const part = { org_id, cloud_account_id, service: 'cloudcontrolapi', region: 'eu-west-1', tried_by: newId() };
  const at = { tried_at: new Date(), checked_at: new Date(), resource_count: 3 };
  await service.admin_db('inventory_parts').insert([
    { ...part, ...at, part_key: 'a', provider_type: 'AWS::S3::Bucket' },
    { ...part, ...at, part_key: 'b', provider_type: 'AWS::SQS::Queue', code: 'access_denied', message: 'Grant it.' },
  ]);

  const text = await dpa('accounts', 'coverage', 'Production');

  expect(text).toContain('the last scan read 1 of 2 parts of the account\n');
  expect(text).toMatch(/AWS::SQS::Queue .*access_denied: Grant it\./);
  expect(text).not.toContain('AWS::S3::Bucket');
  expect(process.exitCode).toBe(2);
  expect(await dpa('accounts', 'coverage', 'Production', '--all')).toContain('AWS::S3::Bucket');
});
