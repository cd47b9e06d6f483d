import { describe, expect, test } from '@jest/globals';
import type { ResourceChange } from '../../../engine/changes/types.ts';
import type { JsonObject } from '../../../engine/model/result.ts';
import { judgeAlone, judgePlan, makeChange, NOVEL, ruleIds } from './helpers.ts';

type Sides = [JsonObject | null, JsonObject | null];

function ingress(from: number, to: number, cidr: string): JsonObject {
  return { protocol: 'tcp', from_port: from, to_port: to, cidr_blocks: [cidr], ipv6_cidr_blocks: [], type: 'ingress' };
}

function role(action: string): JsonObject {
  return { policy: JSON.stringify({ Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] }) };
}

/** Changes whose level is obvious to an experienced engineer. */
const EXAMPLES: [what: string, level: string, rule: string, change: () => ResourceChange][] = [
  [
    'a change of the tags of an S3 bucket',
    'none',
    'R-ACT-COSMETIC',
    () => update('aws_s3_bucket', { tags: { a: '1' } }, { tags: { a: '2' } }),
  ],
  [
    'a change of the tags of an IAM role',
    'low',
    'R-ACT-COSMETIC',
    () => update('aws_iam_role', { tags: { a: '1' } }, { tags: { a: '2' } }),
  ],
  [
    'a destroy-first replacement of a database',
    'critical',
    'R-ACT-REPLACE-STATEFUL',
    () => makeChange('aws_db_instance', 'delete,create'),
  ],
  [
    'a security group that opens port 22 to the internet',
    'critical',
    'R-NET-OPEN',
    () => update('aws_security_group', { ingress: [] }, { ingress: [ingress(22, 22, '0.0.0.0/0')] }),
  ],
  [
    'a new security group that opens port 443',
    'medium',
    'R-NET-OPEN',
    () => makeChange('aws_security_group', 'create', [null, { ingress: [ingress(443, 443, '0.0.0.0/0')] }]),
  ],
  [
    'turning on key rotation',
    'low',
    'R-ACT-HARDENING',
    () => update('aws_kms_key', { enable_key_rotation: false }, { enable_key_rotation: true }),
  ],
  [
    'a replacement of an ECS task definition',
    'low',
    'R-ACT-VERSIONED',
    () => makeChange('aws_ecs_task_definition', 'delete,create'),
  ],
  [
    'a replacement of a secret version',
    'low',
    'R-ACT-VERSIONED',
    () => makeChange('aws_secretsmanager_secret_version', 'delete,create'),
  ],
  [
    'a create-first replacement of a certificate',
    'medium',
    'R-ACT-CREATEFIRST',
    () => makeChange('aws_acm_certificate', 'create,delete'),
  ],
  [
    'a replacement of an EC2 instance for a new AMI',
    'high',
    'R-ACT-REPLACE-STATEFUL',
    () =>
      makeChange('aws_instance', 'delete,create', [{ ami: 'ami-1' }, { ami: 'ami-2' }], { replace_paths: [['ami']] }),
  ],
  ['deleting one ECS service', 'high', 'R-ACT-WORKLOAD', () => makeChange('aws_ecs_service', 'delete', [{}, null])],
  [
    'a replacement of an ingress rule with a narrower source',
    'medium',
    'R-ACT-LINK',
    () =>
      makeChange(
        'aws_security_group_rule',
        'delete,create',
        [ingress(443, 443, '10.0.0.0/16'), ingress(443, 443, '10.0.1.0/24')],
        {
          replace_paths: [['cidr_blocks']],
        },
      ),
  ],
  [
    'reducing backup retention from 7 to 6 days',
    'medium',
    'R-DB-BACKUP',
    () => update('aws_db_instance', { backup_retention_period: 7 }, { backup_retention_period: 6 }),
  ],
  [
    'reducing backup retention from 7 to 0 days',
    'high',
    'R-DB-BACKUP',
    () => update('aws_db_instance', { backup_retention_period: 7 }, { backup_retention_period: 0 }),
  ],
  [
    'a new private database without deletion protection',
    'low',
    'R-ACT-CREATE-STATEFUL',
    () => makeChange('aws_db_instance', 'create', [null, { deletion_protection: false, publicly_accessible: false }]),
  ],
  [
    'a new function role with logs:PutLogEvents on all resources',
    'medium',
    'R-ACT-CREATE-IAM',
    () => makeChange('aws_iam_role_policy', 'create', [null, role('logs:PutLogEvents')]),
  ],
  [
    'adding a network tag to a GCP instance',
    'medium',
    'R-ACT-UPDATE-STATEFUL',
    () => update('google_compute_instance', { tags: ['web'] }, { tags: ['web', 'ssh'] }),
  ],
  [
    'a create-first replacement of a load balancer',
    'medium',
    'R-ACT-CREATEFIRST',
    () => makeChange('aws_lb', 'create,delete'),
  ],
  [
    'an update of a Lambda function',
    'low',
    'R-ACT-UPDATE-OTHER',
    () => update('aws_lambda_function', { memory_size: 128 }, { memory_size: 256 }),
  ],
];

function update(type: string, ...sides: Sides): ResourceChange {
  return makeChange(type, 'update', sides);
}

describe('in the worked examples', () => {
  test.each(EXAMPLES)('%s has the level %s because of %s', (_, level, rule, change) => {
    const judgement = judgeAlone(change());

    expect(judgement.level).toBe(level);
    expect(ruleIds(judgement.reasons)).toContain(rule);
  });

  const block = {
    id: 'b',
    bucket: 'b',
    block_public_acls: true,
    block_public_policy: true,
    ignore_public_acls: true,
    restrict_public_buckets: true,
  };

  test('deleting only a public access block is high', () => {
    const plan = judgePlan([
      makeChange('aws_s3_bucket_public_access_block', 'delete', [block, null]),
      makeChange('aws_vpc', 'no-op'),
    ]);

    expect(plan.level).toBe('high');
    expect(ruleIds(plan.judgements[0]!.reasons)).toContain('R-STO-PUBLIC');
  });

  test('deleting a public access block with its bucket adds no reason to the bucket', () => {
    const bucket = makeChange('aws_s3_bucket', 'delete', [{ id: 'b', bucket: 'b', force_destroy: false }, null]);
    const plan = judgePlan([makeChange('aws_s3_bucket_public_access_block', 'delete', [block, null]), bucket]);

    expect(plan.judgements[1]).toMatchObject({ level: 'critical', reasons: [{ rule_id: 'R-ACT-DELETE-STATEFUL' }] });
    expect(ruleIds(plan.judgements[0]!.reasons)).toEqual(['R-ACT-DELETE-SECURITY']);
  });

  test('a suppressed change that makes a bucket public stays high and marks the suppression as overridden', () => {
    const noise = { ...NOVEL, classification: 'known_benign', severity: 'harmless', suppression_id: 's' } as const;
    const judgedNoise = { ...noise };

    const judgement = judgeAlone(update('aws_s3_bucket_acl', { acl: 'private' }, { acl: 'public-read' }), judgedNoise);

    expect(judgement.level).toBe('high');
    expect(judgedNoise.overridden).toBe(true);
  });

  test('reasons are sorted by level and rule id, and the first one has the final level', () => {
    for (const [, , , change] of EXAMPLES) {
      const { level, reasons } = judgeAlone(change());
      const order = reasons.map(
        ({ level: own, rule_id }) => `${['critical', 'high', 'medium', 'low', 'none'].indexOf(own)} ${rule_id}`,
      );
      expect(order).toEqual([...order].sort());
      expect(reasons[0]?.level).toBe(level);
    }
  });
});
