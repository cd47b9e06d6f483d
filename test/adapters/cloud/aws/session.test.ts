import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ARN_TYPES } from '../../../../engine/inventory/index.ts';
import { PARTLY_LISTED_TYPES } from '../../../../server/adapters/cloud/aws/data/partly-listed-types.ts';
import { buildAwsPolicy } from '../../../../server/adapters/cloud/aws/index.ts';
import { READABLE_TYPES, UNREADABLE_TYPES } from '../../../../server/adapters/cloud/aws/type-table.ts';
import type { ScanPart } from '../../../../server/adapters/cloud/types.ts';
import { jsonError, stsError } from '../../../fakes/cloud/aws/replies.ts';
import { HTML_PAGE, type RestReply } from '../../../fakes/cloud/rest-server.ts';
import { findFault, never, readPart } from '../reading.ts';
import { type FakeAccount, ROLE, startFakeAccount } from './account.ts';

let account: FakeAccount;

beforeEach(async () => {
  account = await startFakeAccount();
});

afterEach(async () => {
  // Every request of every test is one that the adapter declares.
  const declared = account.calls.map(({ service, operation }) => `${service} ${operation}`);
  expect(account.aws.calls.filter((name) => !declared.includes(name))).toEqual([]);
  await account.aws.close();
});

function part(
  provider_type: string | null,
  region: string | null = 'eu-west-1',
  service = 'cloudcontrolapi',
): ScanPart {
  return { key: `${service}/${region ?? 'global'}/${provider_type}`, service, region, provider_type };
}

test('an access key is identified by STS', async () => {
  expect(await account.open().identify(never)).toEqual({
    identity: 'arn:aws:iam::123456789012:user/scanner',
    external_account_id: '123456789012',
  });
});

test('a role is assumed once, with the external ID and the keys of the service', async () => {
  account.aws.state.roles.set(ROLE, { key_id: 'AKIASERVICE000000001', external_id: 'ext-1' });
  const session = account.open({ credentials: { credential_type: 'aws_role', role_arn: ROLE, external_id: 'ext-1' } });

  await session.identify(never);
  await session.identify(never);

  expect(account.aws.calls).toEqual(['sts AssumeRole', 'sts GetCallerIdentity', 'sts GetCallerIdentity']);
});

test('a role with another external ID is not assumed', async () => {
  account.aws.state.roles.set(ROLE, { key_id: 'AKIASERVICE000000001', external_id: 'ext-2' });
  const session = account.open({ credentials: { credential_type: 'aws_role', role_arn: ROLE, external_id: 'ext-1' } });

  expect(await findFault(session.identify(never))).toMatchObject({ code: 'credential_error', service: 'sts' });
});

test('a web identity is exchanged without a stored key', async () => {
  account.aws.state.roles.set(ROLE, { token: 'token for org-1 at sts.amazonaws.com' });
  const session = account.open({ credentials: { credential_type: 'aws_web_identity', role_arn: ROLE } });

  await session.identify(never);
  await session.identify(never);

  expect(account.aws.calls).toEqual([
    'sts AssumeRoleWithWebIdentity',
    'sts GetCallerIdentity',
    'sts GetCallerIdentity',
  ]);
  expect(account.aws.requests[0]?.headers.authorization).toBeUndefined();
});

test('keys of a role are renewed before they expire', async () => {
  let now = new Date();
  const renewed = await startFakeAccount(() => now);
  renewed.aws.state.roles.set(ROLE, { key_id: 'AKIASERVICE000000001', external_id: 'e' });
  const session = renewed.open({ credentials: { credential_type: 'aws_role', role_arn: ROLE, external_id: 'e' } });

  await session.identify(never);
  now = new Date(now.getTime() + 14.5 * 60_000);
  await session.identify(never);
  await renewed.aws.close();

  expect(renewed.aws.calls.filter((name) => name === 'sts AssumeRole')).toHaveLength(2);
});

test.each([
  ['a key that was deleted', stsError(403, 'InvalidClientTokenId', 'canary')],
  ['a wrong secret', stsError(403, 'SignatureDoesNotMatch', 'canary')],
  ['a session that has expired', stsError(403, 'ExpiredToken', 'canary')],
])('%s is a credential error', async (_title, how) => {
  account.aws.troubles.push({ operation: 'sts GetCallerIdentity', how });

  expect((await findFault(account.open().identify(never))).code).toBe('credential_error');
});

