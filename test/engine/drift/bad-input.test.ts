import { describe, expect, test } from '@jest/globals';
import { countOwners, findStateOwner, splitInventory } from '../../../engine/drift/index.ts';
import type { JsonObject, JsonValue } from '../../../engine/index.ts';
import { createInventoryReader } from '../../../engine/inventory/index.ts';
import { AWS, AZURE, compute, GCP, type Held, listPaths, live, reading, toInstance, toValues } from './compute.ts';

const QUEUE_ARN = 'arn:aws:sqs:eu-west-1:210987654321:orders';
const QUEUE_URL = 'https://sqs.eu-west-1.amazonaws.com/210987654321/orders';
const queue: Held = {
  type: 'aws_sqs_queue',
  attributes: { id: QUEUE_URL, url: QUEUE_URL, arn: QUEUE_ARN, name: 'orders', visibility_timeout_seconds: 30 },
};

function readInventory(files: Record<string, JsonValue>) {
  const reader = createInventoryReader();
  for (const [name, content] of Object.entries(files)) {
    const file = reader.file(name);
    file.write(Buffer.from(JSON.stringify(content)));
    file.end();
  }
  return reader.end();
}

/** The inventory compared with resources of a state. */
function compareFiles(files: Record<string, JsonValue>, held: readonly Held[]) {
  const owners = countOwners(held.flatMap((one) => findStateOwner(toInstance(one), toValues(one)) ?? []));
  const { accounts, warnings } = splitInventory(readInventory(files), owners);
  const reports = accounts.map(({ account, resources }) => compute(account, held, resources));
  return { reports, warnings, accounts: accounts.map(({ account }) => account.external_account_id) };
}

const listed = (Properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  TypeName: 'AWS::SQS::Queue',
  Region: 'eu-west-1',
  ResourceDescriptions: [
    { Identifier: QUEUE_URL, Properties: JSON.stringify({ QueueUrl: QUEUE_URL, Arn: QUEUE_ARN, ...Properties }) },
  ],
  ...more,
});

describe('an account', () => {
  test('that a state names and no file has is no drift of the others', () => {
    const other = {
      type: 'aws_sqs_queue',
      name: 'far',
      attributes: { id: 'x', arn: 'arn:aws:sqs:eu-west-1:111111111111:far' },
    };
    const { reports, accounts } = compareFiles({ 'a.json': listed({}) }, [queue, other]);

    expect(accounts).toEqual(['210987654321']);
    expect(reports).toMatchObject([{ items: [], matched_count: 1, outside_count: 1 }]);
  });

  test('that no file names is the only one of the states, and is not guessed among several', () => {
    const vpc = { type: 'aws_vpc', attributes: { id: 'vpc-0a', arn: 'arn:aws:ec2:eu-west-1:210987654321:vpc/vpc-0a' } };
    const far = {
      type: 'aws_vpc',
      name: 'far',
      attributes: { id: 'vpc-0b', arn: 'arn:aws:ec2:eu-west-1:111111111111:vpc/vpc-0b' },
    };
    const file = {
      TypeName: 'AWS::EC2::VPC',
      Region: 'eu-west-1',
      ResourceDescriptions: [{ Identifier: 'vpc-0a', Properties: '{}' }],
    };

    expect(compareFiles({ 'a.json': file }, [vpc])).toMatchObject({
      accounts: ['210987654321'],
      reports: [{ items: [], matched_count: 1 }],
      warnings: [expect.stringContaining('do not say which AWS account')],
    });
    expect(compareFiles({ 'a.json': file }, [vpc, far])).toMatchObject({
      accounts: [],
      warnings: [expect.stringContaining('were not compared')],
    });
  });

  test('of a shared resource does not get a report of its own', () => {
    const shared = {
      TypeName: 'AWS::SNS::Topic',
      ResourceDescription: { Identifier: 'arn:aws:sns:eu-west-1:111111111111:t', Properties: '{}' },
    };
    const { accounts, warnings } = compareFiles({ 'a.json': listed({}), 'b.json': shared }, [queue]);

    expect(accounts).toEqual(['210987654321']);
    expect(warnings).toEqual([expect.stringContaining('1 resource of other accounts (111111111111) was left out')]);
  });

  test('of Google Cloud that files name by its number is the project of the state', () => {
    const secret = {
      type: 'google_secret_manager_secret',
      attributes: { id: 'x', secret_id: 'db', project: 'acme-prod' },
    };
    const asset = {
      name: '//secretmanager.googleapis.com/projects/4711/secrets/db',
      assetType: 'secretmanager.googleapis.com/Secret',
      ancestors: ['projects/4711'],
      resource: { data: { name: 'projects/4711/secrets/db' } },
    };

    expect(compareFiles({ 'a.json': [asset] }, [secret])).toMatchObject({
      accounts: ['acme-prod'],
      reports: [{ items: [], matched_count: 1 }],
    });
  });
});

