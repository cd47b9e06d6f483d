import { hex, type MadeAccount, type MadePart, type Resource } from './build.ts';

const ACCOUNT = '210987654321';
const REGIONS = ['eu-west-1', 'us-east-1'] as const;
const TEAMS = ['shop', 'search', 'payments'] as const;
const STAGES = ['prod', 'test'] as const;

type Make = (region: string) => Resource[];

function make(
  type: string,
  region: string | null,
  id: string,
  properties: Record<string, unknown>,
  tags: Record<string, string> = {},
): Resource {
  const name = typeof properties.Name === 'string' ? properties.Name : (tags.Name ?? null);
  const arn = properties.Arn;
  return {
    provider_type: `AWS::${type}`,
    region,
    provider_resource_id: id,
    name,
    tags,
    aliases: typeof arn === 'string' ? [arn] : [],
    properties,
  };
}

function arn(service: string, region: string, rest: string): string {
  return `arn:aws:${service}:${region}:${ACCOUNT}:${rest}`;
}

function tag(team: string, stage: string, Name?: string): Record<string, string> {
  return { team, stage, ...(Name === undefined ? {} : { Name }) };
}

/** Each team has each stage in each region. */
const each = <T>(one: (team: string, stage: string) => T[]): T[] =>
  TEAMS.flatMap((team) => STAGES.flatMap((stage) => one(team, stage)));

const REGIONAL: Record<string, Make> = {
  'EC2::VPC': (region) => [
    make('EC2::VPC', region, `vpc-${hex(`default ${region}`, 17)}`, { CidrBlock: '172.31.0.0/16', IsDefault: true }),
    ...each((team, stage) => {
      const id = `vpc-${hex(`${team} ${stage} ${region}`, 17)}`;
      return [
        make(
          'EC2::VPC',
          region,
          id,
          { CidrBlock: '10.0.0.0/16', VpcId: id, EnableDnsSupport: true },
          tag(team, stage, `${team}-${stage}`),
        ),
      ];
    }),
  ],
  'EC2::Subnet': (region) =>
    ['a', 'b', 'c'].map((zone) =>
      make('EC2::Subnet', region, `subnet-${hex(`default ${region} ${zone}`, 17)}`, {
        AvailabilityZone: `${region}${zone}`,
        MapPublicIpOnLaunch: true,
        VpcId: `vpc-${hex(`default ${region}`, 17)}`,
      }),
    ),
  'EC2::SecurityGroup': (region) => [
    make('EC2::SecurityGroup', region, `sg-${hex(`default ${region}`, 17)}`, {
      GroupName: 'default',
      GroupDescription: 'default VPC security group',
    }),
    ...TEAMS.map((team) =>
      make(
        'EC2::SecurityGroup',
        region,
        `sg-${hex(`${team} ${region}`, 17)}`,
        {
          GroupName: `${team}-web`,
          SecurityGroupIngress: [
            { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp: team === 'search' ? '0.0.0.0/0' : '10.0.0.0/8' },
          ],
        },
        team === 'search' ? {} : { team },
      ),
    ),
  ],
  'EC2::Instance': (region) =>
    each((team, stage) => {
      const id = `i-${hex(`${team} ${stage} ${region} instance`, 17)}`;
      return [
        make(
          'EC2::Instance',
          region,
          id,
          { InstanceId: id, InstanceType: stage === 'prod' ? 'm7g.large' : 't4g.small', UserData: '[redacted]' },
          tag(team, stage, `${team}-bastion-${stage}`),
        ),
      ];
    }),
  'Lambda::Function': (region) =>
    each((team, stage) =>
      ['resize', 'notify'].map((job) => {
        const FunctionName = `${team}-${job}-${stage}`;
        const Arn = arn('lambda', region, `function:${FunctionName}`);
        return make(
          'Lambda::Function',
          region,
          FunctionName,
          { FunctionName, Arn, Runtime: 'nodejs22.x', Environment: { Variables: { STAGE: '[redacted]' } } },
          tag(team, stage),
        );
      }),
    ),
  'SQS::Queue': (region) =>
    each((team, stage) =>
      ['orders', 'orders-dead-letters'].map((queue) => {
        const QueueName = `${team}-${queue}-${stage}`;
        return make(
          'SQS::Queue',
          region,
          `https://sqs.${region}.amazonaws.com/${ACCOUNT}/${QueueName}`,
          { QueueName, Arn: arn('sqs', region, QueueName), VisibilityTimeout: 30 },
          tag(team, stage),
        );
      }),
    ),
  'DynamoDB::Table': (region) =>
    each((team, stage) => {
      const TableName = `${team}-sessions-${stage}`;
      return [
        make(
          'DynamoDB::Table',
          region,
          TableName,
          { TableName, Arn: arn('dynamodb', region, `table/${TableName}`), BillingMode: 'PAY_PER_REQUEST' },
          tag(team, stage),
        ),
      ];
    }),
  'RDS::DBInstance': (region) =>
    TEAMS.map((team) => {
      const DBInstanceIdentifier = `${team}-prod`;
      return make(
        'RDS::DBInstance',
        region,
        DBInstanceIdentifier,
        {
          DBInstanceIdentifier,
          DBInstanceArn: arn('rds', region, `db:${DBInstanceIdentifier}`),
          Engine: 'postgres',
          StorageEncrypted: team !== 'search',
          PubliclyAccessible: team === 'search',
        },
        tag(team, 'prod'),
      );
    }),
  'SNS::Topic': (region) =>
    each((team, stage) => {
      const TopicName = `${team}-events-${stage}`;
      const TopicArn = arn('sns', region, TopicName);
      return [make('SNS::Topic', region, TopicArn, { TopicName, TopicArn }, tag(team, stage))];
    }),
  'ECS::Service': (region) =>
    each((team, stage) => {
      const id = arn('ecs', region, `service/${stage}/${team}-api`);
      const properties = { ServiceName: `${team}-api`, ServiceArn: id, DesiredCount: stage === 'prod' ? 4 : 1 };
      return [make('ECS::Service', region, `${id}|${stage}`, properties, tag(team, stage))];
    }),
  'SecretsManager::Secret': (region) =>
    each((team, stage) => {
      const Name = `${stage}/${team}/database`;
      const id = arn('secretsmanager', region, `secret:${Name}-${hex(`${Name} ${region}`, 6)}`);
      return [make('SecretsManager::Secret', region, id, { Name, Id: id }, tag(team, stage))];
    }),
  'CloudWatch::Alarm': (region) =>
    each((team, stage) =>
      ['errors', 'latency'].map((metric) => {
        const AlarmName = `${team}-${metric}-${stage}`;
        const properties = { AlarmName, Arn: arn('cloudwatch', region, `alarm:${AlarmName}`), Threshold: 5 };
        // Alarms were added by hand and have no tags.
        return make('CloudWatch::Alarm', region, AlarmName, properties);
      }),
    ),
  'Logs::LogGroup': (region) =>
    each((team, stage) => {
      const LogGroupName = `/aws/lambda/${team}-resize-${stage}`;
      // Made by Lambda, which sets no tags.
      return [
        make('Logs::LogGroup', region, LogGroupName, {
          LogGroupName,
          Arn: arn('logs', region, `log-group:${LogGroupName}:*`),
        }),
      ];
    }),
};