test('a rejected signature names the clock if it is wrong', async () => {
  account.aws.headers.date = new Date(Date.now() - 20 * 60_000).toUTCString();
  account.aws.troubles.push({
    operation: 'sts GetCallerIdentity',
    how: stsError(403, 'SignatureDoesNotMatch', 'Signature expired'),
  });

  expect((await findFault(account.open().identify(never))).message).toContain('20 minutes ahead');
});

test('a listing is read to its end, page by page', async () => {
  account.aws.state.resources = Array.from({ length: 45 }, (_, i) => ({
    type: 'AWS::SQS::Queue',
    region: 'eu-west-1',
    identifier: `https://sqs/${i}`,
    properties: { QueueUrl: `https://sqs/${i}` },
  }));

  const read = await readPart(account.open(), part('AWS::SQS::Queue'));

  expect(new Set(read.resources.map((one) => one.provider_resource_id)).size).toBe(45);
  expect(read.page_count).toBe(3);
});

test('properties, tags, name and ARN of a resource are read, and secrets are not', async () => {
  const properties = {
    FunctionName: 'resize',
    Arn: 'arn:aws:lambda:eu-west-1:123456789012:function:resize',
    Environment: { Variables: { STAGE: 'canary' } },
    Tags: [{ Key: 'team', Value: 'shop' }],
  };
  account.aws.state.resources = [
    { type: 'AWS::Lambda::Function', region: 'eu-west-1', identifier: 'resize', properties },
  ];

  const { resources } = await readPart(account.open(), part('AWS::Lambda::Function'));

  expect(resources).toEqual([
    {
      provider_resource_id: 'resize',
      provider_type: 'AWS::Lambda::Function',
      region: 'eu-west-1',
      name: 'resize',
      tags: { team: 'shop' },
      aliases: ['arn:aws:lambda:eu-west-1:123456789012:function:resize'],
      properties: { ...properties, Environment: { Variables: { STAGE: '[redacted]' } } },
    },
  ]);
});

test('tags are read from a list with small letters and from a map', async () => {
  account.aws.state.resources = [
    {
      type: 'AWS::ECS::Cluster',
      region: 'eu-west-1',
      identifier: 'a',
      properties: { tags: [{ key: 'team', value: 'a' }] },
    },
    { type: 'AWS::ECS::Cluster', region: 'eu-west-1', identifier: 'b', properties: { Tags: { team: 'b' } } },
    { type: 'AWS::ECS::Cluster', region: 'eu-west-1', identifier: 'c' },
  ];

  const { resources } = await readPart(account.open(), part('AWS::ECS::Cluster'));

  expect(resources.map(({ tags, properties }) => [tags, properties === null])).toEqual([
    [{ team: 'a' }, false],
    [{ team: 'b' }, false],
    [{}, true],
  ]);
});

test('what lies within a parent is read for each parent', async () => {
  const inside = (cluster: string, name: string) => ({
    type: 'AWS::EKS::Nodegroup',
    region: 'eu-west-1',
    identifier: `${cluster}|${name}`,
    model: { ClusterName: cluster },
  });
  account.aws.state.page_size = 1;
  account.aws.state.resources = [
    ...['blue', 'green', 'empty'].map((identifier) => ({ type: 'AWS::EKS::Cluster', region: 'eu-west-1', identifier })),
    ...[inside('blue', 'a'), inside('blue', 'b'), inside('green', 'c')],
  ];

  const { resources } = await readPart(account.open(), part('AWS::EKS::Nodegroup'));

  expect(resources.map((one) => one.provider_resource_id)).toEqual(['blue|a', 'blue|b', 'green|c']);
});

test('a parent that was deleted in the meantime contains nothing', async () => {
  account.aws.state.resources = [{ type: 'AWS::EKS::Cluster', region: 'eu-west-1', identifier: 'gone' }];
  const session = account.open();
  const { next_cursor } = await session.readPage(part('AWS::EKS::Nodegroup'), null, never);
  account.aws.troubles.push({
    operation: 'cloudcontrolapi ListResources',
    how: jsonError(400, 'ResourceNotFoundException', 'No cluster found'),
  });

  expect(await session.readPage(part('AWS::EKS::Nodegroup'), next_cursor, never)).toMatchObject({
    resources: [],
    next_cursor: null,
  });
});

