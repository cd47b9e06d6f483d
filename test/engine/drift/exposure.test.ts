import { describe, expect, test } from '@jest/globals';
import { findExposures } from '../../../engine/drift/index.ts';
import type { LiveResource } from '../../../engine/drift/types.ts';
import type { JsonObject } from '../../../engine/model/result.ts';

const AWS = { provider: 'aws' as const, external_account_id: '123456789012' };

function live(provider_type: string, id: string, properties: JsonObject | null, more: Partial<LiveResource> = {}) {
  const facts = { aliases: [], region: 'eu-west-1', name: null, tags: {}, is_complete: false };
  return { ...facts, provider_type, provider_resource_id: id, live_resource_id: id, properties, ...more };
}

const group = (id: string, CidrIp: string, FromPort = 22) =>
  live('AWS::EC2::SecurityGroup', id, {
    GroupId: id,
    SecurityGroupIngress: [{ IpProtocol: 'tcp', FromPort, ToPort: FromPort, CidrIp }],
  });
const database = (PubliclyAccessible: boolean, VPCSecurityGroups: string[] = []) =>
  live('AWS::RDS::DBInstance', 'main', { DBInstanceIdentifier: 'main', PubliclyAccessible, VPCSecurityGroups });
const bucket = (RestrictPublicBuckets?: boolean) => {
  const block = { BlockPublicPolicy: false, RestrictPublicBuckets: RestrictPublicBuckets ?? false };
  const properties = { BucketName: 'logs', PublicAccessBlockConfiguration: block };
  return live('AWS::S3::Bucket', 'logs', RestrictPublicBuckets === undefined ? { BucketName: 'logs' } : properties);
};
const policy = (Principal: string | JsonObject) => {
  const Statement = [{ Effect: 'Allow', Principal, Action: 's3:GetObject', Resource: 'arn:aws:s3:::logs/*' }];
  return live('AWS::S3::BucketPolicy', 'logs', {
    Bucket: 'logs',
    PolicyDocument: { Version: '2012-10-17', Statement },
  });
};

const find = (resource: LiveResource, neighbors: LiveResource[] = [], account = AWS) =>
  findExposures([resource], { neighbors, account }).get(resource.live_resource_id ?? '');

describe('a live resource is public', () => {
  test('if its security group is open to the internet', () => {
    expect(find(group('sg-1', '0.0.0.0/0'))).toMatchObject({ rule_id: 'R-NET-OPEN', group_id: null });
    expect(find(group('sg-1', '0.0.0.0/0'))?.message).toContain('22');
  });

  test('if it is a database with a public address', () => {
    expect(find(database(true))).toMatchObject({ rule_id: 'R-DB-PUBLIC', group_id: null });
  });

  test('if a security group that it is in is open', () => {
    expect(find(database(false, ['sg-1', 'sg-2']), [group('sg-2', '0.0.0.0/0')])).toMatchObject({ group_id: 'sg-2' });
  });

  test('if it is a bucket with a policy for everyone, and known not to ignore such policies', () => {
    expect(find(bucket(false), [policy('*')])).toMatchObject({ rule_id: 'R-STO-PUBLIC' });
    expect(findExposures([policy('*')], { neighbors: [bucket(false)], account: AWS }).size).toBe(1);
  });

  test('if it is a firewall of Google Cloud or a security group of Azure for all addresses', () => {
    const firewall = live('compute.googleapis.com/Firewall', '//compute.googleapis.com/projects/p/global/firewalls/f', {
      ...{ name: 'f', direction: 'INGRESS', sourceRanges: ['0.0.0.0/0'] },
      allowed: [{ IPProtocol: 'tcp', ports: ['22'] }],
    });
    const gcp = { provider: 'gcp' as const, external_account_id: 'p' };
    const open = { access: 'Allow', direction: 'Inbound', protocol: 'Tcp', sourceAddressPrefix: '*' };
    const ports = { destinationPortRange: '22', sourcePortRange: '*', destinationAddressPrefix: '*', priority: 100 };
    const rule = { name: 'ssh', properties: { ...open, ...ports } };
    const nsg = live('microsoft.network/networksecuritygroups', '/subscriptions/s/nsg', {
      properties: { securityRules: [rule] },
    });
    const azure = { provider: 'azure' as const, external_account_id: 's' };

    expect(findExposures([firewall], { neighbors: [], account: gcp }).size).toBe(1);
    expect(findExposures([{ ...nsg, is_complete: true }], { neighbors: [], account: azure }).size).toBe(1);
  });
});

describe('nothing says that a live resource is public', () => {
  test.each<[string, LiveResource, LiveResource[]]>([
    ['if its security group admits private addresses', group('sg-1', '10.0.0.0/8'), []],
    ['if its properties are not known', live('AWS::EC2::SecurityGroup', 'sg-1', null), []],
    ['if a database is private', database(false), []],
    [
      'if the open group is of another region',
      database(false, ['sg-1']),
      [{ ...group('sg-1', '0.0.0.0/0'), region: 'us-east-1' }],
    ],
    ['if a bucket ignores public policies', bucket(true), [policy('*')]],
    ['if it is unknown whether a bucket ignores public policies', bucket(), [policy('*')]],
    ['if the policy of a bucket names an account', bucket(false), [policy({ AWS: 'arn:aws:iam::123456789012:root' })]],
    ['if only the block of public access is off', bucket(false), []],
    ['if the bucket of a public policy is not known', policy('*'), []],
    ['if no type of Terraform manages it', live('AWS::Unheard::Of', 'x', { PubliclyAccessible: true }), []],
  ])('%s', (_when, resource, neighbors) => {
    expect(find(resource, neighbors)).toBeUndefined();
  });
});
