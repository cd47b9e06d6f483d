/**
 * Generates plans of any size, about 5 KB per resource, in the form of `terraform show -json` for a wide AWS
 * configuration: planned_values, resource_changes, prior_state and configuration. A seed determines the text.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A resource with the values of both sides. */
export interface Resource {
  type: string;
  name: string;
  index: number;
  before: { [key: string]: Json };
  after: { [key: string]: Json };
  unknown: { [key: string]: Json };
  sensitive: { [key: string]: Json };
  actions: string[];
}

export const PROVIDER = 'registry.terraform.io/hashicorp/aws';
const REGIONS = ['eu-west-1', 'us-east-1', 'ap-southeast-2'];
const TEAMS = ['payments', 'search', 'identity', 'platform', 'billing'];

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Generates the resources of a plan one by one. */
export class ResourceGenerator {
  private readonly random: () => number;
  private readonly account: string;

  constructor(seed: number) {
    this.random = createRandom(seed);
    this.account = String(100_000_000_000 + Math.floor(this.random() * 800_000_000_000));
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  private hex(length: number): string {
    let text = '';
    while (text.length < length) text += Math.floor(this.random() * 16).toString(16);
    return text;
  }

  private tags(name: string): { [key: string]: Json } {
    return {
      Name: name,
      Team: this.pick(TEAMS),
      Environment: this.pick(['production', 'staging']),
      CostCenter: String(1000 + Math.floor(this.random() * 9000)),
      ManagedBy: 'terraform',
    };
  }

  private subnets(): string[] {
    return [`subnet-${this.hex(17)}`, `subnet-${this.hex(17)}`, `subnet-${this.hex(17)}`];
  }

  private policy(name: string): string {
    return JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Sid: 'ReadOwnObjects',
          Effect: 'Allow',
          Action: ['s3:GetObject', 's3:ListBucket'],
          Resource: [`arn:aws:s3:::${name}`, `arn:aws:s3:::${name}/*`],
        },
        { Effect: 'Allow', Action: 'logs:PutLogEvents', Resource: '*' },
      ],
    });
  }

  private instance(name: string, region: string): { [key: string]: Json } {
    const tags = this.tags(name);
    return {
      ami: `ami-${this.hex(17)}`,
      arn: `arn:aws:ec2:${region}:${this.account}:instance/i-${this.hex(17)}`,
      associate_public_ip_address: false,
      availability_zone: `${region}a`,
      credit_specification: [{ cpu_credits: 'unlimited' }],
      disable_api_termination: true,
      ebs_optimized: true,
      id: `i-${this.hex(17)}`,
      instance_type: this.pick(['t3.medium', 'm6i.large', 'c6g.xlarge']),
      metadata_options: [{ http_endpoint: 'enabled', http_put_response_hop_limit: 1, http_tokens: 'required' }],
      monitoring: true,
      private_ip: `10.${Math.floor(this.random() * 255)}.${Math.floor(this.random() * 255)}.17`,
      root_block_device: [{ encrypted: true, iops: 3000, throughput: 125, volume_size: 50, volume_type: 'gp3' }],
      subnet_id: `subnet-${this.hex(17)}`,
      tags,
      tags_all: tags,
      user_data: this.hex(40),
      vpc_security_group_ids: [`sg-${this.hex(17)}`, `sg-${this.hex(17)}`],
    };
  }

  private database(name: string, region: string): { [key: string]: Json } {
    const tags = this.tags(name);
    return {
      allocated_storage: 100,
      arn: `arn:aws:rds:${region}:${this.account}:db:${name}`,
      backup_retention_period: 14,
      backup_window: '03:00-04:00',
      ca_cert_identifier: 'rds-ca-rsa2048-g1',
      db_subnet_group_name: `${name}-subnets`,
      deletion_protection: true,
      endpoint: `${name}.${this.hex(12)}.${region}.rds.amazonaws.com:5432`,
      engine: 'postgres',
      engine_version: '15.4',
      id: name,
      identifier: name,
      instance_class: 'db.r6g.large',
      kms_key_id: `arn:aws:kms:${region}:${this.account}:key/${this.hex(32)}`,
      multi_az: true,
      parameter_group_name: `${name}-pg15`,
      password: this.hex(24),
      performance_insights_enabled: true,
      publicly_accessible: false,
      skip_final_snapshot: false,
      storage_encrypted: true,
      tags,
      tags_all: tags,
      username: 'app',
      vpc_security_group_ids: [`sg-${this.hex(17)}`],
    };
  }

  private bucket(name: string, region: string): { [key: string]: Json } {
    const tags = this.tags(name);
    return {
      acceleration_status: '',
      arn: `arn:aws:s3:::${name}`,
      bucket: name,
      bucket_domain_name: `${name}.s3.amazonaws.com`,
      force_destroy: false,
      hosted_zone_id: this.hex(14).toUpperCase(),
      id: name,
      lifecycle_rule: [],
      logging: [{ target_bucket: `${name}-logs`, target_prefix: 'access/' }],
      policy: this.policy(name),
      region,
      request_payer: 'BucketOwner',
      server_side_encryption_configuration: [
        {
          rule: [{ apply_server_side_encryption_by_default: [{ sse_algorithm: 'aws:kms' }], bucket_key_enabled: true }],
        },
      ],
      tags,
      tags_all: tags,
      versioning: [{ enabled: true, mfa_delete: false }],
      website: [],
    };
  }

  private securityGroup(name: string, region: string): { [key: string]: Json } {
    const tags = this.tags(name);
    const rule = (port: number, cidr: string): Json => ({
      cidr_blocks: [cidr],
      description: `port ${port} for ${name}`,
      from_port: port,
      ipv6_cidr_blocks: [],
      prefix_list_ids: [],
      protocol: 'tcp',
      security_groups: [],
      self: false,
      to_port: port,
    });
    return {
      arn: `arn:aws:ec2:${region}:${this.account}:security-group/sg-${this.hex(17)}`,
      description: `Managed for ${name}`,
      egress: [rule(443, '10.0.0.0/8')],
      id: `sg-${this.hex(17)}`,
      ingress: [rule(443, '10.20.0.0/16'), rule(8080, '10.30.0.0/16')],
      name,
      owner_id: this.account,
      revoke_rules_on_delete: false,
      tags,
      tags_all: tags,
      vpc_id: `vpc-${this.hex(17)}`,
    };
  }

  private lambda(name: string, region: string): { [key: string]: Json } {
    const tags = this.tags(name);
    return {
      architectures: ['arm64'],
      arn: `arn:aws:lambda:${region}:${this.account}:function:${name}`,
      environment: [{ variables: { LOG_LEVEL: 'info', TABLE: `${name}-items`, QUEUE_URL: `https://sqs/${name}` } }],
      function_name: name,
      handler: 'index.handler',
      id: name,
      invoke_arn: `arn:aws:apigateway:${region}:lambda:path/2015-03-31/functions/${name}/invocations`,
      last_modified: '2025-03-01T10:15:00.000+0000',
      memory_size: 512,
      package_type: 'Zip',
      publish: true,
      role: `arn:aws:iam::${this.account}:role/${name}`,
      runtime: 'nodejs20.x',
      source_code_hash: this.hex(44),
      source_code_size: 48_213,
      tags,
      tags_all: tags,
      timeout: 30,
      tracing_config: [{ mode: 'Active' }],
      version: '41',
      vpc_config: [
        { security_group_ids: [`sg-${this.hex(17)}`], subnet_ids: this.subnets(), vpc_id: `vpc-${this.hex(17)}` },
      ],
    };
  }

  private role(name: string): { [key: string]: Json } {
    const tags = this.tags(name);
    return {
      arn: `arn:aws:iam::${this.account}:role/${name}`,
      assume_role_policy: JSON.stringify({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
      }),
      create_date: '2024-11-02T09:00:00Z',
      force_detach_policies: false,
      id: name,
      inline_policy: [{ name: 'own', policy: this.policy(name) }],
      managed_policy_arns: [],
      max_session_duration: 3600,
      name,
      path: '/',
      permissions_boundary: null,
      tags,
      tags_all: tags,
      unique_id: `AROA${this.hex(17).toUpperCase()}`,
    };
  }

  resource(index: number): Resource {
    const type = this.pick(TYPES);
    const name = `${this.pick(TEAMS)}-${this.hex(6)}`;
    const region = this.pick(REGIONS);
    const before = this.values(type, name, region);
    const after = { ...before };
    const resource: Resource = {
      type,
      name: type.slice(4),
      index,
      before,
      after,
      unknown: {},
      sensitive: {},
      actions: ['no-op'],
    };
    if (type === 'aws_db_instance') resource.sensitive = { password: true };
    this.plan(resource);
    return resource;
  }

  private values(type: string, name: string, region: string): { [key: string]: Json } {
    if (type === 'aws_instance') return this.instance(name, region);
    if (type === 'aws_db_instance') return this.database(name, region);
    if (type === 'aws_s3_bucket') return this.bucket(name, region);
    if (type === 'aws_security_group') return this.securityGroup(name, region);
    return type === 'aws_lambda_function' ? this.lambda(name, region) : this.role(name);
  }

  /** Two thirds do not change, a fifth is updated, the rest is created, deleted or replaced. */
  private plan(resource: Resource): void {
    const roll = this.random();
    if (roll < 0.66) return;
    if (roll < 0.88) this.update(resource);
    else if (roll < 0.94) this.create(resource);
    else resource.actions = roll < 0.97 ? ['delete'] : ['delete', 'create'];
  }

  private update(resource: Resource): void {
    resource.actions = ['update'];
    const tags = this.tags(String(resource.before['id']));
    Object.assign(resource.after, { tags, tags_all: tags });
    if (resource.type === 'aws_lambda_function') {
      Object.assign(resource.after, { source_code_hash: this.hex(44), memory_size: 1024 });
      for (const name of ['version', 'last_modified']) this.hide(resource, name);
    }
    if (resource.type === 'aws_db_instance') resource.after['backup_retention_period'] = 7;
    if (resource.type === 'aws_s3_bucket' && resource.index % 4 === 0)
      resource.after['policy'] = this.policy(`${resource.name}-next`);
    if (resource.type === 'aws_instance') resource.after['instance_type'] = 'm6i.2xlarge';
  }

  private create(resource: Resource): void {
    resource.actions = ['create'];
    for (const name of ['id', 'arn', 'endpoint', 'private_ip', 'version', 'unique_id']) this.hide(resource, name);
  }

  private hide(resource: Resource, name: string): void {
    if (!Object.hasOwn(resource.after, name)) return;
    delete resource.after[name];
    resource.unknown[name] = true;
  }
}

