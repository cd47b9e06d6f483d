import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { recordAccount, withRecordedAccounts } from '../../../../server/adapters/cloud/recorded/index.ts';
import {
  type CloudAdapter,
  type CloudCredentials,
  CloudError,
  type CloudProvider,
  type CloudSession,
} from '../../../../server/adapters/cloud/types.ts';
import { packageRoot } from '../../../../server/lib/package-root.ts';
import { createVirtualTime } from '../../../fakes/cloud/virtual-time.ts';
import { type FakeAccount, startFakeAccount } from '../aws/account.ts';
import { findFault, never, readPart } from '../reading.ts';

const BUNDLED = join(packageRoot(), 'recorded-accounts');

/** A cloud that must not be asked. */
function createUnreachable(provider: CloudProvider): CloudAdapter {
  return {
    provider,
    calls: [],
    open: () => {
      throw new Error('the real cloud was opened');
    },
  };
}

function open(
  provider: CloudProvider,
  credentials: CloudCredentials,
  folder: string | null = BUNDLED,
  regions: readonly string[] = [],
): CloudSession {
  const adapter = withRecordedAccounts(createUnreachable(provider), {
    folder,
    throttle: { ...createVirtualTime(), random: () => 0.5 },
  });
  return adapter.open({ provider, external_account_id: '', credentials, regions, token_subject: '' });
}

const SHOP: Record<CloudProvider, CloudCredentials> = {
  aws: { credential_type: 'aws_role', role_arn: 'fixture://shop', external_id: '' },
  gcp: { credential_type: 'gcp_workload_identity', audience: 'fixture://shop', service_account_email: '' },
  azure: { credential_type: 'azure_federated', tenant_id: '', client_id: 'fixture://shop' },
};

async function readParts(session: CloudSession) {
  const { parts } = await session.outline(never);
  const reads = await Promise.allSettled(parts.map((part) => readPart(session, part)));
  return reads.map((read, i) => ({ part: parts[i], read }));
}

describe('the bundled account', () => {
  test('has about 400 resources in three clouds, each once', async () => {
    const ids: string[] = [];
    for (const provider of ['aws', 'gcp', 'azure'] as const) {
      for (const { read } of await readParts(open(provider, SHOP[provider]))) {
        if (read.status === 'fulfilled')
          ids.push(...read.value.resources.map((one) => `${one.region} ${one.provider_resource_id}`));
      }
    }

    expect(ids.length).toBeGreaterThan(350);
    expect(ids.length).toBeLessThan(450);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has a part that may not be read', async () => {
    const failed = (await readParts(open('aws', SHOP.aws))).filter(({ read }) => read.status === 'rejected');

    expect(failed.map(({ part }) => part?.key)).toEqual(['cloudcontrolapi/eu-west-1/AWS::KMS::Key']);
  });

  test('is found by the key file of a Google service account that names it', async () => {
    const service_account_json = JSON.stringify({ type: 'service_account', private_key_id: 'fixture://shop' });
    const session = open('gcp', { credential_type: 'gcp_service_account_key', service_account_json });

    expect((await session.identify(never)).external_account_id).toBe('acme-shop-4711');
  });

  test('reads only the regions of the target and what is in no region', async () => {
    const { parts } = await open('aws', SHOP.aws, BUNDLED, ['us-east-1']).outline(never);

    expect(new Set(parts.map(({ region }) => region))).toEqual(new Set([null, 'us-east-1']));
  });

  test('cannot be opened while recorded accounts are turned off', () => {
    expect(() => open('aws', SHOP.aws, null)).toThrow('RECORDED_ACCOUNTS');
  });

  test('says who it is, and what the credential may do', async () => {
    const session = open('gcp', SHOP.gcp);

    expect((await session.identify(never)).external_account_id).toBe('acme-shop-4711');
    expect((await session.checkPermissions(never))[0]).toMatchObject({ granted: true });
  });

  test('shows the properties of a resource', async () => {
    const read = (provider_resource_id: string) =>
      open('aws', SHOP.aws).readResource?.(
        { provider_type: 'AWS::S3::Bucket', provider_resource_id, region: null },
        never,
      );

    expect(await read('acme-press-kit')).toMatchObject({
      PublicAccessBlockConfiguration: { BlockPublicPolicy: false },
    });
    expect(await read('acme-nothing')).toBeNull();
  });
});

