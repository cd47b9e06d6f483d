/** An older state of the bundled account: what people changed by hand since then is drift. */
import type { Values } from './declared/types.ts';
import { type Declared, PROVIDERS } from './state.ts';

const ARN = (service: string, rest: string) => `arn:aws:${service}:eu-west-1:210987654321:${rest}`;
const PRIVATE_RULE = {
  ...{ from_port: 443, to_port: 443, protocol: 'tcp', cidr_blocks: ['10.0.0.0/8'], description: '' },
  ...{ ipv6_cidr_blocks: [], prefix_list_ids: [], security_groups: [], self: false },
};

/** What the code declares, and somebody changed in the cloud: the name of the resource, and what the state holds. */
const CHANGED: Readonly<Record<string, (attributes: Values) => Values>> = {
  'aws_security_group search-web eu-west-1': () => ({ ingress: [PRIVATE_RULE] }),
  'aws_db_instance search-prod eu-west-1': () => ({ publicly_accessible: false }),
  'aws_ecs_service shop-api eu-west-1': ({ desired_count }) => ({ desired_count: Number(desired_count) + 2 }),
  'aws_sqs_queue payments-orders-prod us-east-1': () => ({ visibility_timeout_seconds: 120 }),
  'azurerm_storage_account acmewiki': () => ({ allow_nested_items_to_be_public: false }),
  'google_storage_bucket acme-images-files': () => ({ public_access_prevention: 'enforced' }),
};

/** What somebody created by hand. */
const UNDECLARED: readonly string[] = [
  'aws_s3_bucket acme-tmp-jane',
  'aws_s3_bucket acme-press-kit',
  'azurerm_managed_disk disk-archive',
  'google_compute_disk reports',
];

const FUNCTION = ARN('lambda', 'function:shop-invoice-prod');
const KEY = ARN('kms', 'key/6f1c0d7e-52a4-4b7e-9c1d-8a3b5e2f4d60');
const TOPIC = 'projects/acme-shop-4711/topics/refunds';

/** What somebody deleted, and what the recording cannot tell. */
const GONE: readonly Declared[] = [
  {
    type: 'aws_lambda_function',
    provider: PROVIDERS.aws,
    attributes: { id: 'shop-invoice-prod', function_name: 'shop-invoice-prod', arn: FUNCTION, runtime: 'nodejs22.x' },
  },
  {
    type: 'google_pubsub_topic',
    provider: PROVIDERS.gcp,
    attributes: { id: TOPIC, name: 'refunds', project: 'acme-shop-4711', labels: {} },
  },
  {
    type: 'aws_kms_key',
    name: 'orders',
    provider: PROVIDERS.aws,
    attributes: { id: KEY.slice(KEY.lastIndexOf('/') + 1), arn: KEY, description: 'orders' },
  },
];

/** @param declared the account as it is */
export function driftState(declared: readonly Declared[]): Declared[] {
  const kept = declared.filter((one) => !UNDECLARED.some((name) => isNamed(one, name)));
  const older = kept.map((one) => {
    const found = Object.entries(CHANGED).find(([name]) => isNamed(one, name));
    return found === undefined ? one : { ...one, attributes: { ...one.attributes, ...found[1](one.attributes) } };
  });
  return [...older, ...GONE];
}

/** @param wanted the type, the beginning of a name, and the region if there are several */
function isNamed({ type, attributes }: Declared, wanted: string): boolean {
  const [wanted_type, wanted_name = '', region] = wanted.split(' ');
  const { bucket, identifier, name, id, arn } = attributes;
  const own = String(bucket ?? identifier ?? name);
  const is_there = region === undefined || [id, arn, attributes['region']].some((one) => String(one).includes(region));
  return type === wanted_type && own.startsWith(wanted_name) && is_there;
}

export const IGNORE_RULES = `# Drift that the teams accept: docs/drift.md
ignore_rules:
  - resource_type: aws_ecs_service
    attribute: desired_count
    reason: Autoscaling changes the number of tasks.
  - resource_type: google_compute_disk
    drift_types: [new]
    provider_resource_id: "*/disks/reports"
    reason: A snapshot of the reports team, until the audit ends.
`;