const TYPES = [
  'aws_instance',
  'aws_db_instance',
  'aws_s3_bucket',
  'aws_security_group',
  'aws_lambda_function',
  'aws_iam_role',
] as const;

function buildAddress(resource: Resource): string {
  return `module.stack[${resource.index}].${resource.type}.${resource.name}`;
}

function toValuesEntry(resource: Resource, values: { [key: string]: Json }): Json {
  return {
    address: buildAddress(resource),
    mode: 'managed',
    type: resource.type,
    name: resource.name,
    provider_name: PROVIDER,
    schema_version: 1,
    values,
    sensitive_values: resource.sensitive,
  };
}

function toChangeEntry(resource: Resource): Json {
  const [first] = resource.actions;
  return {
    address: buildAddress(resource),
    module_address: `module.stack[${resource.index}]`,
    mode: 'managed',
    type: resource.type,
    name: resource.name,
    provider_name: PROVIDER,
    change: {
      actions: resource.actions,
      before: first === 'create' ? null : resource.before,
      after: resource.actions.length === 1 && first === 'delete' ? null : resource.after,
      after_unknown: resource.unknown,
      before_sensitive: first === 'create' ? false : resource.sensitive,
      after_sensitive: resource.sensitive,
    },
  };
}

function toConfigEntry(resource: Resource): Json {
  const expressions: { [key: string]: Json } = {};
  for (const name of Object.keys(resource.before)) {
    expressions[name] = { references: [`var.${resource.type}_${name}`, `local.${name}`] };
  }
  return {
    address: `${resource.type}.${resource.name}`,
    mode: 'managed',
    type: resource.type,
    name: resource.name,
    provider_config_key: 'aws',
    expressions,
    schema_version: 1,
  };
}

