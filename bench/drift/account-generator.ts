import type { DriftAccount, LiveResource } from '../../engine/drift/index.ts';
import type { JsonObject } from '../../engine/index.ts';
import type { StateInstance, StateValues } from '../../engine/state/index.ts';

const ACCOUNT = '210987654321';
const REGION = 'eu-west-1';
/** One in so many resources differs, is gone, or is undeclared. */
const EVERY = 100;

/** A resource of a state and its object in the cloud; either may be missing. */
export interface Pair {
  type: string;
  attributes: JsonObject | null;
  live: LiveResource | null;
}

type Make = (
  name: string,
  i: number,
) => { type: string; cloud_type: string; id: string; attributes: JsonObject; properties: JsonObject };

const MAKERS: readonly Make[] = [
  (name) => {
    const id = `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${name}`;
    const arn = `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;
    return {
      type: 'aws_sqs_queue',
      cloud_type: 'AWS::SQS::Queue',
      id,
      attributes: {
        id,
        url: id,
        arn,
        name,
        visibility_timeout_seconds: 30,
        delay_seconds: 0,
        max_message_size: 262_144,
      },
      properties: { QueueName: name, Arn: arn, VisibilityTimeout: 30, DelaySeconds: 0, MaximumMessageSize: 262_144 },
    };
  },
  (name, i) => {
    const id = `sg-${String(i).padStart(17, '0')}`;
    const cidr = `10.${i % 250}.0.0/16`;
    const sources = {
      cidr_blocks: [cidr],
      ipv6_cidr_blocks: [],
      prefix_list_ids: [],
      security_groups: [],
      self: false,
    };
    const ingress = [{ protocol: 'tcp', from_port: 443, to_port: 443, description: '', ...sources }];
    return {
      type: 'aws_security_group',
      cloud_type: 'AWS::EC2::SecurityGroup',
      id,
      attributes: { id, arn: `arn:aws:ec2:${REGION}:${ACCOUNT}:security-group/${id}`, name, ingress, egress: [] },
      properties: {
        GroupName: name,
        SecurityGroupIngress: [{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp: cidr }],
        SecurityGroupEgress: [],
      },
    };
  },
  (name) => {
    const arn = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
    const common = { subnets: ['subnet-1', 'subnet-2'], groups: ['sg-1'] };
    return {
      type: 'aws_lambda_function',
      cloud_type: 'AWS::Lambda::Function',
      id: name,
      attributes: {
        ...{
          id: name,
          function_name: name,
          arn,
          runtime: 'nodejs22.x',
          memory_size: 512,
          timeout: 30,
          handler: 'index.main',
        },
        vpc_config: [{ subnet_ids: common.subnets, security_group_ids: common.groups, vpc_id: 'vpc-1' }],
      },
      properties: {
        ...{ FunctionName: name, Arn: arn, Runtime: 'nodejs22.x', MemorySize: 512, Timeout: 30, Handler: 'index.main' },
        VpcConfig: { SubnetIds: common.subnets, SecurityGroupIds: common.groups },
      },
    };
  },
  (name) => {
    const arn = `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`;
    return {
      type: 'aws_dynamodb_table',
      cloud_type: 'AWS::DynamoDB::Table',
      id: name,
      attributes: {
        ...{ id: name, name, arn, billing_mode: 'PAY_PER_REQUEST', hash_key: 'id', deletion_protection_enabled: true },
        attribute: [{ name: 'id', type: 'S' }],
        point_in_time_recovery: [{ enabled: true }],
      },
      properties: {
        ...{ TableName: name, Arn: arn, BillingMode: 'PAY_PER_REQUEST', DeletionProtectionEnabled: true },
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    };
  },
];

/** As many resources of four types; about 1 % are changed, 1 % missing and 1 % undeclared. */
export function generatePairs(count: number): Pair[] {
  return Array.from({ length: count }, (_, i) => makePair(i));
}

/** One of the resources that `generatePairs` returns. */
export function makePair(i: number): Pair {
  const { type, cloud_type, id, attributes, properties } = MAKERS[i % MAKERS.length]!(`service-${i}`, i);
  const tags = { team: `team-${i % 40}`, stage: i % 2 === 0 ? 'prod' : 'test' };
  const kind = Math.floor(i / MAKERS.length) % EVERY;
  const live: LiveResource = {
    ...{ provider_type: cloud_type, provider_resource_id: id, aliases: [String(attributes['arn'])], region: REGION },
    ...{ name: `service-${i}`, tags: kind === 0 ? { ...tags, team: 'nobody' } : tags, properties, is_complete: true },
  };
  return {
    type,
    attributes: kind === 1 ? null : { ...attributes, tags, tags_all: tags },
    live: kind === 2 ? null : live,
  };
}

/** The resource of the state as a reader of states returns it; undefined if no state declares it. */
export function toHeld({ type, attributes }: Pair): { instance: StateInstance; values: StateValues } | undefined {
  if (attributes === null) return undefined;
  const { id, arn, name } = attributes as Record<string, string>;
  const identifiers = { id: String(id), arn: String(arn), ...(name === undefined ? {} : { name }) };
  const instance: StateInstance = {
    ...{ module_address: null, mode: 'managed', index: null, deposed: null, tainted: false },
    ...{ address: `${type}.r["${id}"]`, type, name: 'r', provider: 'aws', provider_name: 'hashicorp/aws' },
    ...{ schema_version: 1, dependencies: [], sensitive_count: 0 },
  };
  return { instance, values: { identifiers, attributes, identity: null } };
}

export const BENCH_ACCOUNT: DriftAccount = {
  provider: 'aws',
  external_account_id: ACCOUNT,
  parts: ['AWS::SQS::Queue', 'AWS::EC2::SecurityGroup', 'AWS::Lambda::Function', 'AWS::DynamoDB::Table'].map(
    (provider_type) => ({ region: REGION, provider_type }),
  ),
  unread: [],
};
