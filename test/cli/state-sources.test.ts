import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { declareStateSources } from '../../cli/src/commands/state-sources-arguments.ts';
import { NotFound } from '../../server/lib/errors.ts';
import { createFakeStateBackend } from '../fakes/state-backend.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

const NAMES = ['DPA_URL', 'DPA_ORG', 'DPA_TOKEN'] as const;
const TOKEN = 'atlasv1-canary-token';
const ACCOUNT = '019b7a10-0000-7000-8000-0000000000aa';
const state = (serial: number, type = 'aws_sqs_queue') =>
  JSON.stringify({
    version: 4,
    terraform_version: '1.11.0',
    serial,
    lineage: 'a',
    outputs: {},
    resources: [
      {
        mode: 'managed',
        type,
        name: 'q',
        provider: 'provider["registry.terraform.io/hashicorp/aws"]',
        instances: [{ schema_version: 0, attributes: { id: 'q', name: 'q'.repeat(30_000) } }],
      },
    ],
  });

const states = createFakeStateBackend();
let service: TestService;
let folder: string;
const printed: string[] = [];
const before = NAMES.map((name) => [name, process.env[name]] as const);

beforeAll(async () => {
  const accounts = {
    async openAccount(_org_id: string, id: string) {
      if (id !== ACCOUNT) throw new NotFound();
      const credentials = { credential_type: 'aws_access_key', access_key_id: 'x', secret_access_key: 'x' } as const;
      return { provider: 'aws' as const, credentials, token_subject: '', enabled: true };
    },
    findOnlyAccount: async () => ACCOUNT,
  };
  const adapters = { stateBackend: states.backend, accounts: accounts as never };
  [service, folder] = await Promise.all([
    startTestService({}, 'all', { adapters }),
    mkdtemp(join(tmpdir(), 'dpa-states-')),
  ]);
  const owner = await service.signIn('owner');
  const { id } = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body;
  await service.admin_db('orgs').where({ id }).update({ plan: 'team' });
  const scopes = ['state:read', 'state:write'];
  const { key } = (await owner.post(`/api/v2/orgs/${id}/api-keys`, { name: 'cli', scopes })).body;
  Object.assign(process.env, { DPA_URL: service.url, DPA_ORG: id, DPA_TOKEN: key });
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
  await Promise.all([service.close(), rm(folder, { recursive: true })]);
});

/** Runs `dpa state` with these words, and returns what it prints. */
async function run(...words: string[]): Promise<string> {
  printed.length = 0;
  const program = new Command('dpa').exitOverride().configureOutput({ writeErr: () => {} });
  declareStateSources(program.command('state'));
  await program.parseAsync(['state', ...words], { from: 'user' });
  return printed.join('');
}
const sources = (...words: string[]) => run('sources', ...words);
const globs = (...words: string[]) => run('globs', ...words);

