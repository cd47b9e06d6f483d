import { describe, expect, test } from '@jest/globals';
import * as samples from './samples.ts';
import { readFiles, readOne } from './samples.ts';

const { properties: _properties, ...NO_PROPERTIES } = samples.STORAGE;

const FORMATS: [title: string, document: unknown, format: string, resource: object][] = [
  [
    'aws cloudcontrol list-resources',
    samples.LISTED_QUEUES,
    'aws_list_resources',
    { provider: 'aws', provider_type: 'AWS::SQS::Queue', region: 'eu-west-1', is_complete: false },
  ],
  [
    'aws cloudcontrol get-resource',
    samples.QUEUE,
    'aws_get_resource',
    { region: 'eu-west-1', is_complete: true, properties: { DelaySeconds: 5, password: '[redacted]' } },
  ],
  [
    'aws resource-explorer-2 search',
    samples.EXPLORED,
    'aws_resource_explorer',
    { provider_type: 'AWS::EC2::VPC', aliases: ['vpc-0a1b'], name: 'main', properties: null, is_complete: false },
  ],
  [
    'aws resourcegroupstaggingapi get-resources',
    samples.TAGGED,
    'aws_tagged_resources',
    { provider_type: 'AWS::S3::Bucket', region: null, tags: { team: 'shop' }, properties: null },
  ],
  [
    'aws configservice select-resource-config',
    samples.CONFIGURED,
    'aws_config_query',
    { provider_type: 'AWS::EC2::Instance', aliases: ['i-0c2d'], region: 'eu-west-1', properties: null },
  ],
  [
    'gcloud asset list',
    [samples.ASSET],
    'gcp_asset_list',
    { provider: 'gcp', region: 'europe-west1', name: 'web', tags: { team: 'shop' }, is_complete: true },
  ],
  [
    'gcloud asset export',
    samples.EXPORTED_ASSET,
    'gcp_asset_list',
    { provider_type: 'storage.googleapis.com/Bucket', region: 'eu', is_complete: true },
  ],
  [
    'gcloud asset search-all-resources',
    [samples.FOUND],
    'gcp_asset_search',
    { name: 'api', region: null, is_complete: false },
  ],
  [
    'az graph query',
    samples.GRAPH,
    'azure_graph_query',
    { provider_resource_id: samples.ACCOUNT_ID.toLowerCase(), region: 'westeurope', is_complete: true },
  ],
  [
    'az graph query with a projection',
    { ...samples.GRAPH, data: [NO_PROPERTIES] },
    'azure_graph_query',
    { is_complete: false },
  ],
  [
    'az resource list',
    [{ ...samples.STORAGE, properties: null }],
    'azure_resource_list',
    { is_complete: false, properties: { kind: 'StorageV2' } },
  ],
  ['az resource show', samples.STORAGE, 'azure_resource', { is_complete: true, tags: { team: 'shop' } }],
  ['the REST API of Azure', { value: [samples.STORAGE] }, 'azure_resource_list', { is_complete: true }],
];

