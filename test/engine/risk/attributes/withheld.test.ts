import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../engine/model/result.ts';
import { findings } from './judging.ts';

const statement = (more: JsonObject) => JSON.stringify({ Statement: [{ Effect: 'Allow', Resource: '*', ...more }] });

/** Changes that give a reason. Messages may contain any text in them unless it is marked as sensitive. */
const CHANGES: [type: string, before: JsonObject, after: JsonObject][] = [
  [
    'aws_security_group',
    { ingress: [{ protocol: 'tcp', from_port: 2200, to_port: 2200, cidr_blocks: ['10.9.8.0/24'] }] },
    { ingress: [{ protocol: 'tcp', from_port: 2200, to_port: 2200, cidr_blocks: ['10.9.0.0/16'] }] },
  ],
  [
    'aws_security_group',
    { ingress: [] },
    { ingress: [{ protocol: 'tcp', from_port: 2200, to_port: 2200, cidr_blocks: ['0.0.0.0/0'] }] },
  ],
  [
    'azurerm_network_security_rule',
    {},
    {
      access: 'Allow',
      direction: 'Inbound',
      protocol: 'Tcp',
      source_address_prefix: '*',
      destination_port_range: '2200',
    },
  ],
  ['aws_iam_policy', { policy: '' }, { policy: statement({ Action: ['iam:PassRole', 's3:*'] }) }],
  [
    'aws_iam_role',
    { assume_role_policy: '' },
    { assume_role_policy: statement({ Principal: { AWS: '999988887777' }, Action: 'sts:AssumeRole' }) },
  ],
  ['aws_iam_role_policy_attachment', {}, { policy_arn: 'arn:aws:iam::aws:policy/AmazonS3FullAccess' }],
  ['google_project_iam_member', {}, { role: 'roles/owner', member: 'user:canary@example.com' }],
  [
    'google_project_iam_binding',
    { role: 'roles/viewer', members: ['user:canary@example.com'] },
    { role: 'roles/viewer', members: [] },
  ],
  ['azurerm_key_vault_access_policy', { key_permissions: [] }, { key_permissions: ['Purge'] }],
  ['azurerm_role_assignment', {}, { role_definition_name: 'Contributor', scope: '/subscriptions/canary' }],
  [
    'aws_db_instance',
    { backup_retention_period: 35, kms_key_id: 'canary-one' },
    { backup_retention_period: 14, kms_key_id: 'canary-two' },
  ],
  ['aws_ecs_service', { desired_count: 4711 }, { desired_count: 1234 }],
  [
    'aws_s3_bucket_lifecycle_configuration',
    { rule: [{ id: 'a', status: 'Enabled', expiration: [{ days: 4711 }] }] },
    { rule: [{ id: 'a', status: 'Enabled', expiration: [{ days: 1234 }] }] },
  ],
  ['google_kms_crypto_key', { rotation_period: '4711s' }, { rotation_period: '99999s' }],
  [
    'aws_lb_listener',
    { protocol: 'HTTPS', ssl_policy: 'ELBSecurityPolicy-TLS-1-2-2017-01' },
    { protocol: 'HTTPS', ssl_policy: 'ELBSecurityPolicy-2016-08' },
  ],
  [
    'aws_route53_record',
    { name: 'canary.example.com', type: 'A', records: ['192.0.2.1'] },
    { name: 'canary.example.com', type: 'A', records: ['192.0.2.2'] },
  ],
  [
    'aws_route53_record',
    { name: 'canary.com', type: 'A', records: ['192.0.2.1'] },
    { name: 'canary.com', type: 'A', records: ['192.0.2.2'] },
  ],
  [
    'aws_ecs_task_definition',
    { container_definitions: '[]' },
    { container_definitions: JSON.stringify([{ name: 'canary', privileged: true }]) },
  ],
  ['google_bigquery_table', { schema: '[{"name":"canary","type":"STRING"}]' }, { schema: '[]' }],
];

describe('the message of a reason', () => {
  test.each(CHANGES)('exists for the change of %s', (type, before, after) => {
    expect(findings('update', type, { before, after }).reasons.length).toBeGreaterThan(0);
  });

  test.each(CHANGES)('contains no value of %s that the plan marks as sensitive', (type, before, after) => {
    const sensitive = marks({ ...before, ...after });
    const { reasons } = findings('update', type, { before, after, sensitive });

    expect(reasons.length).toBeGreaterThan(0);
    for (const { message } of reasons)
      for (const value of collectTexts(before, after)) expect(message).not.toContain(value);
  });
});

/** Marks every top-level attribute as a whole. */
function marks(side: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(side).map((key) => [key, true]));
}

/** Returns all numbers, and the strings that are long enough to differ from ordinary words. */
function collectTexts(...values: JsonValue[]): string[] {
  return values.flatMap((value) => {
    if (typeof value === 'string' && /^[[{]/.test(value)) return collectTexts(JSON.parse(value) as JsonValue);
    if (typeof value === 'string' || typeof value === 'number')
      return String(value).length >= 4 || typeof value === 'number' ? [String(value)] : [];
    return typeof value === 'object' && value !== null ? collectTexts(...Object.values(value)) : [];
  });
}
