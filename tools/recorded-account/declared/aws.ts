import type { Resource } from '../build.ts';
import type { Describe, Scope, Values } from './types.ts';

/** What the provider adds to the tags of each resource. */
const DEFAULT_TAGS = ['stage', 'cost-center'];

function tagsOf({ tags = {} }: Resource): Values {
  const own = Object.entries(tags).filter(([name]) => !DEFAULT_TAGS.includes(name));
  return { tags: Object.fromEntries(own), tags_all: { ...tags } };
}

const named = (arn: string, { region }: Resource, { account }: Scope, rest: string) =>
  `arn:aws:${arn}:${region}:${account}:${rest}`;

export const AWS: Readonly<Record<string, Describe>> = {
  'AWS::S3::Bucket': (resource) => {
    const { provider_resource_id: bucket, region } = resource;
    const facts = { id: bucket, bucket, arn: `arn:aws:s3:::${bucket}`, region, force_destroy: false };
    return ['aws_s3_bucket', { ...facts, ...tagsOf(resource) }];
  },
  'AWS::IAM::Role': (resource, { RoleName, Path, Arn }) => [
    'aws_iam_role',
    { id: RoleName, name: RoleName, arn: Arn, path: Path, max_session_duration: 3600, ...tagsOf(resource) },
  ],
  'AWS::EC2::VPC': (resource, { CidrBlock, EnableDnsSupport }, scope) => {
    const id = resource.provider_resource_id;
    const arn = named('ec2', resource, scope, `vpc/${id}`);
    return ['aws_vpc', { id, arn, cidr_block: CidrBlock, enable_dns_support: EnableDnsSupport, ...tagsOf(resource) }];
  },
  'AWS::EC2::SecurityGroup': (resource, { GroupName, SecurityGroupIngress }, scope) => {
    const id = resource.provider_resource_id;
    const rules = SecurityGroupIngress as { FromPort: number; ToPort: number; CidrIp: string; IpProtocol: string }[];
    const ingress = rules.map(({ FromPort, ToPort, CidrIp, IpProtocol }) => ({
      ...{ from_port: FromPort, to_port: ToPort, protocol: IpProtocol, cidr_blocks: [CidrIp], description: '' },
      ...{ ipv6_cidr_blocks: [], prefix_list_ids: [], security_groups: [], self: false },
    }));
    const arn = named('ec2', resource, scope, `security-group/${id}`);
    return ['aws_security_group', { id, arn, name: GroupName, ingress, egress: [], ...tagsOf(resource) }];
  },
  'AWS::EC2::Instance': (resource, { InstanceType }, scope) => {
    const id = resource.provider_resource_id;
    const arn = named('ec2', resource, scope, `instance/${id}`);
    return ['aws_instance', { id, arn, instance_type: InstanceType, user_data: null, ...tagsOf(resource) }];
  },
  'AWS::Lambda::Function': (resource, { FunctionName, Arn, Runtime }) => [
    'aws_lambda_function',
    {
      ...{ id: FunctionName, function_name: FunctionName, arn: Arn, runtime: Runtime },
      environment: [{ variables: { STAGE: 'kept in the state' } }],
      ...tagsOf(resource),
    },
  ],
  'AWS::SQS::Queue': (resource, { QueueName, Arn, VisibilityTimeout }) => {
    const url = resource.provider_resource_id;
    return [
      'aws_sqs_queue',
      { id: url, url, arn: Arn, name: QueueName, visibility_timeout_seconds: VisibilityTimeout, ...tagsOf(resource) },
    ];
  },
  'AWS::DynamoDB::Table': (resource, { TableName, Arn, BillingMode }) => [
    'aws_dynamodb_table',
    { id: TableName, name: TableName, arn: Arn, billing_mode: BillingMode, ...tagsOf(resource) },
  ],
  'AWS::RDS::DBInstance': (resource, properties) => [
    'aws_db_instance',
    {
      id: `db-${String(properties['DBInstanceIdentifier']).toUpperCase()}`,
      identifier: properties['DBInstanceIdentifier'],
      arn: properties['DBInstanceArn'],
      engine: properties['Engine'],
      storage_encrypted: properties['StorageEncrypted'],
      publicly_accessible: properties['PubliclyAccessible'],
      ...tagsOf(resource),
    },
  ],
  'AWS::SNS::Topic': (resource, { TopicName, TopicArn }) => [
    'aws_sns_topic',
    { id: TopicArn, arn: TopicArn, name: TopicName, ...tagsOf(resource) },
  ],
  'AWS::ECS::Service': (resource, { ServiceName, ServiceArn, DesiredCount }, scope) => {
    const stage = String(resource.provider_resource_id).split('|')[1];
    const cluster = named('ecs', resource, scope, `cluster/${stage}`);
    const facts = { id: ServiceArn, name: ServiceName, cluster, desired_count: DesiredCount };
    return ['aws_ecs_service', { ...facts, region: resource.region, ...tagsOf(resource) }];
  },
  'AWS::SecretsManager::Secret': (resource, { Name, Id }) => [
    'aws_secretsmanager_secret',
    { id: Id, arn: Id, name: Name, recovery_window_in_days: 30, ...tagsOf(resource) },
  ],
  'AWS::CloudWatch::Alarm': (resource, { AlarmName, Arn, Threshold }) => [
    'aws_cloudwatch_metric_alarm',
    { id: AlarmName, alarm_name: AlarmName, arn: Arn, threshold: Threshold, ...tagsOf(resource) },
  ],
  'AWS::Logs::LogGroup': (resource, { LogGroupName, Arn }) => [
    'aws_cloudwatch_log_group',
    { id: LogGroupName, name: LogGroupName, arn: String(Arn).slice(0, -2), ...tagsOf(resource) },
  ],
};