test('firewall rules of CloudFront are read once, and regional ones in their region', async () => {
  const acl = (identifier: string, region: string, Scope: string) => ({
    type: 'AWS::WAFv2::WebACL',
    region,
    identifier,
    model: { Scope },
  });
  account.aws.state.resources = [acl('edge', 'us-east-1', 'CLOUDFRONT'), acl('local', 'eu-west-1', 'REGIONAL')];

  const global = await readPart(account.open(), part('AWS::WAFv2::WebACL', null));
  const local = await readPart(account.open(), part('AWS::WAFv2::WebACL'));

  expect(global.resources.map((one) => [one.provider_resource_id, one.region])).toEqual([['edge', null]]);
  expect(local.resources.map((one) => [one.provider_resource_id, one.region])).toEqual([['local', 'eu-west-1']]);
});

test('buckets of all regions are read once, with their regions', async () => {
  account.aws.state.page_size = 2;
  account.aws.state.buckets = ['eu-west-1', 'us-east-1', 'eu-north-1'].map((region) => ({
    name: `logs-${region}`,
    region,
  }));

  const { resources } = await readPart(account.open(), part('AWS::S3::Bucket', null, 's3'));

  expect(resources.map((one) => [one.name, one.region, one.aliases[0]])).toEqual([
    ['logs-eu-west-1', 'eu-west-1', 'arn:aws:s3:::logs-eu-west-1'],
    ['logs-us-east-1', 'us-east-1', 'arn:aws:s3:::logs-us-east-1'],
    ['logs-eu-north-1', 'eu-north-1', 'arn:aws:s3:::logs-eu-north-1'],
  ]);
});

test.each(['tagging', 'resource-explorer-2'])(
  '%s shows types that Cloud Control does not list, and only those',
  async (service) => {
    account.aws.state.page_size = 2;
    account.aws.state.tagged = [
      'codebuild:eu-west-1:123456789012:project/build',
      'acm:eu-west-1:123456789012:certificate/1',
      'elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app/new/1',
      'sqs:eu-west-1:123456789012:queue',
      'elasticache:eu-west-1:123456789012:cluster:sessions',
    ].map((rest) => ({ arn: `arn:aws:${rest}`, region: 'eu-west-1', tags: {} }));

    const { resources } = await readPart(account.open(), part(null, 'eu-west-1', service));

    expect(resources.map((one) => one.provider_type)).toEqual([
      'AWS::CodeBuild::Project',
      'AWS::ElastiCache::CacheCluster',
    ]);
  },
);

test('a listing whose page token has expired starts again', async () => {
  account.aws.state.resources = Array.from({ length: 45 }, (_, i) => ({
    type: 'AWS::SQS::Queue',
    region: 'eu-west-1',
    identifier: `q${i}`,
  }));
  let expired = false;

  const read = await readPart(account.open(), part('AWS::SQS::Queue'), () => {
    if (!expired) account.aws.expireTokens();
    expired = true;
  });

  expect(read.restart_count).toBe(1);
  expect(new Set(read.resources.map((one) => one.provider_resource_id)).size).toBe(45);
});

const DENIED =
  'User: arn:aws:iam::1:user/canary is not authorized to perform: cloudformation:ListResources on resource: x';
