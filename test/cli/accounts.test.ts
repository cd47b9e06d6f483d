import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { declareAccounts } from '../../cli/src/commands/accounts-arguments.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

const NAMES = ['DPA_URL', 'DPA_ORG', 'DPA_TOKEN'] as const;
const SETTINGS = {
  API_URL: 'https://api.example.com',
  FEDERATION_SUBJECT: 'deployment:test',
  FEDERATION_AWS_PRINCIPAL_ARN: 'arn:aws:iam::999999999999:role/scanner',
  FEDERATION_AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  FEDERATION_AWS_SECRET_ACCESS_KEY: 'not-a-secret',
};
const ROLE_ARN = 'arn:aws:iam::123456789012:role/dpa';
const SECRET = 'wJalrXUtnFEMI';

let service: TestService;
let folder: string;
const printed: string[] = [];
const before = NAMES.map((name) => [name, process.env[name]] as const);

beforeAll(async () => {
  [service, folder] = await Promise.all([startTestService(SETTINGS), mkdtemp(join(tmpdir(), 'dpa-accounts-'))]);
  const owner = await service.signIn('owner');
  const { id } = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body;
  await service.admin_db('orgs').where({ id }).update({ plan: 'team' });
  const scopes = ['inventory:read', 'inventory:write'];
  const { key } = (await owner.post(`/api/v2/orgs/${id}/api-keys`, { name: 'cli', scopes })).body;
  Object.assign(process.env, { DPA_URL: service.url, DPA_ORG: id, DPA_TOKEN: key });
});
beforeEach(() => {
  printed.length = 0;
  for (const cloud of Object.values(service.clouds)) cloud.reset();
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
  await Promise.all([service.close(), rm(folder, { recursive: true })]);
});

/** Runs `dpa accounts` with these words, and returns what it prints. */
async function accounts(...words: string[]): Promise<string> {
  printed.length = 0;
  const program = new Command('dpa').exitOverride();
  declareAccounts(program);
  await program.parseAsync(['accounts', ...words], { from: 'user' });
  return printed.join('');
}

async function writeCredentials(name: string, content: object | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('dpa accounts', () => {
  test('setup shows what to create, and says which clouds there are', async () => {
    expect(await accounts('list')).toBe('no cloud accounts; run `dpa accounts setup <provider>` to begin\n');
    const text = await accounts('setup', 'aws');
    expect(text).toContain(`principal_arn: ${SETTINGS.FEDERATION_AWS_PRINCIPAL_ARN}\n`);
    expect(text).toMatch(/external_id: [0-9a-f-]{36}\n/);
    expect(JSON.parse(await accounts('setup', 'azure', '--format', 'json')).azure.role).toBe('Reader');
    await expect(accounts('setup', 'oci')).rejects.toThrow('"oci" is not a cloud: use aws, gcp or azure');
  });

  test('add reads the credentials from a file, and prints none of them', async () => {
    const role = await writeCredentials('role.json', { role_arn: ROLE_ARN });
    const type = ['--type', 'aws_role', '--credentials', role];
    const added = await accounts('add', '123456789012', '--name', 'Production', ...type, '--region', 'eu-west-1');

    expect(added).toMatch(/\nactive {2}aws {4}123456789012 {2}Production {2}aws_role dpa {2}0 /);
    expect(added).not.toContain(ROLE_ARN);
    await expect(accounts('add', '123456789012', '--name', 'Again', ...type)).rejects.toThrow(/already has the aws/);
  });

  test('the key file of Google Cloud is sent as it is', async () => {
    const key = {
      type: 'service_account',
      project_id: 'acme-prod-123456',
      private_key: '-----BEGIN PRIVATE KEY-----\nMIIEv\n-----END PRIVATE KEY-----\n',
      client_email: 'dpa@acme-prod-123456.iam.gserviceaccount.com',
    };
    const path = await writeCredentials('key.json', key);
    const type = ['--type', 'gcp_service_account_key', '--credentials', path];

    expect(await accounts('add', 'acme-prod-123456', '--name', 'Google', ...type)).toContain('gcp_service_account_key');
    const [opened] = service.clouds.gcp.opened.map(({ credentials }) => credentials);
    expect(opened?.credential_type === 'gcp_service_account_key' && JSON.parse(opened.service_account_json)).toEqual(
      key,
    );
  });

  test('a file without usable JSON is reported without its content', async () => {
    const path = await writeCredentials('broken.json', `secret ${SECRET}`);
    const add = (file: string) =>
      accounts('add', '210987654321', '--name', 'x', '--type', 'aws_access_key', '--credentials', file);

    await expect(add(path)).rejects.toThrow(/broken\.json: expected a JSON object/);
    await expect(add(path)).rejects.not.toThrow(SECRET);
    await expect(add(join(folder, 'none.json'))).rejects.toThrow(/the file does not exist/);
  });

  test('rotate replaces the credentials, also with those of another type', async () => {
    const key = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: SECRET };
    const path = await writeCredentials('access-key.json', key);

    const changed = await accounts('rotate', 'Production', '--type', 'aws_access_key', '--credentials', path);

    expect(changed).toContain('aws_access_key MPLE');
    expect(changed).not.toContain(SECRET);
  });

  test('validate names missing permissions and rejected credentials, and exits with 2', async () => {
    expect(await accounts('validate', '123456789012')).toMatch(/^123456789012 {2}Production\n {2}works as arn:aws:iam/);
    expect(process.exitCode).toBeUndefined();

    service.clouds.aws.denied.add('inventory:GetResource');
    const missing = await accounts('validate', 'Production');
    expect([missing, process.exitCode]).toEqual([expect.stringContaining('missing: inventory:GetResource'), 2]);

    service.clouds.aws.fail('credential_error', 'the access key is disabled');
    expect(await accounts('validate', 'Production')).toContain('rejected: the access key is disabled');
    expect(await accounts('list', '--provider', 'aws')).toMatch(/\ninvalid .* the access key is disabled\n$/);
  });

  test('if one of several names is not listed, nothing is deleted', async () => {
    await expect(accounts('remove', 'Production', 'Staging')).rejects.toThrow('"Staging" is not in the list');
    expect(JSON.parse(await accounts('list', '--format', 'json')).cloud_accounts).toHaveLength(2);
  });

  test('remove deletes accounts by name or account', async () => {
    expect(await accounts('remove', 'Production', 'acme-prod-123456')).toBe(
      '123456789012 is deleted and its credentials are erased\n' +
        'acme-prod-123456 is deleted and its credentials are erased\n',
    );
    expect(JSON.parse(await accounts('list', '--format', 'json')).cloud_accounts).toEqual([]);
  });
});