test('a credential of a real account is not recorded', () => {
  expect(() => open('aws', { credential_type: 'aws_web_identity', role_arn: 'arn:aws:iam::1:role/x' })).toThrow(
    'the real cloud',
  );
});

test.each(['fixture://../shop', 'fixture://', 'fixture://a/b', 'fixture://Shop', 'fixture://.'])(
  '%s leads nowhere',
  (role_arn) => {
    expect(() => open('aws', { credential_type: 'aws_web_identity', role_arn })).toThrow(CloudError);
  },
);

test('a name without a folder is a credential error', async () => {
  const session = open('aws', { credential_type: 'aws_web_identity', role_arn: 'fixture://missing' });

  expect((await findFault(session.identify(never))).code).toBe('credential_error');
});

describe('a recording', () => {
  let account: FakeAccount;
  let folder: string;

  beforeEach(async () => {
    account = await startFakeAccount();
    folder = await mkdtemp(join(tmpdir(), 'dpa-recorded-'));
    await mkdir(join(folder, 'mine'));
    account.aws.state.resources = Array.from({ length: 45 }, (_, i) => ({
      type: 'AWS::SQS::Queue',
      region: 'eu-west-1',
      identifier: `q${i}`,
      properties: { QueueName: `q${i}`, Description: 'password=hunter2-canary-77' },
    }));
    account.aws.state.denied.set('AWS::SNS::Topic', 'sns:ListTopics');
  });

  afterEach(async () => {
    await account.aws.close();
    await rm(folder, { recursive: true });
  });

  /** The account with few of its parts, because an outline has hundreds. */
  function openPart(): CloudSession {
    const session = account.open();
    const isKept = (type: string | null) => type === 'AWS::SQS::Queue' || type === 'AWS::SNS::Topic';
    return {
      ...session,
      async outline(signal) {
        const { parts, unchecked } = await session.outline(signal);
        return { unchecked, parts: parts.filter(({ provider_type }) => isKept(provider_type)) };
      },
    };
  }

  const record = () =>
    recordAccount(openPart(), {
      provider: 'aws',
      external_account_id: '123456789012',
      folder: join(folder, 'mine', 'aws'),
      signal: never,
    });
  const reopen = () => open('aws', { credential_type: 'aws_web_identity', role_arn: 'fixture://mine' }, folder);

  test('is read like the account, with its denials', async () => {
    const { resources, faults } = await record();

    const session = reopen();
    const { parts, unchecked } = await session.outline(never);
    const find = (type: string) => parts.find((one) => one.provider_type === type && one.region === 'eu-west-1');
    const queues = await readPart(session, find('AWS::SQS::Queue')!);
    const fault = await findFault(session.readPage(find('AWS::SNS::Topic')!, null, never));

    expect([resources, faults]).toEqual([45, 1]);
    expect([queues.resources.length, queues.page_count]).toEqual([45, 3]);
    expect(fault).toMatchObject({ code: 'access_denied', permission: 'sns:ListTopics' });
    expect(unchecked).toEqual((await account.open().outline(never)).unchecked);
  });

  test('contains no secret and no credential, and its folder is not overwritten', async () => {
    await record();

    const files = await readdir(join(folder, 'mine', 'aws'), { recursive: true });
    const texts = await Promise.all(
      files.filter((name) => name.endsWith('.json')).map((name) => readFile(join(folder, 'mine', 'aws', name), 'utf8')),
    );
    expect(texts.join()).not.toMatch(/canary|AKIA/);
    await expect(record()).rejects.toMatchObject({ code: 'EEXIST' });
  });

  test('of another version is not read', async () => {
    await record();
    const path = join(folder, 'mine', 'aws', 'account.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"format": 1', '"format": 2'));

    expect((await findFault(reopen().identify(never))).code).toBe('parse_error');
  });
});