async function write(name: string, content: object | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('dpa state sources', () => {
  test('an empty list says how to begin', async () => {
    expect(await sources('list')).toBe('no state sources; run `dpa state sources add` to register one\n');
  });

  test('add reads the location from a file, and prints no token', async () => {
    const config = await write('tfc.json', { workspace: 'acme/shop', token: TOKEN });

    const added = await sources('add', 'Shop', '--kind', 'tfc', '--config', config);

    expect(added).toMatch(/\nnew {5}tfc {3}Shop {2}acme\/shop {2}-\n/);
    expect(added + (await sources('list'))).not.toContain('canary');
  });

  test('add needs a location, except for an upload', async () => {
    await expect(sources('add', 'x', '--kind', 's3')).rejects.toThrow('the kind s3 needs --config');
    const broken = await write('broken.json', `{"token": "${TOKEN}"`);
    const reading = sources('add', 'x', '--kind', 'tfc', '--config', broken);
    await expect(reading).rejects.toThrow(/broken\.json: expected a JSON object such as/);
    await expect(reading).rejects.not.toThrow('canary');
    expect(await sources('add', 'Pipeline', '--kind', 'upload')).toContain('new     upload  Pipeline');
  });

  test('refresh says whether the content is new', async () => {
    states.states.set('tfc:/acme/shop', state(1));

    expect(await sources('refresh', 'Shop')).toBe('Shop: new content, 1 resources\n');
    expect(await sources('refresh', 'Shop')).toBe('Shop: unchanged, 1 resources\n');
    expect(process.exitCode).toBeUndefined();
  });

  test('a source that cannot be fetched does not stop the others, and the exit code is 2', async () => {
    const gone = await write('gone.json', { workspace: 'acme/gone', token: TOKEN });
    await sources('add', 'Gone', '--kind', 'tfc', '--config', gone);

    const text = await sources('refresh', 'Gone', 'Shop');

    expect(text).toMatch(/^Gone: not fetched: .*the state does not exist.*\nShop: unchanged, 1 resources\n$/);
    expect(process.exitCode).toBe(2);
    expect(await sources('list', '--kind', 'tfc')).toMatch(/\nmissing {2}tfc {3}Gone .*the state does not exist/);
  });

  test('upload sends the file unchanged, also when it is compressed on the way', async () => {
    const text = state(7).replace('"serial"', '  "serial"');
    const path = await write('state.json', text);

    const stored = JSON.parse(await sources('upload', 'Pipeline', path, '--format', 'json'));
    expect(stored).toMatchObject({
      content_hash: createHash('sha256').update(text).digest('hex'),
      refreshed: true,
      resource_count: 1,
    });
    expect(await sources('upload', 'Pipeline', path)).toBe('Pipeline: unchanged, 1 resources\n');
    const plan = await write('plan.json', '{"format_version":"1.2","resource_changes":[]}');
    await expect(sources('upload', 'Pipeline', plan)).rejects.toThrow(/plan/);
    await expect(sources('upload', 'Shop', path)).rejects.toThrow(/upload/);
    await expect(sources('upload', 'Pipeline', join(folder, 'none'))).rejects.toThrow(/the file does not exist/);
  });

  test('remove deletes nothing if one of the names is not listed', async () => {
    await expect(sources('remove', 'Shop', 'Other')).rejects.toThrow('"Other" is not in the list: run `dpa state');
    expect(JSON.parse(await sources('list', '--format', 'json')).state_sources).toHaveLength(3);

    expect(await sources('remove', 'Shop', 'Gone', 'Pipeline')).toBe(
      'Shop is deleted\nGone is deleted\nPipeline is deleted\n',
    );
    expect(JSON.parse(await sources('list', '--format', 'json')).state_sources).toEqual([]);
  });
});

describe('dpa state globs', () => {
  const ADDRESS = ['s3://acme-states/prod/', '--account', ACCOUNT, '--region', 'eu-west-1'];

  test('add registers all states below a prefix, after a preview', async () => {
    for (const key of ['prod/a.tfstate', 'prod/b.tfstate']) states.states.set(`s3:acme-states/${key}`, state(1));
    expect(await globs('list')).toMatch(/^no globs;/);

    expect(await globs('add', 'Production', ...ADDRESS, '--preview')).toBe('2 states found, 2 would be registered\n');
    expect(await globs('add', 'Production', ...ADDRESS)).toBe('2 states registered\n');
    expect(await globs('list')).toMatch(/Production {2}s3:\/\/acme-states\/prod\/ {2}2 /);
    expect(await sources('list', '--kind', 's3')).toContain('s3://acme-states/prod/a.tfstate');
  });

  test('rescan registers what is new, and refresh fetches everything', async () => {
    states.states.set('s3:acme-states/prod/c.tfstate', state(1));

    expect(await globs('rescan', 'Production')).toBe('1 new states registered, 3 found\n');
    expect(await globs('refresh', 'Production')).toBe('3 states are fetched in the background\n');
  });

  test.each(['prod/', 's3://', 'ftp://x/y', 'azure://account'])('%s is not an address', async (address) => {
    await expect(globs('add', 'x', address, '--account', ACCOUNT)).rejects.toThrow('is not the address of a bucket');
  });

  test('remove deletes the glob and its sources', async () => {
    expect(await globs('remove', 'Production')).toBe('Production and its 3 sources are deleted\n');
    expect(JSON.parse(await sources('list', '--format', 'json')).state_sources).toEqual([]);
    await expect(globs('rescan', 'Production')).rejects.toThrow('"Production" is not in the list');
  });
});
