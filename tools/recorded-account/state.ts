/** A state that declares the bundled account as it is: the resources that a team would manage, as its providers hold them. */
import type { MadeAccount, Resource } from './build.ts';

export type Values = Record<string, unknown>;
type Describe = (resource: Resource, properties: Values, scope: Scope) => [type: string, attributes: Values];

interface Scope {
  account: string;
}

export interface Declared {
  type: string;
  provider: string;
  attributes: Values;
  /** The name in the code, if the attributes do not tell. */
  name?: string;
}

export const PROVIDERS = {
  aws: 'provider["registry.terraform.io/hashicorp/aws"]',
  gcp: 'provider["registry.terraform.io/hashicorp/google"]',
  azure: 'provider["registry.terraform.io/hashicorp/azurerm"]',
} as const;

/** What the provider adds to the tags of each resource. */
const DEFAULT_TAGS = ['stage', 'cost-center'];

function tagsOf({ tags = {} }: Resource): Values {
  const own = Object.entries(tags).filter(([name]) => !DEFAULT_TAGS.includes(name));
  return { tags: Object.fromEntries(own), tags_all: { ...tags } };
}

const named = (arn: string, { region }: Resource, { account }: Scope, rest: string) =>
  `arn:aws:${arn}:${region}:${account}:${rest}`;

