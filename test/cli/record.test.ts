import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { type RecordCommandOptions, record } from '../../cli/src/service/record.ts';
import { declareServiceCommands } from '../../cli/src/service-commands.ts';
import { createAwsAdapter } from '../../server/adapters/cloud/aws/index.ts';
import { withRecordedAccounts } from '../../server/adapters/cloud/recorded/index.ts';
import type { CloudAdapter, CloudSession } from '../../server/adapters/cloud/types.ts';
import { createGuardedFetch } from '../../server/adapters/egress/index.ts';
import { connectAzure, storage } from '../adapters/cloud/azure/setup.ts';
import { bucket, connectGcp } from '../adapters/cloud/gcp/setup.ts';
import { findFault, never } from '../adapters/cloud/reading.ts';
import { type FakeAws, startFakeAws } from '../fakes/cloud/aws/server.ts';
import { type FakeAzure, SUBSCRIPTION_ID, startAzure, TENANT_ID } from '../fakes/cloud/azure/index.ts';
import { type FakeGoogle, PROJECT_ID, startGoogle } from '../fakes/cloud/gcp/index.ts';
import { createVirtualTime } from '../fakes/cloud/virtual-time.ts';

type Provider = RecordCommandOptions['provider'];

const AWS_ACCOUNT = '123456789012';
const KEY_ID = 'AKIACUSTOMER00000001';
const ACCOUNTS: Record<Provider, string> = { aws: AWS_ACCOUNT, gcp: PROJECT_ID, azure: SUBSCRIPTION_ID };
const MARK = 'canary';
const letters = (length: number) => MARK.padEnd(length, 'x7B');

/** Texts that their format marks as secret, wherever they stand. */
const FORMATS: Record<string, string> = {
  aws_key: `AKIA${letters(16).toUpperCase()}`,
  google_key: `AIza${letters(35)}`,
  google_secret: `GOCSPX-${letters(28)}`,
  entra_secret: `abc8Q~${letters(34)}`,
  github: `ghp_${letters(36)}`,
  gitlab: `glpat-${letters(20)}`,
  slack: `xoxb-${letters(30)}`,
  stripe: `sk_live_${letters(24)}`,
  vault: `hvs.${letters(24)}`,
  terraform: `${letters(14)}.atlasv1.${letters(64)}`,
  pem: `-----BEGIN PRIVATE KEY-----\n${letters(64)}\n-----END PRIVATE KEY-----`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(`{"a":"${MARK}"}`).toString('base64url')}.${letters(43)}`,
  url: `postgres://app:${letters(12)}@db.example.com/app`,
  azure_storage: `DefaultEndpointsProtocol=https;AccountKey=${letters(64)};EndpointSuffix=core.windows.net`,
  shared_link: `https://x.blob.core.windows.net/c?sv=1&sig=${letters(43)}`,
  connection: `Server=db;User Id=app;Password=${letters(12)};`,
};
/** Names that mark any value as secret. */
const NAMES = ['password', 'DbPasswd', 'client_secret', 'authToken', 'private_key', 'connection_string', 'apiKey'];
const NAMED = Object.fromEntries([...NAMES, 'credential'].map((name) => [name, `${MARK} in plain words`]));

/** Properties of a resource with a secret of every form, in every kind of place. */
const SECRETS = {
  ...FORMATS,
  ...NAMED,
  nested: { list: Object.values(FORMATS), deeper: [NAMED] },
  json: JSON.stringify({ environment: [{ name: 'MODE', value: MARK }], ...NAMED }),
  UserData: Buffer.from(`#!/bin/sh\necho ${MARK}`).toString('base64'),
  Environment: { Variables: { MODE: MARK } },
};
const UPPER = MARK.toUpperCase();
const CANARIES = [MARK, UPPER, KEY_ID, 'BEGIN PRIVATE KEY', SECRETS.UserData, FORMATS['jwt']!.split('.')[1]!];

let aws: FakeAws;
let google: FakeGoogle;
let azure: FakeAzure;
let root: string;
let printed: string[];
const VARIABLES = [
  'AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN GOOGLE_APPLICATION_CREDENTIALS',
  'AZURE_TENANT_ID AZURE_CLIENT_ID AZURE_CLIENT_SECRET',
].flatMap((names) => names.split(' '));
const before = VARIABLES.map((name) => [name, process.env[name]] as const);

beforeEach(async () => {
  [aws, google, azure] = await Promise.all([startFakeAws(), startGoogle(), startAzure()]);
  root = await mkdtemp(join(tmpdir(), 'dpa-record-'));
  await mkdir(join(root, 'mine'));
  await writeFile(join(root, 'key.json'), google.keyFile());
  for (const name of VARIABLES) delete process.env[name];
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: KEY_ID,
    AWS_SECRET_ACCESS_KEY: `secret-${MARK}`,
    GOOGLE_APPLICATION_CREDENTIALS: join(root, 'key.json'),
    AZURE_TENANT_ID: TENANT_ID,
    AZURE_CLIENT_ID: azure.application.client_id,
    AZURE_CLIENT_SECRET: azure.application.client_secret,
  });
  printed = [];
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  fill();
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await Promise.all([aws.close(), google.close(), azure.close(), rm(root, { recursive: true })]);
});