const FAILED: [string, string, RestReply, object][] = [
  [
    'the missing permission',
    'access_denied',
    jsonError(400, 'AccessDeniedException', DENIED),
    { permission: 'cloudformation:ListResources' },
  ],
  [
    'a handler without permission',
    'access_denied',
    jsonError(
      400,
      'GeneralServiceException',
      'x is not authorized to perform: sqs:ListQueues (HandlerErrorCode: AccessDenied)',
    ),
    { permission: 'sqs:ListQueues' },
  ],
  [
    'a denial without an action',
    'access_denied',
    jsonError(400, 'AccessDeniedException', 'canary'),
    { permission: 'cloudformation:ListResources' },
  ],
  [
    'a type that cannot be listed',
    'unsupported_type',
    jsonError(400, 'UnsupportedActionException', 'canary'),
    { provider_type: 'AWS::SQS::Queue' },
  ],
  ['a type that does not exist here', 'unsupported_type', jsonError(400, 'TypeNotFoundException', 'canary'), {}],
  [
    'a type that needs a parent',
    'unsupported_type',
    jsonError(400, 'InvalidRequestException', 'Missing or invalid ResourceModel property in canary'),
    {},
  ],
  ['an expired session', 'credential_error', jsonError(400, 'ExpiredTokenException', 'canary'), { retryable: false }],
  ['a page of a proxy', 'parse_error', HTML_PAGE, { region: 'eu-west-1' }],
  ['another document', 'parse_error', { status: 200, body: { hello: 1 } }, {}],
  ['JSON that is cut', 'parse_error', { status: 200, text: '{"ResourceDescr' }, {}],
  ['a page of a proxy with an error status', 'parse_error', { ...HTML_PAGE, status: 403 }, {}],
  ['a failing service', 'internal', jsonError(500, 'ServiceInternalErrorException', 'canary'), { retryable: true }],
  ['a failing handler', 'internal', jsonError(400, 'GeneralServiceException', 'canary'), { retryable: false }],
  ['endless throttling', 'throttled', jsonError(400, 'ThrottlingException', 'Rate exceeded'), { retryable: true }],
];

test.each(FAILED)('%s is reported as %s', async (_title, code, how, detail) => {
  account.aws.troubles.push({ operation: 'cloudcontrolapi ListResources', how, times: 99 });

  const fault = await findFault(account.open().readPage(part('AWS::SQS::Queue'), null, never));

  expect(fault).toMatchObject({ code, service: 'cloudcontrolapi', ...detail });
});

test.each(['drop', 'cut'] as const)('a connection that is closed early (%s) is repeated', async (how) => {
  account.aws.troubles.push({ operation: 'cloudcontrolapi ListResources', how, times: 2 });

  expect((await readPart(account.open(), part('AWS::SQS::Queue'))).resources).toEqual([]);
});

test('a region that is off is reported as such, whatever AWS says about the key', async () => {
  account.aws.state.disabled.add('ap-east-1');

  const fault = await findFault(account.open().readPage(part('AWS::SQS::Queue', 'ap-east-1'), null, never));

  expect(fault).toMatchObject({ code: 'region_disabled', region: 'ap-east-1' });
});

test('the outline has each type once for each region, and each global type once', async () => {
  const { parts, unchecked } = await account.open({ regions: [] }).outline(never);

  const find = (provider_type: string) =>
    parts.filter((one) => one.provider_type === provider_type).map((one) => one.region);
  expect(find('AWS::SQS::Queue')).toEqual(['eu-west-1', 'us-east-1']);
  expect(find('AWS::IAM::Role')).toEqual([null]);
  expect(find('AWS::S3::Bucket')).toEqual([null]);
  expect(find('AWS::WAFv2::WebACL').sort()).toEqual(['eu-west-1', 'us-east-1', null].sort());
  expect(new Set(parts.map(({ key }) => key)).size).toBe(parts.length);
  expect(unchecked.find((one) => one.provider_type === 'AWS::IAM::RolePolicy')).toMatchObject({
    code: 'unsupported_type',
  });
});

test('regions with an index of Resource Explorer are read through it, the others through tags', async () => {
  account.aws.state.indexed_regions = ['us-east-1'];

  const { parts } = await account.open({ regions: [] }).outline(never);

  expect(parts.filter((one) => one.provider_type === null).map(({ key }) => key)).toEqual([
    'tagging/eu-west-1',
    'resource-explorer-2/us-east-1',
  ]);
});

test('a chosen region that is off is not read', async () => {
  const { parts, unchecked } = await account.open({ regions: ['eu-west-1', 'ap-east-1'] }).outline(never);

  expect(parts.some((one) => one.region === 'ap-east-1')).toBe(false);
  expect(unchecked.find((one) => one.region === 'ap-east-1')).toMatchObject({
    code: 'region_disabled',
    provider_type: null,
  });
});