/** The text of a plan in chunks, so that a plan of any size can be written to a file. */
export function* generatePlan(resources: number, seed = 1): Generator<string> {
  const kinds: [string, string, (resource: Resource) => Json][] = [
    ['"planned_values":{"root_module":{"resources":[', ']}}', (resource) => toValuesEntry(resource, resource.after)],
    ['"resource_changes":[', ']', toChangeEntry],
    [
      '"prior_state":{"format_version":"1.0","terraform_version":"1.11.4","values":{"root_module":{"resources":[',
      ']}}}',
      (resource) => toValuesEntry(resource, resource.before),
    ],
    ['"configuration":{"root_module":{"resources":[', ']}}', toConfigEntry],
  ];
  yield '{"format_version":"1.2","terraform_version":"1.11.4"';
  for (const [open, close, entry] of kinds) {
    const generator = new ResourceGenerator(seed);
    yield `,${open}`;
    for (let i = 0; i < resources; i += 1) yield (i === 0 ? '' : ',') + JSON.stringify(entry(generator.resource(i)));
    yield close;
  }
  yield ',"relevant_attributes":[],"timestamp":"2025-06-01T12:00:00Z","applyable":true,"complete":true,"errored":false}';
}

/** The text of a plan as one string. */
export function generatePlanText(resources: number, seed = 1): string {
  return [...generatePlan(resources, seed)].join('');
}
