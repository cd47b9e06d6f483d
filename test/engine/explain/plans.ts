/** Minimal plans in the format of `terraform show -json`. */
export interface Entry {
  address: string;
  type?: string;
  actions?: string[];
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  before_sensitive?: unknown;
  after_sensitive?: unknown;
  after_unknown?: unknown;
  replace_paths?: unknown[];
  action_reason?: string;
  index?: string | number;
  module_address?: string;
  name?: string;
}

export function buildEntry({ address, type = 'aws_sqs_queue', actions = ['update'], ...more }: Entry) {
  const { before = null, after = null, action_reason, index, module_address, name = 'this', ...change } = more;
  return {
    address,
    mode: 'managed',
    type,
    name,
    ...(index === undefined ? {} : { index }),
    ...(module_address === undefined ? {} : { module_address }),
    ...(action_reason === undefined ? {} : { action_reason }),
    provider_name: 'registry.terraform.io/hashicorp/aws',
    change: { actions, before, after, after_unknown: {}, before_sensitive: {}, after_sensitive: {}, ...change },
  };
}

export function buildPlan(entries: Entry[], more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    format_version: '1.2',
    terraform_version: '1.11.4',
    resource_changes: entries.map(buildEntry),
    ...more,
  });
}

/** A deleted database, an opened firewall and an updated queue. */
export const GRAVE: Entry[] = [
  {
    address: 'aws_db_instance.main',
    type: 'aws_db_instance',
    actions: ['delete'],
    before: { engine: 'postgres', engine_version: '15.3', allocated_storage: 100 },
  },
  {
    address: 'aws_security_group.web',
    type: 'aws_security_group',
    before: { ingress: [{ from_port: 22, to_port: 22, protocol: 'tcp', cidr_blocks: ['10.0.0.0/8'] }] },
    after: { ingress: [{ from_port: 22, to_port: 22, protocol: 'tcp', cidr_blocks: ['0.0.0.0/0'] }] },
  },
  {
    address: 'aws_sqs_queue.jobs["a.b"]',
    index: 'a.b',
    before: { delay_seconds: 5, fifo_queue: false },
    after: { delay_seconds: 30, fifo_queue: true },
  },
];