describe('what two states claim', () => {
  test('is named with both, and is no drift', () => {
    const held = [
      { ...queue, source: 'a.tfstate' },
      { ...queue, source: 'b.tfstate' },
    ];
    const report = compute(reading('AWS::SQS::Queue'), held, [live('AWS::SQS::Queue', QUEUE_URL)]);

    expect(report.items).toEqual([]);
    expect(report.claimed_twice).toEqual([
      {
        provider_resource_id: QUEUE_URL,
        addresses: ['aws_sqs_queue.this (a.tfstate)', 'aws_sqs_queue.this (b.tfstate)'],
      },
    ]);
  });
});

describe('a listing', () => {
  const gone = {
    ...queue,
    name: 'gone',
    attributes: { id: `${QUEUE_URL}-gone`, url: `${QUEUE_URL}-gone`, arn: `${QUEUE_ARN}-gone`, name: 'orders-gone' },
  };

  test('that was cut half-way makes nothing missing', () => {
    const { reports } = compareFiles({ 'a.json': listed({}, { NextToken: 'more' }) }, [queue, gone]);

    expect(reports).toMatchObject([{ items: [], matched_count: 1, drift_status: 'incomplete' }]);
    expect(reports[0]?.not_checked).toMatchObject([{ address: 'aws_sqs_queue.gone', code: 'unread' }]);
    expect(reports[0]?.unread).toMatchObject([{ code: 'cut', message: expect.stringContaining('(a.json)') }]);
  });

  test('whose region is not known makes nothing missing', () => {
    const file = { TypeName: 'AWS::SQS::Queue', ResourceDescriptions: [] };
    const { reports } = compareFiles({ 'a.json': file }, [queue]);

    expect(reports).toMatchObject([
      { items: [], not_checked: [{ code: 'unread' }], unread: [{ code: 'unknown_region' }] },
    ]);
  });

  test('that is assumed to be complete makes resources only potentially missing or new, however often it is read', () => {
    const disk = (name: string) =>
      `/subscriptions/${AZURE.external_account_id}/resourceGroups/rg/providers/Microsoft.Compute/disks/${name}`;
    const row = {
      id: disk('b'),
      type: 'microsoft.compute/disks',
      name: 'b',
      location: 'westeurope',
      kind: '',
      sku: null,
      identity: null,
      tags: null,
      properties: {},
    };
    const held = { type: 'azurerm_managed_disk', attributes: { id: disk('a'), name: 'a' } };
    const inventory = readInventory({ 'a.json': { count: 1, data: [row], skip_token: null, total_records: 1 } });
    const [part] = splitInventory(inventory, []).accounts;

    const report = compute(part!.account, [held], part!.resources, { reads: 2 });

    expect(report.items.map(({ drift_type, certainty }) => [drift_type, certainty])).toEqual([
      ['missing', 'potential'],
      ['new', 'potential'],
    ]);
  });

  test('of other types makes nothing of a type missing', () => {
    const bucket = { type: 'aws_s3_bucket', attributes: { id: 'acme', bucket: 'acme' } };

    expect(compareFiles({ 'a.json': listed({}) }, [queue, bucket]).reports).toMatchObject([
      {
        items: [],
        not_checked: [{ type: 'aws_s3_bucket', reason: 'No complete listing of AWS::S3::Bucket was read.' }],
      },
    ]);
  });
});