describe('formats of inventory files', () => {
  test.each(FORMATS)('the output of %s is read', (_title, document, format, resource) => {
    const { resources, files } = readOne(document);

    expect(files).toMatchObject([{ formats: [format], document_count: 1, resource_count: 1, unreadable_count: 0 }]);
    expect(resources).toMatchObject([resource]);
    expect(JSON.stringify(resources)).not.toContain('canary');
  });

  test('one file has documents of several clouds, as JSON lines or in a list', () => {
    const documents = [samples.QUEUE, samples.ASSET, samples.STORAGE];
    const lines = documents.map((one) => JSON.stringify(one)).join('\n');

    expect(readFiles({ a: lines }).resources).toHaveLength(3);
    expect(readFiles({ a: JSON.stringify(documents) }).resources).toEqual(readFiles({ a: lines }).resources);
  });

  test('UTF-16 and byte order marks are read', () => {
    const text = JSON.stringify(samples.GRAPH);
    const plain = readFiles({ a: text });

    expect(readFiles({ a: Buffer.from(`\ufeff${text}`, 'utf16le') })).toEqual(plain);
    expect(readFiles({ a: `\ufeff${text}` })).toEqual(plain);
  });

  test('the type of a listing is found wherever it stands, else in the name of the file', () => {
    const { TypeName, ResourceDescriptions } = samples.LISTED_QUEUES;

    expect(readOne({ ResourceDescriptions, TypeName })).toEqual(readOne(samples.LISTED_QUEUES));
    expect(readOne({ ResourceDescriptions }, 'AWS-SQS-Queue.json').resources).toMatchObject([
      { provider_type: TypeName },
    ]);
  });

  test('a recorded account is read, with what was not checked', () => {
    const part = { key: 'a', service: 'x', latency_ms: 0, throttled: 0, pages: ['pages/0001.json'] };
    const fault = {
      code: 'access_denied',
      message: 'Not allowed.',
      region: 'eu-west-1',
      provider_type: 'AWS::KMS::Key',
    };
    const account = {
      format: 1,
      provider: 'aws',
      external_account_id: '123456789012',
      parts: [
        { ...part, region: 'eu-west-1', provider_type: 'AWS::EC2::VPC', ends_with: null },
        { ...part, region: 'eu-west-1', provider_type: 'AWS::KMS::Key', ends_with: fault },
        { ...part, region: 'eu-west-1', provider_type: null, ends_with: null },
      ],
      unchecked: [{ key: 'b', region: null, provider_type: 'AWS::IAM::RolePolicy', message: 'Not listed.' }],
    };
    const vpc = {
      provider_resource_id: 'vpc-1',
      provider_type: 'AWS::EC2::VPC',
      region: 'eu-west-1',
      properties: null,
    };

    const found = readFiles({
      'account.json': JSON.stringify(account),
      'pages/0001.json': JSON.stringify({ resources: [vpc], faults: [] }),
    });

    expect(found.listings).toEqual([
      {
        ...{ provider: 'aws', account_id: '123456789012', provider_type: 'AWS::EC2::VPC' },
        ...{ scope: 'region', region: 'eu-west-1', basis: 'stated' },
      },
    ]);
    expect(found.not_checked).toMatchObject([
      { provider_type: 'AWS::IAM::RolePolicy', reason: 'Not listed.' },
      { provider_type: 'AWS::KMS::Key', code: 'access_denied', reason: 'Not allowed.' },
    ]);
    expect(found.resources).toMatchObject([
      { provider_resource_id: 'vpc-1', account_id: '123456789012', is_complete: false },
    ]);
  });

  test('recorded accounts keep resources with the same name apart, and a page that is missing is not checked', () => {
    const record = (external_account_id: string, pages: string[]) => {
      const part = { key: 'a', region: null, provider_type: 'AWS::IAM::Role', ends_with: null };
      return JSON.stringify({ format: 1, provider: 'aws', external_account_id, parts: [{ ...part, pages }] });
    };
    const role = { provider_resource_id: 'deploy', provider_type: 'AWS::IAM::Role', region: null, properties: null };
    const page = JSON.stringify({ resources: [role], faults: [] });

    const found = readFiles({
      'dev/account.json': record('111111111111', ['pages/0001.json', 'pages/0002.json']),
      'dev/pages/0001.json': page,
      'prod/account.json': record('222222222222', ['pages/0001.json']),
      'prod/pages/0001.json': page,
    });

    expect(found.resources.map(({ account_id }) => account_id)).toEqual(['111111111111', '222222222222']);
    expect(found.listings).toMatchObject([{ account_id: '222222222222' }]);
    expect(found.not_checked).toMatchObject([
      { account_id: '111111111111', provider_type: 'AWS::IAM::Role', code: 'missing_page' },
    ]);
  });
});