test('without the permission to list regions, the usual ones are read, and the ledger says so', async () => {
  account.aws.troubles.push({
    operation: 'account ListRegions',
    how: {
      status: 403,
      body: { message: 'User: canary is not authorized to perform: account:ListRegions' },
      headers: { 'x-amzn-errortype': 'AccessDeniedException' },
    },
  });

  const { parts, unchecked } = await account.open({ regions: [] }).outline(never);

  expect(new Set(parts.map((one) => one.region)).size).toBe(18);
  expect(unchecked[0]).toMatchObject({ key: 'account/regions', code: 'access_denied' });
});

test('all properties of a resource are read without secrets', async () => {
  account.aws.state.resources = [
    {
      type: 'AWS::SSM::Parameter',
      region: 'eu-west-1',
      identifier: '/db',
      properties: { Name: '/db', Value: 'canary' },
    },
  ];
  const read = (provider_resource_id: string) =>
    account
      .open()
      .readResource?.({ provider_type: 'AWS::SSM::Parameter', provider_resource_id, region: 'eu-west-1' }, never);

  expect(await read('/db')).toEqual({ Name: '/db', Value: '[redacted]' });
  expect(await read('/gone')).toBeNull();
});

test('permissions are checked by asking for each', async () => {
  account.aws.state.denied.set('AWS::RDS::DBSubnetGroup', 'rds:DescribeDBSubnetGroups');
  account.aws.state.denied.set('GetResource', 'cloudformation:GetResource');

  const checks = await account.open().checkPermissions(never);

  expect(checks.filter(({ granted }) => !granted).map(({ name }) => name)).toEqual([
    'cloudformation:GetResource',
    'rds:List*',
  ]);
  expect(checks.length).toBeGreaterThan(20);
});

test('a session that is closed ends its requests', async () => {
  account.aws.troubles.push({ operation: 'cloudcontrolapi ListResources', how: 'hang' });
  const session = account.open();
  const reading = session.readPage(part('AWS::SQS::Queue'), null, never);

  session.close();

  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});

test('the policy allows every declared permission, reads no stored data, and fits into a role', () => {
  const policy = buildAwsPolicy();
  const allowed = policy.Statement.flatMap(({ Action }) => Action);

  expect(account.calls.flatMap(({ permissions }) => permissions).filter((one) => !allowed.includes(one))).toEqual([]);
  expect(
    allowed
      .filter((one) => /:(?:\*|Get\*|Get(?:Object|Secret|Parameter|Item|Record))/.test(one))
      .filter(
        (one) => !/^(?:amplify|backup|cloudfront|guardduty|iam|networkmanager|route53|securityhub):Get\*$/.test(one),
      ),
  ).toEqual([]);
  expect(allowed.every((one) => /^[a-z0-9-]+:(?:GET|(?:Get|List|Describe|Search)[A-Za-z]*\*?)$/.test(one))).toBe(true);
  expect(JSON.stringify(policy).length).toBeLessThanOrEqual(10_240);
});

test('types that AWS lists incompletely are read, and what may be missing is reported', async () => {
  const { parts, unchecked } = await account.open().outline(never);

  for (const [provider_type, message] of Object.entries(PARTLY_LISTED_TYPES)) {
    expect(parts.filter((one) => one.provider_type === provider_type)).not.toEqual([]);
    const noted = unchecked.filter((one) => one.provider_type === provider_type);
    expect(noted).toMatchObject([{ code: 'truncated', message }]);
    expect(parts.map(({ key }) => key)).not.toContain(noted[0]?.key);
  }
});

test('no type is read by its own part and by an index', () => {
  const listed = new Set(READABLE_TYPES.map(({ provider_type }) => provider_type));

  expect(Object.values(ARN_TYPES).filter((type) => listed.has(type))).toEqual([]);
});

test('no type is in two tables, and every parent is read', () => {
  const readable = READABLE_TYPES.map(({ provider_type }) => provider_type);
  const all = [...readable, ...UNREADABLE_TYPES.map(({ provider_type }) => provider_type)];

  expect(all.filter((type, index) => all.indexOf(type) !== index)).toEqual([]);
  for (const { listing } of READABLE_TYPES) if (listing.kind === 'parent') expect(readable).toContain(listing.parent);
});