describe('times that differ', () => {
  test('an inventory that is newer than the state shows a resource that the state does not have yet as new', () => {
    expect(compareFiles({ 'a.json': listed({}) }, []).reports).toMatchObject([{ extra_count: 1, missing_count: 0 }]);
  });

  test('a state that is newer than the inventory has resources that are only potentially missing', () => {
    const file = { TypeName: 'AWS::SQS::Queue', Region: 'eu-west-1', ResourceDescriptions: [] };

    expect(compareFiles({ 'a.json': file }, [queue]).reports).toMatchObject([
      { items: [{ drift_type: 'missing', certainty: 'potential' }] },
    ]);
  });
});

describe('IDs', () => {
  test('of Azure match in any case', () => {
    const id = `/SUBSCRIPTIONS/${AZURE.external_account_id.toUpperCase()}/resourceGroups/RG-Shop/providers/Microsoft.Compute/Disks/Data`;

    expect(
      compute(
        AZURE,
        [{ type: 'azurerm_managed_disk', attributes: { id, name: 'Data' } }],
        [live('microsoft.compute/disks', id.toLowerCase())],
      ),
    ).toMatchObject({ items: [], matched_count: 1 });
  });

  test('of Google Cloud match as self links, full names and with the number of the project', () => {
    const name = 'projects/acme-prod/zones/europe-west1-b/disks/data';
    const held = {
      type: 'google_compute_disk',
      attributes: { id: name, name: 'data', project: 'acme-prod', zone: 'europe-west1-b' },
    };
    const names = [
      `https://www.googleapis.com/compute/v1/${name}`,
      `//compute.googleapis.com/${name}`,
      `//compute.googleapis.com/${name.replace('acme-prod', '4711')}`,
    ];

    for (const id of names)
      expect(compute(GCP, [held], [live('compute.googleapis.com/Disk', id)])).toMatchObject({
        items: [],
        matched_count: 1,
      });
  });

  test('of AWS are not the same in another case, because the cloud tells them apart', () => {
    const held = { type: 'aws_iam_role', attributes: { id: 'Deploy', name: 'Deploy' } };

    expect(compute(reading('AWS::IAM::Role'), [held], [live('AWS::IAM::Role', 'deploy')])).toMatchObject({
      missing_count: 1,
      extra_count: 1,
    });
  });

  test('with characters outside of ASCII match in one form, as a provider and a cloud write them', () => {
    const held = { type: 'aws_dynamodb_table', attributes: { id: 'größe', name: 'größe' } };

    expect(compute(reading('AWS::DynamoDB::Table'), [held], [live('AWS::DynamoDB::Table', 'größe')])).toMatchObject({
      items: [],
    });
  });
});

describe('a type that no rule knows', () => {
  test('is neither new nor missing', () => {
    const held = { type: 'aws_made_up', attributes: { id: 'x' } };
    const report = compute(
      { ...AWS, parts: [{ region: null, provider_type: 'AWS::Made::Up' }] },
      [held],
      [live('AWS::Made::Up', 'y')],
    );

    expect(report.items).toEqual([]);
    expect(report).toMatchObject({
      not_checked: [{ code: 'unknown_type' }],
      apart: [{ code: 'unknown_type', provider_type: 'AWS::Made::Up' }],
    });
  });
});