/** Each account has several pages, secrets in its resources, and something that the credential may not read. */
function fill(): void {
  aws.state.resources = Array.from({ length: 25 }, (_, i) => ({
    type: 'AWS::SQS::Queue',
    region: 'eu-west-1',
    identifier: i === 0 ? `https://q/${FORMATS['github']}` : `https://q/${i}`,
    properties: { QueueName: i === 1 ? FORMATS['gitlab'] : `q${i}`, ...SECRETS },
  }));
  aws.state.denied.set('AWS::SNS::Topic', 'sns:ListTopics');
  google.resources.push(
    ...Array.from({ length: 600 }, (_, i) =>
      i % 300 === 0
        ? bucket(`bucket-${i}`, {
            labels: FORMATS,
            versionedResources: [{ version: 'v1', resource: { id: `bucket-${i}`, ...SECRETS } }],
          })
        : bucket(`bucket-${i}`),
    ),
  );
  azure.tables.resources!.push(
    ...Array.from({ length: 1_100 }, (_, i) =>
      storage(`shop${i}`, i % 500 === 0 ? { properties: SECRETS, tags: FORMATS } : {}),
    ),
  );
}

async function openAdapter(provider: Provider): Promise<CloudAdapter> {
  if (provider === 'gcp') return connectGcp(google);
  if (provider === 'azure') return connectAzure(azure);
  return createAwsAdapter({
    fetch: createGuardedFetch({ allowed_hosts: [new URL(aws.url).host] }),
    signToken: async () => '',
    own_keys: null,
    findEndpoint: aws.findEndpoint,
    throttle: { ...createVirtualTime(), random: () => 0.5 },
  });
}

const run = (provider: Provider, folder = join(root, 'mine', provider), account = ACCOUNTS[provider]) =>
  record(folder, { provider, account, region: provider === 'aws' ? ['eu-west-1'] : [] }, { openAdapter });

async function replay(provider: Provider): Promise<CloudSession> {
  const adapter = withRecordedAccounts(await openAdapter(provider), {
    folder: root,
    throttle: { ...createVirtualTime(), random: () => 0.5 },
  });
  const credentials = { credential_type: 'aws_web_identity', role_arn: 'fixture://mine' } as const;
  return adapter.open({ provider, external_account_id: '', credentials, regions: [], token_subject: '' });
}