const AWS: Record<string, Describe> = {
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

function labelsOf({ tags = {} }: Resource): Values {
  return { labels: { ...tags }, effective_labels: { ...tags, 'goog-terraform-provisioned': 'true' } };
}

function placed({ provider_resource_id: id }: Resource, { account }: Scope): Values {
  const path = id.replace(/^\/\/[^/]+\//, '');
  return { id: path, name: path.split('/').at(-1), project: account };
}

const GCP: Record<string, Describe> = {
  'run.googleapis.com/Service': (resource, { ingress: _, template }, scope) => {
    const [{ image }] = (template as { containers: [{ image: string }] }).containers;
    const facts = {
      location: resource.region,
      ingress: 'INGRESS_TRAFFIC_ALL',
      template: [{ containers: [{ image }] }],
    };
    return ['google_cloud_run_v2_service', { ...placed(resource, scope), ...facts, ...labelsOf(resource) }];
  },
  'storage.googleapis.com/Bucket': (resource, { location, iamConfiguration }, scope) => {
    const { publicAccessPrevention } = iamConfiguration as Record<string, string>;
    const facts = { location, public_access_prevention: publicAccessPrevention, force_destroy: false };
    return ['google_storage_bucket', { ...placed(resource, scope), ...facts, ...labelsOf(resource) }];
  },
  'pubsub.googleapis.com/Topic': (resource, _, scope) => [
    'google_pubsub_topic',
    { ...placed(resource, scope), ...labelsOf(resource) },
  ],
  'pubsub.googleapis.com/Subscription': (resource, { ackDeadlineSeconds }, scope) => [
    'google_pubsub_subscription',
    { ...placed(resource, scope), ack_deadline_seconds: ackDeadlineSeconds, ...labelsOf(resource) },
  ],
  'iam.googleapis.com/ServiceAccount': (resource, { uniqueId }, scope) => {
    const { id, name: email, project } = placed(resource, scope);
    return ['google_service_account', { id, name: id, email, project, unique_id: uniqueId, disabled: false }];
  },
  'compute.googleapis.com/Instance': (resource, { machineType }, scope) => {
    const { id, name, project } = placed(resource, scope);
    const zone = String(id).split('/')[3];
    const self_link = `https://www.googleapis.com/compute/v1/${id}`;
    return [
      'google_compute_instance',
      { id, name, project, zone, self_link, machine_type: machineType, ...labelsOf(resource) },
    ];
  },
  'compute.googleapis.com/Disk': (resource, { sizeGb, type }, scope) => {
    const { id, name, project } = placed(resource, scope);
    const zone = String(id).split('/')[3];
    return ['google_compute_disk', { id, name, project, zone, size: Number(sizeGb), type, ...labelsOf(resource) }];
  },
  'secretmanager.googleapis.com/Secret': (resource, _, scope) => {
    const { id, name, project } = placed(resource, scope);
    return ['google_secret_manager_secret', { id, name: id, secret_id: name, project, ...labelsOf(resource) }];
  },
  'artifactregistry.googleapis.com/Repository': (resource, { format }, scope) => {
    const { id, name, project } = placed(resource, scope);
    const facts = { location: resource.region, repository_id: name, format };
    return ['google_artifact_registry_repository', { id, name, project, ...facts, ...labelsOf(resource) }];
  },
  'sqladmin.googleapis.com/Instance': (resource, { databaseVersion, settings }, scope) => {
    const { name, project } = placed(resource, scope);
    const { ipv4Enabled } = (settings as { ipConfiguration: { ipv4Enabled: boolean } }).ipConfiguration;
    const facts = { database_version: databaseVersion, region: resource.region, deletion_protection: true };
    const held = [{ tier: 'db-custom-2-7680', ip_configuration: [{ ipv4_enabled: ipv4Enabled }] }];
    return ['google_sql_database_instance', { id: name, name, project, ...facts, settings: held }];
  },
};

function inGroup({ aliases = [], name, region }: Resource): Values {
  const [id = ''] = aliases;
  // Providers write the IDs that they build themselves, not those that Azure returns.
  return {
    id: id.replace('/serverFarms/', '/serverfarms/'),
    name,
    resource_group_name: id.split('/')[4],
    location: region,
  };
}

const AZURE: Record<string, Describe> = {
  'microsoft.resources/subscriptions/resourcegroups': (resource) => {
    const { id, name, location } = inGroup(resource);
    return ['azurerm_resource_group', { id, name, location, tags: resource.tags }];
  },
  'microsoft.web/serverfarms': (resource) => ['azurerm_service_plan', { ...inGroup(resource), tags: resource.tags }],
  'microsoft.web/sites': (resource, { httpsOnly }) => [
    'azurerm_linux_web_app',
    { ...inGroup(resource), https_only: httpsOnly, app_settings: { STAGE: 'kept in the state' }, tags: resource.tags },
  ],
  'microsoft.storage/storageaccounts': (resource, { allowBlobPublicAccess, minimumTlsVersion }) => [
    'azurerm_storage_account',
    {
      ...inGroup(resource),
      allow_nested_items_to_be_public: allowBlobPublicAccess,
      min_tls_version: minimumTlsVersion,
      tags: resource.tags,
    },
  ],
  'microsoft.keyvault/vaults': (resource, { enablePurgeProtection }) => [
    'azurerm_key_vault',
    { ...inGroup(resource), purge_protection_enabled: enablePurgeProtection, tags: resource.tags },
  ],
  'microsoft.sql/servers': (resource, { publicNetworkAccess }) => [
    'azurerm_mssql_server',
    {
      ...inGroup(resource),
      public_network_access_enabled: publicNetworkAccess === 'Enabled',
      administrator_login: 'dba',
      tags: resource.tags,
    },
  ],
  'microsoft.sql/servers/databases': (resource, { zoneRedundant }) => {
    const { id } = inGroup(resource);
    const server_id = String(id).split('/').slice(0, -2).join('/');
    const name = String(id).split('/').at(-1);
    return ['azurerm_mssql_database', { id, name, server_id, zone_redundant: zoneRedundant, tags: resource.tags }];
  },
  'microsoft.network/virtualnetworks': (resource, { addressSpace }) => {
    const { addressPrefixes } = addressSpace as { addressPrefixes: string[] };
    return ['azurerm_virtual_network', { ...inGroup(resource), address_space: addressPrefixes, tags: resource.tags }];
  },
  'microsoft.network/networksecuritygroups': (resource, { securityRules }) => {
    const rules = securityRules as { name: string; access: string; sourceAddressPrefix: string }[];
    const security_rule = rules.map(({ name, access }) => ({ name, access }));
    return ['azurerm_network_security_group', { ...inGroup(resource), security_rule, tags: resource.tags }];
  },
  'microsoft.insights/components': (resource, { RetentionInDays }) => [
    'azurerm_application_insights',
    { ...inGroup(resource), retention_in_days: RetentionInDays, tags: resource.tags },
  ],
  'microsoft.managedidentity/userassignedidentities': (resource, { clientId }) => [
    'azurerm_user_assigned_identity',
    { ...inGroup(resource), client_id: clientId, tags: resource.tags },
  ],
  'microsoft.compute/disks': (resource, { diskSizeGB }) => [
    'azurerm_managed_disk',
    { ...inGroup(resource), disk_size_gb: diskSizeGB, tags: resource.tags },
  ],
};

const DESCRIBE = { aws: AWS, gcp: GCP, azure: AZURE };

function declare(account: MadeAccount): Declared[] {
  const { provider, external_account_id } = account;
  return account.parts.flatMap(({ resources }) =>
    resources
      .filter((resource) => !isServiceMade(resource))
      .flatMap((resource): Declared[] => {
        const describe = DESCRIBE[provider][resource.provider_type];
        const { properties } = resource;
        const inner = provider === 'azure' ? (properties?.['properties'] as Values) : properties;
        if (describe === undefined) return [];
        const [type, attributes] = describe(resource, { ...inner }, { account: external_account_id });
        return [{ type, provider: PROVIDERS[provider], attributes }];
      }),
  );
}

/** What nobody declares. */
function isServiceMade({ provider_resource_id, properties }: Resource): boolean {
  const { IsDefault, GroupName, Path } = properties ?? {};
  return (
    IsDefault === true ||
    GroupName === 'default' ||
    String(Path).startsWith('/aws-service-role/') ||
    provider_resource_id.endsWith('/default')
  );
}

/** Every resource that a team would declare, as its state holds it. */
export function declareAll(accounts: readonly MadeAccount[]): Declared[] {
  return accounts.flatMap(declare);
}

/** The name of a resource in the code: what people call it, without what is not allowed in a name. */
function nameResource({ attributes, name: given }: Declared): string {
  const { name, bucket, function_name, identifier, alarm_name, tags, id } = attributes;
  const named = (tags as Values | undefined)?.['Name'];
  const text = String(given ?? bucket ?? function_name ?? identifier ?? alarm_name ?? named ?? name ?? id);
  return text.slice(text.lastIndexOf('/', text.length - 2) + 1).replace(/[^A-Za-z0-9]+/g, '_');
}

/** Regions have a module each. */
function findModule({ attributes }: Declared): string | undefined {
  const arn = String(attributes['arn'] ?? attributes['id']);
  const region = arn.startsWith('arn:') ? arn.split(':')[3] : attributes['region'];
  return region === 'eu-west-1' || region === 'us-east-1' ? `module.${region.replaceAll('-', '_')}` : undefined;
}

/** The state as a file of Terraform, with one resource in each line. */
export function writeState(declared: readonly Declared[]): string {
  const used = new Map<string, number>();
  const resources = declared.map((one) => {
    const { type, provider, attributes } = one;
    const module = findModule(one);
    const name = nameResource(one);
    const key = `${module} ${type} ${name}`;
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return JSON.stringify({
      ...(module === undefined ? {} : { module }),
      ...{ mode: 'managed', type, name: count === 1 ? name : `${name}_${count}`, provider },
      instances: [{ schema_version: 0, attributes, sensitive_attributes: [] }],
    });
  });
  const header = {
    version: 4,
    terraform_version: '1.11.4',
    serial: 42,
    lineage: '1b2c9e5a-7f0d-4c1e-9a57-6a2d7c1f3e42',
    outputs: {},
  };
  return `${JSON.stringify(header).slice(0, -1)},"resources":[\n${resources.join(',\n')}\n]}\n`;
}