describe('values that an inventory withholds', () => {
  const compareQueue = (properties: JsonObject, attributes: JsonObject = {}) =>
    compute(
      reading('AWS::SQS::Queue'),
      [{ ...queue, attributes: { ...queue.attributes, ...attributes } }],
      [live('AWS::SQS::Queue', QUEUE_URL, { properties })],
    );

  test.each<[string, JsonObject, JsonObject]>([
    ['a secret', { QueueName: '[redacted]' }, {}],
    ['a number', { VisibilityTimeout: '[redacted]' }, {}],
    ['a value that was too large', { VisibilityTimeout: '[omitted: too large]' }, {}],
    ['all values', { '[omitted: too large]': true }, {}],
    ['a text that was cut', { KmsMasterKeyId: `${'a'.repeat(16_384)}…` }, { kms_master_key_id: 'a'.repeat(20_000) }],
    [
      'a secret in a document',
      { RedrivePolicy: { deadLetterTargetArn: '[redacted]' } },
      { redrive_policy: '{"deadLetterTargetArn":"x"}' },
    ],
  ])('are not compared: %s', (_, properties, attributes) => {
    expect(compareQueue(properties, attributes)).toMatchObject({ items: [], matched_count: 1 });
  });

  test('are not compared: items of a list that was cut', () => {
    const subnets = Array.from({ length: 1_200 }, (_, i) => `subnet-${i}`);
    const held = { type: 'aws_db_subnet_group', attributes: { id: 'main', name: 'main', subnet_ids: subnets } };
    const SubnetIds = [...subnets.slice(0, 1_000), '[omitted: too large]'];

    expect(
      compute(
        reading('AWS::RDS::DBSubnetGroup'),
        [held],
        [live('AWS::RDS::DBSubnetGroup', 'main', { properties: { SubnetIds } })],
      ),
    ).toMatchObject({ items: [] });
  });

  test('make no part of an object missing', () => {
    const rule: Held = {
      type: 'azurerm_network_security_rule',
      attributes: {
        id: `/subscriptions/${AZURE.external_account_id}/resourceGroups/rg/providers/Microsoft.Network/networkSecurityGroups/web/securityRules/ssh`,
        name: 'ssh',
        access: 'Deny',
      },
    };
    const group = (securityRules: JsonValue) =>
      live(
        'microsoft.network/networksecuritygroups',
        `/subscriptions/${AZURE.external_account_id}/resourcegroups/rg/providers/microsoft.network/networksecuritygroups/web`,
        { properties: { properties: { securityRules } } },
      );

    for (const shown of ['[omitted: too large]', ['[omitted: too large]'], '[redacted]'])
      expect(compute(AZURE, [rule], [group(shown)])).toMatchObject({ items: [], not_checked: [{ code: 'not_shown' }] });
    expect(compute(AZURE, [rule], [group([])])).toMatchObject({ missing_count: 1 });
  });

  test('do not hide the names and the other values of a map', () => {
    const held = {
      type: 'aws_lambda_function',
      attributes: { id: 'f', function_name: 'f', environment: [{ variables: { STAGE: 'prod' } }] },
    };
    const withVariables = (Variables: JsonObject) =>
      compute(
        reading('AWS::Lambda::Function'),
        [held],
        [live('AWS::Lambda::Function', 'f', { properties: { Environment: { Variables } } })],
      );

    expect(withVariables({ STAGE: '[redacted]' }).items).toEqual([]);
    expect(listPaths(withVariables({ STAGE: '[redacted]', DEBUG: '[redacted]' }))).toEqual([
      'environment[0].variables.DEBUG',
    ]);
  });

  test('50 MB of one attribute are read, and are no difference', () => {
    const large = 'x'.repeat(50_000_000);
    const entry = {
      TypeName: 'AWS::SQS::Queue',
      ResourceDescription: { Identifier: QUEUE_URL, Properties: { QueueUrl: QUEUE_URL, Arn: QUEUE_ARN, Note: 'x' } },
    };
    const reader = createInventoryReader();
    const file = reader.file('large.json');

    expect(() => {
      file.write(Buffer.from(JSON.stringify({ ...entry, Note: large })));
      file.end();
    }).not.toThrow();
    expect(
      compute(
        reading('AWS::SQS::Queue'),
        [{ ...queue, attributes: { ...queue.attributes, policy: large } }],
        reader.end().resources,
      ),
    ).toMatchObject({ items: [], matched_count: 1 });
  });
});