/** IDs by page, and the fault at the end, of each part that has any. */
async function readParts(session: CloudSession) {
  const { parts } = await session.outline(never);
  const read = new Map<string, unknown>();
  for (const part of parts) {
    const pages: string[][] = [];
    let cursor: string | null = null;
    try {
      do {
        const page = await session.readPage(part, cursor, never);
        if (page.resources.length > 0) pages.push(page.resources.map((one) => one.provider_resource_id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      if (pages.length > 0) read.set(part.key, pages);
    } catch {
      read.set(part.key, [pages, await findFault(session.readPage(part, cursor, never))]);
    }
  }
  return read;
}

async function readFiles(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const texts = names.filter((name) => name.endsWith('.json')).map((name) => readFile(join(folder, name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

describe.each(['aws', 'gcp', 'azure'] as const)('dpa record of %s', (provider) => {
  test('writes no secret of any form, and no credential', async () => {
    await run(provider);

    const text = await readFiles(join(root, 'mine', provider));
    expect(text).toContain('[redacted]');
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
  });

  test('is replayed with the pages and faults of the account', async () => {
    aws.state.resources[0]!.identifier = 'https://q/0';
    const session = (await openAdapter(provider)).open({
      provider,
      external_account_id: ACCOUNTS[provider],
      credentials: {
        aws: { credential_type: 'aws_access_key', access_key_id: KEY_ID, secret_access_key: 'x' },
        gcp: { credential_type: 'gcp_service_account_key', service_account_json: google.keyFile() },
        azure: {
          credential_type: 'azure_client_secret',
          tenant_id: TENANT_ID,
          client_id: azure.application.client_id,
          client_secret: azure.application.client_secret,
        },
      }[provider] as never,
      regions: provider === 'aws' ? ['eu-west-1'] : [],
      token_subject: '',
    });
    await run(provider);

    const replayed = await replay(provider);
    expect(await replayed.identify(never)).toEqual(await session.identify(never));
    expect(await replayed.checkPermissions(never)).toEqual(await session.checkPermissions(never));
    expect(await replayed.outline(never)).toEqual(await session.outline(never));
    expect(await readParts(replayed)).toEqual(await readParts(session));
  });

  test('says what to check before sharing, and only its owner can read the folder', async () => {
    await run(provider);

    expect(printed.join('')).toMatch(/Recorded [1-9]\d* resources[\s\S]*Check these before you share the folder/);
    expect((await stat(join(root, 'mine', provider))).mode & 0o777).toBe(0o700);
    expect((await stat(join(root, 'mine', provider, 'account.json'))).mode & 0o777).toBe(0o600);
  });
});

test('a replay takes as long for each request as the cloud took', async () => {
  await run('gcp');
  const path = join(root, 'mine', 'gcp', 'account.json');
  const account = JSON.parse(await readFile(path, 'utf8'));
  for (const part of account.parts) Object.assign(part, { latency_ms: 1_234 });
  await writeFile(path, JSON.stringify(account));
  const waits: number[] = [];
  const adapter = withRecordedAccounts(connectGcp(google), {
    folder: root,
    throttle: { sleep: async (ms) => void waits.push(ms) },
  });
  const credentials = { credential_type: 'aws_web_identity', role_arn: 'fixture://mine' } as const;

  await readParts(
    adapter.open({ provider: 'gcp', external_account_id: '', credentials, regions: [], token_subject: '' }),
  );

  expect(waits).toEqual([1_234, 1_234]);
});

describe('dpa record refuses', () => {
  test('to overwrite a folder, a file or a link, before it asks the cloud', async () => {
    await mkdir(join(root, 'folder'));
    await writeFile(join(root, 'file'), 'mine');
    await symlink(join(root, 'nowhere'), join(root, 'link'));

    for (const name of ['folder', 'file', 'link']) {
      await expect(run('aws', join(root, name))).rejects.toThrow(`${join(root, name)} already exists: name a folder`);
    }
    expect(aws.calls).toEqual([]);
    expect((await readdir(root)).sort()).toEqual(['file', 'folder', 'key.json', 'link', 'mine']);
  });

  test('to write into a folder that does not exist', async () => {
    await expect(run('aws', join(root, 'no', 'such'))).rejects.toThrow('no does not exist: create it first');
  });

  test('the credential of another account, and writes nothing', async () => {
    await expect(run('aws', undefined, '999999999999')).rejects.toThrow(
      'The credential belongs to the account 123456789012, not to 999999999999',
    );
    expect(await readdir(join(root, 'mine'))).toEqual([]);
  });

  test('a rejected credential, and writes nothing', async () => {
    aws.state.keys.clear();

    await expect(run('aws')).rejects.toThrow(/[Cc]redential/);
    expect(await readdir(join(root, 'mine'))).toEqual([]);
  });

  test.each([
    ['aws', 'AWS_SECRET_ACCESS_KEY'],
    ['gcp', 'GOOGLE_APPLICATION_CREDENTIALS'],
    ['azure', 'AZURE_CLIENT_SECRET'],
  ] as const)('to start for %s without %s', async (provider, name) => {
    delete process.env[name];

    await expect(run(provider)).rejects.toThrow(`${name} is not set`);
  });

  test('a key file that does not exist', async () => {
    process.env['GOOGLE_APPLICATION_CREDENTIALS'] = join(root, 'gone.json');

    await expect(run('gcp')).rejects.toThrow('gone.json in GOOGLE_APPLICATION_CREDENTIALS cannot be read');
  });
});

test('a recording that breaks off says that the folder is incomplete', async () => {
  const adapter = connectGcp(google);
  const broken: CloudAdapter = {
    ...adapter,
    open(target) {
      const session = adapter.open(target);
      return { ...session, readPage: () => Promise.reject(new Error('the disk is full')) };
    },
  };
  const folder = join(root, 'mine', 'gcp');
  const options = { provider: 'gcp', account: PROJECT_ID, region: [] } as const;

  await expect(record(folder, { ...options, region: [] }, { openAdapter: async () => broken })).rejects.toThrow(
    `the disk is full\n${folder} is incomplete: delete it`,
  );
  expect(await readdir(folder)).toEqual(['pages']);
});

test('missing permissions are named, because their resources are missing', async () => {
  google.permissions.delete('cloudasset.assets.searchAllResources');

  await run('gcp');

  expect(printed.join('')).toContain('resources are missing: cloudasset.assets.searchAllResources');
});

test('the help names the variables of each cloud and what to check', () => {
  const program = new Command('dpa');
  declareServiceCommands({ program, audit: new Command('audit'), keys: new Command('keys') }, Number);
  const help: string[] = [];
  const command = program.commands.find((one) => one.name() === 'record')!;
  command.configureOutput({ writeOut: (text) => void help.push(text) });

  command.outputHelp();

  for (const name of VARIABLES) expect(help.join('')).toContain(name);
  expect(help.join('')).toMatch(/read the files\s+before you share them/);
});