function listRoles(): Resource[] {
  const linked = ['autoscaling', 'elasticloadbalancing', 'rds', 'support', 'trustedadvisor'].map((service) => {
    const RoleName = `AWSServiceRoleFor${service}`;
    return make('IAM::Role', null, RoleName, {
      RoleName,
      Path: `/aws-service-role/${service}.amazonaws.com/`,
      Arn: `arn:aws:iam::${ACCOUNT}:role/aws-service-role/${service}.amazonaws.com/${RoleName}`,
    });
  });
  const own = each((team, stage) => {
    const RoleName = `${team}-${stage}`;
    return [
      make(
        'IAM::Role',
        null,
        RoleName,
        { RoleName, Path: '/', Arn: `arn:aws:iam::${ACCOUNT}:role/${RoleName}` },
        tag(team, stage),
      ),
    ];
  });
  return [...linked, ...own];
}

function listBuckets(): Resource[] {
  const names = [
    ...each((team, stage) => [`${team}-uploads-${stage}`, `${team}-logs-${stage}`]),
    'public-website',
    'press-kit',
    'tmp-jane',
  ];
  return names.map((BucketName, i) => {
    const is_public = ['public-website', 'press-kit'].includes(BucketName);
    const access = {
      BlockPublicAcls: !is_public,
      BlockPublicPolicy: !is_public,
      IgnorePublicAcls: !is_public,
      RestrictPublicBuckets: !is_public,
    };
    return {
      ...make(
        'S3::Bucket',
        REGIONS[i % 2] ?? null,
        `acme-${BucketName}`,
        { BucketName: `acme-${BucketName}`, PublicAccessBlockConfiguration: access },
        BucketName.startsWith('tmp') ? {} : { team: BucketName.split('-')[0] ?? '' },
      ),
      aliases: [`arn:aws:s3:::acme-${BucketName}`],
    };
  });
}

function toPart(
  type: string,
  region: string | null,
  resources: readonly Resource[],
  more: Partial<MadePart> = {},
): MadePart {
  const service = type === 'S3::Bucket' ? 's3' : 'cloudcontrolapi';
  return {
    key: `${service}/${region ?? 'global'}/AWS::${type}`,
    service,
    region,
    provider_type: `AWS::${type}`,
    resources,
    ...more,
  };
}

/** An account with three teams and two stages in two regions. */
export function makeAws(): MadeAccount {
  const regional = Object.entries(REGIONAL).flatMap(([type, one]) =>
    REGIONS.map((region) => toPart(type, region, one(region), type === 'Lambda::Function' ? { throttled: 2 } : {})),
  );
  const denied = toPart('KMS::Key', 'eu-west-1', [], {
    ends_with: {
      code: 'access_denied',
      message:
        'The role or user is not allowed to call ListResources. Grant kms:ListKeys to it. A service control policy or a permissions boundary can also deny it.',
      service: 'cloudcontrolapi',
      region: 'eu-west-1',
      provider_type: 'AWS::KMS::Key',
      permission: 'kms:ListKeys',
      retryable: false,
    },
  });
  return {
    provider: 'aws',
    external_account_id: ACCOUNT,
    identity: `arn:aws:sts::${ACCOUNT}:assumed-role/dpa/dpa`,
    permissions: [
      {
        name: 'cloudformation:ListResources',
        granted: true,
        needed_for: 'Finding the resources of each type and region.',
      },
      {
        name: 'kms:List*',
        granted: false,
        needed_for: 'Finding resources of KMS, together with cloudformation:ListResources.',
      },
    ],
    parts: [toPart('S3::Bucket', null, listBuckets()), toPart('IAM::Role', null, listRoles()), ...regional, denied],
    unchecked: [
      {
        key: 'cloudcontrolapi/global/AWS::IAM::RolePolicy',
        service: 'cloudcontrolapi',
        region: null,
        provider_type: 'AWS::IAM::RolePolicy',
        code: 'unsupported_type',
        message: 'Cloud Control lists this type only for a given parent, which would take a request for each parent.',
      },
    ],
  };
}