describe('what was listed to its end', () => {
  test('an empty listing of Cloud Control covers its type', () => {
    expect(readOne({ TypeName: 'AWS::IAM::Role', ResourceDescriptions: [] }).listings).toMatchObject([
      { provider_type: 'AWS::IAM::Role', scope: 'all_regions', basis: 'stated' },
    ]);
    expect(
      readOne({ TypeName: 'AWS::SQS::Queue', Region: 'eu-west-1', ResourceDescriptions: [] }).listings,
    ).toMatchObject([{ scope: 'region', region: 'eu-west-1' }]);
    expect(readOne({ TypeName: 'AWS::SQS::Queue', ResourceDescriptions: [] }).listings).toMatchObject([
      { scope: 'unknown_region' },
    ]);
  });

  test('a listing with a token is not checked, and revokes that of another file', () => {
    const cut = { ...samples.LISTED_QUEUES, NextToken: 'more' };

    const found = readFiles({ a: JSON.stringify(cut), b: JSON.stringify(samples.LISTED_QUEUES) });

    expect(found.listings).toEqual([]);
    expect(found.not_checked).toMatchObject([{ provider_type: 'AWS::SQS::Queue', region: 'eu-west-1', file: 'a' }]);
  });

  test('pages that follow each other in one file are one listing', () => {
    const pages = [{ ...samples.LISTED_QUEUES, NextToken: 'more' }, samples.LISTED_QUEUES];

    const found = readFiles({ a: pages.map((one) => JSON.stringify(one)).join('') });

    expect(found).toMatchObject({ listings: [{ provider_type: 'AWS::SQS::Queue' }], not_checked: [] });
  });

  test('a listing of many types covers those that it shows, if the command had no filter', () => {
    expect(readOne(samples.GRAPH).listings).toMatchObject([{ basis: 'assumed', scope: 'all_regions' }]);
    expect(readOne({ ...samples.GRAPH, skip_token: 'more' })).toMatchObject({
      listings: [],
      not_checked: [{ provider_type: 'microsoft.storage/storageaccounts' }],
    });
    expect(readOne(samples.STORAGE).listings).toEqual([]);
    expect(readOne(samples.TAGGED).listings).toEqual([]);
  });

  test('an entry that cannot be read revokes the listing of its file', () => {
    const rows = [...samples.LISTED_QUEUES.ResourceDescriptions, { Identifier: 'x', Properties: '{' }];

    expect(readOne({ ...samples.LISTED_QUEUES, ResourceDescriptions: rows })).toMatchObject({
      listings: [],
      files: [{ unreadable_count: 1 }],
      not_checked: [{ provider_type: 'AWS::SQS::Queue' }],
    });
  });
});

describe('resources in several files', () => {
  test('the one with all properties wins, and IDs are collected', () => {
    const found = readFiles({ a: JSON.stringify(samples.LISTED_QUEUES), b: JSON.stringify(samples.QUEUE) });

    expect(found.resources).toHaveLength(1);
    expect(found.resources).toMatchObject([{ is_complete: true, properties: { DelaySeconds: 5 } }]);
  });

  test('an ARN and the identifier of Cloud Control are the same resource', () => {
    const vpcs = {
      TypeName: 'AWS::EC2::VPC',
      ResourceDescriptions: [{ Identifier: 'vpc-0a1b', Properties: '{"VpcId":"vpc-0a1b"}' }],
    };

    const { resources } = readFiles({ a: JSON.stringify(vpcs), b: JSON.stringify(samples.EXPLORED) });

    expect(resources).toMatchObject([
      {
        provider_resource_id: 'vpc-0a1b',
        region: 'eu-west-1',
        name: 'main',
        aliases: ['arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-0a1b'],
      },
    ]);
  });

  test('the same name in two regions is two resources', () => {
    const group = (Region: string) => ({
      TypeName: 'AWS::Logs::LogGroup',
      Region,
      ResourceDescriptions: [{ Identifier: 'app' }],
    });

    expect(readOne([group('eu-west-1'), group('us-east-1')]).resources).toHaveLength(2);
  });

  test('two accounts and different values are named', () => {
    const other = { ...samples.STORAGE, properties: { minimumTlsVersion: 'TLS1_0' } };
    const elsewhere = { ...samples.STORAGE, id: samples.ACCOUNT_ID.replace('0f0f', '1e1e') };

    const { warnings } = readOne([samples.STORAGE, other, elsewhere]);

    expect(warnings).toEqual([
      expect.stringContaining('2 Azure subscriptions: 0f0f, 1e1e'),
      expect.stringContaining(`different values of 1 resource: ${samples.ACCOUNT_ID.toLowerCase()}`),
    ]);
  });

  test('another row tells the ID of a project that a name has only by its number', () => {
    const { resources, accounts } = readOne([samples.FOUND, samples.ASSET]);

    expect(accounts).toEqual([{ provider: 'gcp', account_id: 'shop', resource_count: 2 }]);
    expect(resources[1]?.aliases).toContain('projects/shop/secrets/api');
  });
});
