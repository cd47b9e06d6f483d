import { describe, expect, test } from '@jest/globals';
import { createEgress } from '../../../server/adapters/egress/index.ts';
import { createLocationCheck } from '../../../server/adapters/state-backend/index.ts';
import { findRefusedFolderName } from '../../../server/adapters/state-backend/names.ts';
import type { StateLocation } from '../../../server/adapters/state-backend/types.ts';

const assertAllowed = createLocationCheck(createEgress({ allowed_hosts: ['tfe.corp.internal'] }));

function findError(location: StateLocation): string {
  try {
    assertAllowed(location);
    return 'allowed';
  } catch (error) {
    const { name, error_class, message } = error as { name: string; error_class: string; message: string };
    expect(name).toBe('InvalidInput');
    return `${error_class}: ${message}`;
  }
}

const S3 = { kind: 's3', bucket: 'states', key: 'a.tfstate', region: 'eu-west-1' } as const;
const GCS = { kind: 'gcs', bucket: 'states', object: 'a.tfstate' } as const;
const AZURE = { kind: 'azure_blob', account: 'acme', container: 'states', blob: 'a.tfstate' } as const;
const TFC = { kind: 'tfc', workspace: 'ws-6fHMCom98SDXSQUv', token: 'abc.atlasv1.def' } as const;

describe('locations that can be saved', () => {
  test.each<StateLocation>([
    S3,
    { ...S3, bucket: 'my.states-1', region: 'us-gov-west-1', key: 'env:/prod/a b+ü%2e.tfstate' },
    { ...S3, key: '/leading//double/slash' },
    GCS,
    { ...GCS, bucket: 'my_states.example.com' },
    AZURE,
    { ...AZURE, container: '$web' },
    TFC,
    { ...TFC, workspace: 'acme/prod_web-1' },
    { ...TFC, endpoint: 'https://tfe.example.com' },
    { ...TFC, endpoint: 'https://app.terraform.io/api/v2/' },
    { ...TFC, endpoint: 'http://tfe.corp.internal' },
  ])('%j', (location) => {
    expect(findError(location)).toBe('allowed');
  });
});

describe('names that could move a request', () => {
  const bad_names = [
    '',
    'a',
    'A-Bucket',
    '..',
    'a..b',
    'a/b',
    'a?b',
    'a#b',
    'a@b',
    'a:80',
    'a b',
    'a\nb',
    'a%2fb',
    '127.0.0.1',
    'evil.example.com/',
    '-start',
    'end-',
    'ｅvil',
    'x'.repeat(300),
    'arn:aws:s3:eu-west-1:1:accesspoint/x',
  ];

  test.each(bad_names)('%j names no bucket, container or account', (name) => {
    expect(findError({ ...S3, bucket: name })).toMatch(/^invalid_request: bucket must be/);
    expect(findError({ ...GCS, bucket: name })).toMatch(/^invalid_request: bucket must be/);
    expect(findError({ ...AZURE, container: name })).toMatch(/^invalid_request: container must be/);
  });

  test.each([...bad_names, 'a.b', 'a-b', 'abc.evil', 'localhost.x'])('%j names no storage account', (name) => {
    expect(findError({ ...AZURE, account: name })).toMatch(/^invalid_request: account must be/);
  });

  test.each(['x--x-s3', 'x--use1-az5--x-s3', 'x--ol-s3', 'x--op-s3', 'x.mrap', 'x--table-s3'])(
    '%s is another kind of bucket',
    (bucket) => {
      expect(findError({ ...S3, bucket })).toMatch(/^invalid_request: bucket must be a general purpose bucket/);
    },
  );

  test.each(['', 'local', 'eu-west-1.evil.com', 'eu-west-1/', 'EU-WEST-1', 'x', 'eu-west-1@evil.com', 'aws-global'])(
    '%j names no region',
    (region) => {
      expect(findError({ ...S3, region })).toMatch(/^invalid_request: region must be/);
    },
  );

  test.each(['', '..', '.', 'a/../b', './a', 'a/..', 'a\\b', 'a\u0000', 'a\r\nb', '\ud800', 'é'.repeat(600)])(
    '%j names no object',
    (key) => {
      expect(findError({ ...S3, key })).toMatch(/^invalid_request: key must/);
      expect(findError({ ...GCS, object: key })).toMatch(/^invalid_request: object must/);
      expect(findError({ ...AZURE, blob: key })).toMatch(/^invalid_request: blob must/);
    },
  );

  test.each(['', 'ws-', 'ws-../../x', 'acme', 'acme/', '/x', 'acme/a/b', 'a/../b', 'a?b/c', 'ws-é'])(
    '%j names no workspace',
    (workspace) => {
      expect(findError({ ...TFC, workspace })).toMatch(/^invalid_request: workspace must be/);
    },
  );

  test.each(['', 'a b', 'a\r\nx: y', 'é', 'x'.repeat(2_001)])('%j is no token, and is not repeated', (token) => {
    expect(findError({ ...TFC, token })).toBe('invalid_request: token must be an API token without spaces');
  });

  test.each(['https://tfe.example.com/x', 'https://tfe.example.com/?a=b', 'https://tfe.example.com/#a'])(
    '%s is not the address of a server alone',
    (endpoint) => {
      expect(findError({ ...TFC, endpoint })).toMatch(/^invalid_request: endpoint must be the address of a server/);
    },
  );
});

test('folders follow the same rules, and an empty prefix is the whole bucket', () => {
  const aws = { provider: 'aws', bucket: 'states', prefix: '', region: 'eu-west-1' } as const;
  const azure = { provider: 'azure', storage_account: 'acme', bucket: 'states', prefix: 'a/' } as const;
  const gcp = { provider: 'gcp', bucket: 'states', prefix: 'a' } as const;

  expect([aws, azure, gcp].map(findRefusedFolderName)).toEqual([undefined, undefined, undefined]);
  expect(findRefusedFolderName({ ...aws, prefix: '../x' })?.field).toBe('prefix');
  expect(findRefusedFolderName({ ...aws, region: 'x' })?.field).toBe('region');
  expect(findRefusedFolderName({ ...gcp, bucket: 'a/b' })?.field).toBe('bucket');
  expect(findRefusedFolderName({ ...azure, storage_account: 'a.b' })?.field).toBe('storage_account');
  expect(findRefusedFolderName({ ...azure, bucket: 'a--b' })?.field).toBe('bucket');
});
