import { describe, expect, test } from '@jest/globals';
import type { ResourceChange } from '../../../engine/changes/types.ts';
import type { JsonObject } from '../../../engine/result.ts';
import { judgeAlone, judgePlan, makeChange, NOVEL, ruleIds } from './helpers.ts';

type Sides = [JsonObject | null, JsonObject | null];

function ingress(from: number, to: number, cidr: string): JsonObject {
  return { protocol: 'tcp', from_port: from, to_port: to, cidr_blocks: [cidr], ipv6_cidr_blocks: [], type: 'ingress' };
}

function role(action: string): JsonObject {
  return { policy: JSON.stringify({ Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] }) };
}

/** Changes a reader with experience would judge at sight. */
const EXAMPLES: [what: string, level: string, rule: string, change: () => ResourceChange][] = [
  [
    'tags of an S3 bucket',
    'none',
    'R-ACT-COSMETIC',
    () => update('aws_s3_bucket', { tags: { a: '1' } }, { tags: { a: '2' } }),
  ],
  [
    'tags of an IAM role',
    'low',
    'R-ACT-COSMETIC',
    () => update('aws_iam_role', { tags: { a: '1' } }, { tags: { a: '2' } }),
  ],
  [
    'RDS replaced, destroy first',
    'critical',
    'R-ACT-REPLACE-STATEFUL',
    () => makeChange('aws_db_instance', 'delete,create'),
  ],
  [
    'a security group opens 22 to the world',
    'critical',
    'R-NET-OPEN',
    () => update('aws_security_group', { ingress: [] }, { ingress: [ingress(22, 22, '0.0.0.0/0')] }),
  ],
  [
    'a new security group opens 443',
    'medium',
    'R-NET-OPEN',
    () => makeChange('aws_security_group', 'create', [null, { ingress: [ingress(443, 443, '0.0.0.0/0')] }]),
  ],
  [
    'key rotation switched on',
    'low',
    'R-ACT-HARDENING',
    () => update('aws_kms_key', { enable_key_rotation: false }, { enable_key_rotation: true }),
  ],
  [
    'ECS task definition replaced',
    'low',
    'R-ACT-VERSIONED',
    () => makeChange('aws_ecs_task_definition', 'delete,create'),
  ],
  [
    'secret version replaced',
    'low',
    'R-ACT-VERSIONED',
    () => makeChange('aws_secretsmanager_secret_version', 'delete,create'),
  ],
  [
    'certificate in use replaced, create first',
    'medium',
    'R-ACT-CREATEFIRST',
    () => makeChange('aws_acm_certificate', 'create,delete'),
  ],
  [
    'EC2 instance replaced by a new AMI',
    'high',
    'R-ACT-REPLACE-STATEFUL',
    () =>
      makeChange('aws_instance', 'delete,create', [{ ami: 'ami-1' }, { ami: 'ami-2' }], { replace_paths: [['ami']] }),
  ],
  ['one ECS service deleted', 'high', 'R-ACT-WORKLOAD', () => makeChange('aws_ecs_service', 'delete', [{}, null])],
  [
    'an ingress rule replaced to narrow its source',
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
    'backup retention 7 to 6 days',
    'medium',
    'R-DB-BACKUP',
    () => update('aws_db_instance', { backup_retention_period: 7 }, { backup_retention_period: 6 }),
  ],
  [
    'backup retention 7 to 0 days',
    'high',
    'R-DB-BACKUP',
    () => update('aws_db_instance', { backup_retention_period: 7 }, { backup_retention_period: 0 }),
  ],
  [
    'new private database without deletion protection',
    'low',
    'R-ACT-CREATE-STATEFUL',
    () => makeChange('aws_db_instance', 'create', [null, { deletion_protection: false, publicly_accessible: false }]),
  ],
  [
    'function role with logs:PutLogEvents on everything',
    'medium',
    'R-ACT-CREATE-IAM',
    () => makeChange('aws_iam_role_policy', 'create', [null, role('logs:PutLogEvents')]),
  ],
  [
    'network tag added to a GCP machine',
    'medium',
    'R-ACT-UPDATE-STATEFUL',
    () => update('google_compute_instance', { tags: ['web'] }, { tags: ['web', 'ssh'] }),
  ],
  ['ALB replaced, create first', 'medium', 'R-ACT-CREATEFIRST', () => makeChange('aws_lb', 'create,delete')],
  [
    'Lambda update',
    'low',
    'R-ACT-UPDATE-OTHER',
    () => update('aws_lambda_function', { memory_size: 128 }, { memory_size: 256 }),
  ],
];

function update(type: string, ...sides: Sides): ResourceChange {
  return makeChange(type, 'update', sides);
}

describe('worked examples', () => {
  test.each(EXAMPLES)('%s: %s by %s', (_, level, rule, change) => {
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

  test('a public access block deleted alone is high', () => {
    const plan = judgePlan([
      makeChange('aws_s3_bucket_public_access_block', 'delete', [block, null]),
      makeChange('aws_vpc', 'no-op'),
    ]);

    expect(plan.level).toBe('high');
    expect(ruleIds(plan.judgements[0]!.reasons)).toContain('R-STO-PUBLIC');
  });

  test('a public access block deleted with its bucket adds nothing to the base of the bucket', () => {
    const bucket = makeChange('aws_s3_bucket', 'delete', [{ id: 'b', bucket: 'b', force_destroy: false }, null]);
    const plan = judgePlan([makeChange('aws_s3_bucket_public_access_block', 'delete', [block, null]), bucket]);

    expect(plan.judgements[1]).toMatchObject({ level: 'critical', reasons: [{ rule_id: 'R-ACT-DELETE-STATEFUL' }] });
    expect(ruleIds(plan.judgements[0]!.reasons)).toEqual(['R-ACT-DELETE-SECURITY']);
  });

  test('a suppressed change that makes a bucket public stays high, and says that the suppression was overridden', () => {
    const noise = { ...NOVEL, classification: 'known_benign', severity: 'harmless', suppression_id: 's' } as const;
    const judgedNoise = { ...noise };

    const judgement = judgeAlone(update('aws_s3_bucket_acl', { acl: 'private' }, { acl: 'public-read' }), judgedNoise);

    expect(judgement.level).toBe('high');
    expect(judgedNoise.overridden).toBe(true);
  });

  test('reasons stand highest first, then by rule id, and the highest gives the level', () => {
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
