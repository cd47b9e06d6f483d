import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judgePlan, type PlannedResource, unchanged } from '../plans.ts';

const ARN = 'arn:aws:sqs:eu-west-1:111122223333:';
const change = (type: string, side: JsonObject, before: JsonObject, after: JsonObject): PlannedResource => [
  type,
  { ...side, ...before },
  { ...side, ...after },
];
const queue = (from: number, to: number) =>
  change(
    'aws_sqs_queue',
    { name: 'orders', arn: `${ARN}orders` },
    { visibility_timeout_seconds: from },
    { visibility_timeout_seconds: to },
  );
const mapping = unchanged('aws_lambda_event_source_mapping', {
  event_source_arn: `${ARN}orders`,
  function_name: 'worker',
});
const worker = unchanged('aws_lambda_function', { function_name: 'worker', timeout: 300 });

const meta = (name: string) => [{ name, namespace: 'shop' }];
const pods = (app: string, replicas: number, port = 8080) =>
  unchanged('kubernetes_deployment_v1', {
    metadata: meta(app),
    spec: [
      {
        replicas: String(replicas),
        template: [
          {
            metadata: [{ labels: { app } }],
            spec: [{ container: [{ name: 'c', port: [{ container_port: port, name: 'web' }] }] }],
          },
        ],
      },
    ],
  });
const service = (selector: JsonObject, target_port: string): JsonObject => ({
  metadata: meta('front'),
  spec: [{ selector, port: [{ port: 80, target_port }] }],
});
const budget = (min_available: string): JsonObject => ({
  metadata: meta('a'),
  spec: [{ min_available, selector: [{ match_labels: { app: 'a' } }] }],
});
const group = 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:targetgroup/web/0a1b';
const check = (port: string): JsonObject => ({ arn: group, port: 8080, health_check: [{ path: '/up', port }] });
const tasks = unchanged('aws_ecs_service', {
  name: 'web',
  desired_count: 12,
  load_balancer: [{ target_group_arn: group, container_port: 8080 }],
});
const scaling = (from: number, to: number) =>
  change(
    'aws_appautoscaling_target',
    { resource_id: 'service/main/web', scalable_dimension: 'ecs:service:DesiredCount', min_capacity: 2 },
    { max_capacity: from },
    { max_capacity: to },
  );
const plan = (days: number): JsonObject => ({
  name: 'p',
  rule: [{ target_vault_name: 'safe', lifecycle: [{ delete_after: days }] }],
});
const lock = unchanged('aws_backup_vault_lock_configuration', {
  backup_vault_name: 'safe',
  min_retention_days: 14,
  max_retention_days: 90,
});
const script = Buffer.from('#!/bin/sh\nsleep 240\n/opt/start\n').toString('base64');
const machines = (grace: number) => ({
  name: 'm',
  health_check_type: 'ELB',
  health_check_grace_period: grace,
  launch_template: [{ id: 'lt-0a', version: '1' }],
});
const template = unchanged('aws_launch_template', { id: 'lt-0a', name: 't', user_data: script });

describe('arguments that no longer fit another resource', () => {
  test.each<[string, string, PlannedResource[]]>([
    ['a visibility timeout below the timeout of the function', 'high', [queue(1800, 60), mapping, worker]],
    [
      'a timeout of the function above the visibility timeout',
      'high',
      [
        unchanged('aws_sqs_queue', { arn: `${ARN}orders`, visibility_timeout_seconds: 60 }),
        mapping,
        change('aws_lambda_function', { function_name: 'worker' }, { timeout: 30 }, { timeout: 600 }),
      ],
    ],
    [
      'a health check on a port that no container has',
      'high',
      [['aws_lb_target_group', check('8080'), check('9000')], tasks],
    ],
    ['a maximum below what runs', 'high', [scaling(40, 8), tasks]],
    ['backups that the lock of the vault refuses', 'high', [['aws_backup_plan', plan(30), plan(120)], lock]],
    ['checks before the start script ends', 'high', [['aws_autoscaling_group', machines(300), machines(60)], template]],
    [
      'a selector of pods without replicas',
      'high',
      [
        ['kubernetes_service_v1', service({ app: 'a' }, '8080'), service({ app: 'b' }, '8080')],
        pods('a', 3),
        pods('b', 0),
      ],
    ],
    [
      'a target port that no container has',
      'high',
      [['kubernetes_service_v1', service({ app: 'a' }, 'web'), service({ app: 'a' }, 'admin')], pods('a', 3)],
    ],
    [
      'a budget that keeps every pod',
      'medium',
      [['kubernetes_pod_disruption_budget_v1', budget('1'), budget('3')], pods('a', 3)],
    ],
    [
      'versions that are suspended under a replication',
      'high',
      [
        [
          'aws_s3_bucket_versioning',
          { bucket: 'b', versioning_configuration: [{ status: 'Enabled' }] },
          { bucket: 'b', versioning_configuration: [{ status: 'Suspended' }] },
        ],
        unchanged('aws_s3_bucket_replication_configuration', { bucket: 'b', rule: [] }),
      ],
    ],
  ])('%s: %s', (_, level, resources) => {
    const { level: found, rules } = judgePlan(resources);
    expect(rules).toContain('R-REL-FIT');
    expect(found).toBe(level);
  });

  test.each<[string, PlannedResource[]]>([
    ['a visibility timeout that still fits', [queue(1800, 900), mapping, worker]],
    ['a visibility timeout of another queue', [queue(1800, 60), worker]],
    ['a visibility timeout that did not fit before', [queue(100, 60), mapping, worker]],
    [
      'a health check on the port of the traffic',
      [['aws_lb_target_group', check('8080'), check('traffic-port')], tasks],
    ],
    ['a maximum above what runs', [scaling(40, 20), tasks]],
    ['backups within the lock', [['aws_backup_plan', plan(30), plan(60)], lock]],
    ['checks after the start script', [['aws_autoscaling_group', machines(600), machines(300)], template]],
    [
      'a selector of pods that run',
      [
        ['kubernetes_service_v1', service({ app: 'a' }, '8080'), service({ app: 'b' }, '8080')],
        pods('a', 3),
        pods('b', 3),
      ],
    ],
    [
      'a budget that lets one pod go',
      [['kubernetes_pod_disruption_budget_v1', budget('1'), budget('2')], pods('a', 3)],
    ],
  ])('%s gives no reason', (_, resources) => {
    expect(judgePlan(resources).rules).not.toContain('R-REL-FIT');
  });
});

describe('arguments of one resource', () => {
  const rolling = (most: number, least: number) => ({
    name: 'w',
    deployment_maximum_percent: most,
    deployment_minimum_healthy_percent: least,
  });
  const topic = (least: string) => ({ name: 't', replication_factor: 3, config: { 'min.insync.replicas': least } });

  test('that leave no room together are reported', () => {
    expect(judgePlan([['aws_ecs_service', rolling(200, 100), rolling(100, 100)]]).level).toBe('high');
    expect(judgePlan([['kafka_topic', topic('2'), topic('3')]]).level).toBe('high');
  });

  test('that leave room are not', () => {
    expect(judgePlan([['aws_ecs_service', rolling(200, 100), rolling(150, 100)]]).rules).not.toContain('R-REL-FIT');
    expect(judgePlan([['kafka_topic', topic('1'), topic('2')]]).rules).not.toContain('R-REL-FIT');
  });
});
