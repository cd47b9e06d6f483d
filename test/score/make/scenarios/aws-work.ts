import { create, createNoOp, destroy, markSensitive, replace, UNKNOWN, update } from '../changes.ts';
import type { Json, Scenario } from '../types.ts';

function container(more: { [key: string]: Json }): string {
  return JSON.stringify([{ cpu: 0, essential: true, image: 'registry.example/shop:2.0.0', name: 'shop', ...more }]);
}

const REVISION = { version: UNKNOWN, qualified_arn: UNKNOWN, last_modified: UNKNOWN };
const PATTERN = '{"source":["aws.ec2"],"detail-type":["EC2 Instance State-change Notification"]}';

/** AWS services and machines, with their noise and secrets. */
export const AWS_WORK_SCENARIOS: readonly Scenario[] = [
  {
    file: 'aws-deploy-routine',
    expected: 'low',
    acceptable: 'low',
    why: 'An ordinary release: a new task definition, a new function version.',
    changes: [
      replace(
        'aws_ecs_task_definition.shop',
        { container_definitions: container({ image: 'registry.example/shop:2.0.1' }) },
        { container_definitions: container({}) },
      ),
      update('aws_ecs_service.shop', { task_definition: UNKNOWN }),
      update('aws_lambda_function.mailer', {
        source_code_hash: 'bmV3IGNvZGUgbmV3IGNvZGUgbmV3IGNvZGUgbmV3IGM=',
        ...REVISION,
      }),
    ],
    beside: ['aws', 4],
    noise: { 'aws_lambda_function.mailer': 'novel', 'aws_ecs_service.shop': 'novel' },
  },
  {
    file: 'aws-service-to-zero',
    expected: 'high',
    why: 'The shop is scaled to zero.',
    changes: [update('aws_ecs_service.shop', { desired_count: 0 })],
    beside: ['aws', 8],
    keys: { 'aws_ecs_service.shop': 'high' },
  },
  {
    file: 'aws-group-to-zero',
    expected: 'high',
    why: 'The instance group is scaled to zero.',
    changes: [update('aws_autoscaling_group.web', { desired_capacity: 0, min_size: 0, max_size: 0 })],
    beside: ['aws', 6],
    keys: { 'aws_autoscaling_group.web': 'high' },
  },
  {
    file: 'aws-service-deleted',
    expected: 'high',
    why: 'The shop becomes unavailable.',
    changes: [destroy('aws_ecs_service.shop'), destroy('aws_cloudwatch_metric_alarm.shop')],
    beside: ['aws', 8],
    keys: { 'aws_ecs_service.shop': 'high' },
  },
  {
    file: 'aws-host-replaced-by-boot-code',
    expected: 'high',
    why: 'Changed user data replaces the running host and its root volume.',
    changes: [
      replace(
        'aws_instance.jump',
        { user_data: '9e107d9d372bb6826bd81d3542a419d6d2f1aa11' },
        { user_data_replace_on_change: true },
      ),
    ],
    beside: ['aws', 5],
    keys: { 'aws_instance.jump': 'high' },
    noise: { 'aws_instance.jump': 'novel' },
  },
  {
    file: 'aws-metadata-v1-again',
    expected: 'medium',
    acceptable: 'medium-high',
    why: 'Instance metadata v2 is no longer required, so forged requests can read the credentials of the host.',
    changes: [
      update('aws_instance.web', {
        metadata_options: [
          {
            http_endpoint: 'enabled',
            http_put_response_hop_limit: 1,
            http_tokens: 'optional',
            instance_metadata_tags: 'disabled',
          },
        ],
      }),
    ],
    beside: ['aws', 4],
    keys: { 'aws_instance.web': 'medium-high' },
  },
  {
    file: 'aws-cluster-public-api',
    expected: 'high',
    acceptable: 'high-critical',
    why: 'The production control plane is reachable from the whole internet.',
    changes: [
      update('aws_eks_cluster.prod', {
        vpc_config: [
          {
            cluster_security_group_id: 'sg-09',
            endpoint_private_access: true,
            endpoint_public_access: true,
            public_access_cidrs: ['0.0.0.0/0'],
            security_group_ids: ['sg-0f1'],
            subnet_ids: ['subnet-0a1', 'subnet-0b1'],
            vpc_id: 'vpc-0c1',
          },
        ],
      }),
    ],
    beside: ['aws', 7],
    keys: { 'aws_eks_cluster.prod': 'high-critical' },
  },
  {
    file: 'aws-cluster-replaced',
    expected: 'critical',
    why: 'A changed role replaces the cluster and all its workloads.',
    changes: [
      replace('aws_eks_cluster.prod', { role_arn: 'arn:aws:iam::111122223333:role/eks2' }),
      replace('aws_eks_node_group.main', { cluster_name: UNKNOWN }),
    ],
    beside: ['aws', 6],
    keys: { 'aws_eks_cluster.prod': 'critical', 'aws_eks_node_group.main': 'high' },
  },
  {
    file: 'aws-cluster-version-step',
    expected: 'medium',
    acceptable: 'medium-high',
    why: 'A control plane upgrade cannot be undone, but is routine when tested.',
    changes: [update('aws_eks_cluster.prod', { version: '1.31' })],
    beside: ['aws', 3],
  },
  {
    file: 'aws-repository-deleted',
    expected: 'critical',
    acceptable: 'high-critical',
    why: 'All container images of the shop are deleted; hosts cannot start it again.',
    changes: [destroy('aws_ecr_repository.shop', { force_delete: true })],
    beside: ['aws', 7],
    keys: { 'aws_ecr_repository.shop': 'high-critical' },
  },
  {
    file: 'aws-log-retention-cut',
    expected: 'medium',
    acceptable: 'medium-high',
    why: 'Log retention is reduced from ninety to three days.',
    changes: [update('aws_cloudwatch_log_group.shop', { retention_in_days: 3 })],
    beside: ['aws', 3],
    keys: { 'aws_cloudwatch_log_group.shop': 'medium-high' },
  },
  {
    file: 'aws-alarms-silenced',
    expected: 'medium',
    acceptable: 'medium-high',
    why: 'The production paging alarm is disabled.',
    changes: [
      update('aws_cloudwatch_metric_alarm.errors', { actions_enabled: false, alarm_actions: [] }),
      update('aws_cloudwatch_metric_alarm.latency', { actions_enabled: false, alarm_actions: [] }),
    ],
    beside: ['aws', 2],
    keys: { 'aws_cloudwatch_metric_alarm.errors': 'medium-high' },
  },
  {
    file: 'aws-alarm-tuned',
    expected: 'low',
    why: 'One threshold changes slightly.',
    changes: [update('aws_cloudwatch_metric_alarm.errors', { threshold: 12 })],
    beside: ['aws', 2],
    noise: { 'aws_cloudwatch_metric_alarm.errors': 'novel' },
  },
  {
    file: 'aws-noise-documents',
    expected: 'none',
    acceptable: 'none-low',
    why: 'Documents that differ only in whitespace and key order.',
    changes: [
      update('aws_cloudwatch_dashboard.orders', {
        dashboard_body:
          '{\n  "widgets": [{"width": 12, "height": 6, "type": "metric", "x": 0, "y": 0, "properties": {"title": "orders", "region": "eu-west-1"}}]\n}',
      }),
      update('aws_cloudwatch_event_rule.nightly', {
        event_pattern: '{"detail-type":["EC2 Instance State-change Notification"],"source":["aws.ec2"]}',
      }),
      update(
        'aws_sqs_queue.mail',
        { redrive_policy: '{"maxReceiveCount":5,"deadLetterTargetArn":"arn:aws:sqs:eu-west-1:111122223333:dead"}' },
        { redrive_policy: '{"deadLetterTargetArn":"arn:aws:sqs:eu-west-1:111122223333:dead","maxReceiveCount":5}' },
      ),
    ],
    noise: {
      'aws_cloudwatch_dashboard.orders': 'benign',
      'aws_cloudwatch_event_rule.nightly': 'benign',
      'aws_sqs_queue.mail': 'benign',
    },
  },
  {
    file: 'aws-noise-documents-twins',
    expected: 'low',
    acceptable: 'low-medium',
    why: 'The same documents, each with one real change among the noise: a region, a source, a dead-letter queue.',
    changes: [
      update('aws_cloudwatch_dashboard.orders', {
        dashboard_body:
          '{ "widgets": [{"width": 12, "height": 6, "type": "metric", "x": 0, "y": 0, "properties": {"title": "orders", "region": "eu-west-2"}}] }',
      }),
      update(
        'aws_cloudwatch_event_rule.nightly',
        { event_pattern: '{"detail-type":["EC2 Instance State-change Notification"],"source":["aws.ecs"]}' },
        { event_pattern: PATTERN },
      ),
      update(
        'aws_sqs_queue.mail',
        { redrive_policy: '{"maxReceiveCount":5,"deadLetterTargetArn":"arn:aws:sqs:eu-west-1:111122223333:dead2"}' },
        { redrive_policy: '{"deadLetterTargetArn":"arn:aws:sqs:eu-west-1:111122223333:dead","maxReceiveCount":5}' },
      ),
    ],
    noise: {
      'aws_cloudwatch_dashboard.orders': 'novel',
      'aws_cloudwatch_event_rule.nightly': 'novel',
      'aws_sqs_queue.mail': 'novel',
    },
  },
  {
    file: 'aws-noise-empty',
    expected: 'none',
    acceptable: 'none-low',
    why: 'Empty strings and empty maps instead of null.',
    changes: [
      update('aws_sns_topic.page', { display_name: null, kms_master_key_id: null }),
      update('aws_cloudwatch_log_group.shop', { tags: null, tags_all: {} }, { tags: {}, tags_all: {} }),
      update('aws_cloudwatch_event_rule.nightly', { schedule_expression: null }),
    ],
    noise: { 'aws_cloudwatch_log_group.shop': 'benign', 'aws_cloudwatch_event_rule.nightly': 'benign' },
  },
  {
    file: 'aws-noise-empty-twins',
    expected: 'medium',
    acceptable: 'low-high',
    why: 'A key, a tag and a schedule are removed, which looks like empty-value noise.',
    changes: [
      update('aws_sns_topic.page', { kms_master_key_id: '' }, { kms_master_key_id: 'alias/topics' }),
      update(
        'aws_cloudwatch_log_group.shop',
        { tags: null, tags_all: {} },
        { tags: { Env: 'prod' }, tags_all: { Env: 'prod' } },
      ),
      update('aws_cloudwatch_event_rule.nightly', { schedule_expression: '' }, { schedule_expression: 'rate(1 day)' }),
    ],
    noise: {
      'aws_sns_topic.page': 'novel',
      'aws_cloudwatch_log_group.shop': 'novel',
      'aws_cloudwatch_event_rule.nightly': 'novel',
    },
  },
  {
    file: 'aws-noise-policies',
    expected: 'low',
    acceptable: 'none-low',
    why: 'Equivalent policies: action lists in a different order, a string instead of a list of one, an account id instead of its root ARN.',
    changes: [
      update('aws_iam_policy.read', {
        policy:
          '{"Statement":[{"Resource":["arn:aws:s3:::shop-assets/*","arn:aws:s3:::shop-assets"],"Action":["s3:ListBucket","s3:GetObject"],"Effect":"Allow"}],"Version":"2012-10-17"}',
      }),
      update('aws_iam_role_policy.web', {
        policy:
          '{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:GetObject","Resource":["arn:aws:s3:::shop-assets/*"]}}',
      }),
    ],
    noise: { 'aws_iam_policy.read': 'benign', 'aws_iam_role_policy.web': 'benign' },
  },
  {
    file: 'aws-noise-policies-twins',
    expected: 'medium',
    acceptable: 'medium-high',
    why: 'Policies that differ by one word: NotAction instead of Action, a bucket instead of its objects.',
    changes: [
      update('aws_iam_policy.read', {
        policy:
          '{"Statement":[{"Resource":["arn:aws:s3:::shop-assets/*","arn:aws:s3:::shop-assets-eu"],"Action":["s3:ListBucket","s3:GetObject"],"Effect":"Allow"}],"Version":"2012-10-17"}',
      }),
      update('aws_iam_role_policy.web', {
        policy:
          '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","NotAction":["s3:GetObject"],"Resource":"arn:aws:s3:::shop-assets/*"}]}',
      }),
    ],
    noise: { 'aws_iam_policy.read': 'novel', 'aws_iam_role_policy.web': 'novel' },
  },
  {
    file: 'aws-noise-order',
    expected: 'low',
    acceptable: 'none-medium',
    why: 'Sets in a different order, next to a list whose order is significant.',
    changes: [
      update('aws_autoscaling_group.web', { vpc_zone_identifier: ['subnet-0b1', 'subnet-0a1'] }),
      update('aws_lb.web', { subnets: ['subnet-0b1', 'subnet-0a1'] }),
      update(
        'aws_lb_listener.web',
        {
          default_action: [
            { order: 2, target_group_arn: 'arn:b', type: 'forward', redirect: [] },
            { order: 1, target_group_arn: 'arn:a', type: 'authenticate-oidc', redirect: [] },
          ],
        },
        {
          default_action: [
            { order: 1, target_group_arn: 'arn:a', type: 'authenticate-oidc', redirect: [] },
            { order: 1, target_group_arn: 'arn:b', type: 'forward', redirect: [] },
          ],
        },
      ),
    ],
    noise: { 'aws_autoscaling_group.web': 'benign', 'aws_lb.web': 'benign', 'aws_lb_listener.web': 'novel' },
  },
  {
    file: 'aws-noise-dots-and-case',
    expected: 'low',
    acceptable: 'none-medium',
    why: 'A DNS name with a trailing dot is the same name; a parameter with different case is another value.',
    changes: [
      update('aws_route53_record.www', { name: 'www.shop.example' }, { name: 'www.shop.example.' }),
      update(
        'aws_ssm_parameter.mode',
        { value: 'STRICT-MODE-OF-SHOP', version: UNKNOWN },
        { value: 'strict-mode-of-shop' },
      ),
    ],
    noise: { 'aws_route53_record.www': 'benign', 'aws_ssm_parameter.mode': 'novel' },
    secrets: ['STRICT-MODE-OF-SHOP', 'strict-mode-of-shop'],
  },
  {
    file: 'aws-secrets-in-environment',
    expected: 'medium',
    acceptable: 'medium-high',
    why: 'Plaintext keys in the environment of a function, readable by anyone who can describe it.',
    changes: [
      update('aws_lambda_function.mailer', {
        environment: [
          {
            variables: {
              LOG_LEVEL: 'info',
              STRIPE_API_KEY: 'sk_live_51Hx9Qe2kYvTz8LmNoPqRsTuV',
              DB_PASSWORD: 'pelican-Window-1973',
            },
          },
        ],
        ...REVISION,
      }),
    ],
    beside: ['aws', 3],
    secrets: ['sk_live_51Hx9Qe2kYvTz8LmNoPqRsTuV', 'pelican-Window-1973'],
  },
  {
    file: 'aws-secrets-in-containers',
    expected: 'medium',
    acceptable: 'low-high',
    why: 'A connection string with a password in a nested JSON string.',
    changes: [
      replace(
        'aws_ecs_task_definition.shop',
        {
          container_definitions: container({
            environment: [
              { name: 'DATABASE_URL', value: 'postgres://shop:gannet-Ladder-2208@db.internal:5432/shop' },
              { name: 'JWT_SECRET', value: 'heron-Basket-7714-quartz' },
            ],
          }),
        },
        { container_definitions: container({}) },
      ),
    ],
    beside: ['aws', 2],
    secrets: ['gannet-Ladder-2208', 'heron-Basket-7714-quartz'],
  },
  {
    file: 'aws-secrets-in-boot-script',
    expected: 'medium',
    acceptable: 'low-high',
    why: 'Plaintext user data with an access key.',
    changes: [
      create('aws_instance.batch', {
        user_data:
          '#!/bin/sh\nexport AWS_ACCESS_KEY_ID=AKIAZ7Q3MNB5EXAMPLE2\nexport AWS_SECRET_ACCESS_KEY=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\nrun\n',
      }),
    ],
    beside: ['aws', 2],
    secrets: ['q8Zt3LkPw0Yv6RbNc1Xe5Uj7Hd9Sa2Gf4MiOoTrW'],
  },
  {
    file: 'aws-secrets-marked-and-repeated',
    expected: 'low',
    acceptable: 'low-medium',
    why: 'A password is marked in one place and unmarked in three others.',
    changes: [
      markSensitive(update('aws_ssm_parameter.db', { value: 'osprey-Kettle-5541', version: UNKNOWN }), 'value'),
      update('aws_cloudwatch_metric_alarm.note', { alarm_description: 'login with osprey-Kettle-5541 to see more' }),
      update('aws_instance.web', {
        tags: { Env: 'prod', Note: 'osprey-Kettle-5541' },
        tags_all: { Env: 'prod', Note: 'osprey-Kettle-5541' },
      }),
    ],
    secrets: ['osprey-Kettle-5541'],
    more: {
      output_changes: {
        dsn: {
          actions: ['update'],
          before: 'none',
          after: 'postgres://shop:osprey-Kettle-5541@db/shop',
          after_unknown: false,
          before_sensitive: false,
          after_sensitive: false,
        },
      },
    },
  },
  {
    file: 'aws-access-key-created',
    expected: 'medium',
    acceptable: 'medium-high',
    why: 'A long-lived access key for an external person or machine.',
    changes: [create('aws_iam_user.partner'), create('aws_iam_access_key.partner', { user: 'partner' })],
    beside: ['aws', 3],
    keys: { 'aws_iam_access_key.partner': 'medium-high' },
  },
  {
    file: 'aws-stack-destroyed',
    expected: 'critical',
    why: 'All of a small production stack is destroyed.',
    changes: [
      destroy('aws_ecs_service.shop'),
      destroy('aws_lb.web'),
      destroy('aws_db_instance.main'),
      destroy('aws_security_group.web'),
      destroy('aws_subnet.a'),
      destroy('aws_vpc.main'),
    ],
    keys: { 'aws_db_instance.main': 'critical' },
  },
  {
    file: 'aws-nothing-to-do',
    expected: 'none',
    why: 'No change at all.',
    changes: [createNoOp('aws_vpc.main'), createNoOp('aws_db_instance.main'), createNoOp('aws_iam_role.web')],
  },
  {
    file: 'aws-drift-only',
    expected: 'none',
    acceptable: 'none-low',
    why: 'A tag was changed outside of IaC; the plan changes nothing.',
    changes: [createNoOp('aws_instance.web')],
    more: { resource_drift: [update('aws_instance.web', { tags: { Env: 'prod', Who: 'ana' } })] },
  },
  {
    file: 'aws-image-rollout',
    expected: 'medium',
    acceptable: 'low-medium',
    why: 'A new machine image by launch template; the group rolls its machines.',
    changes: [
      update('aws_launch_template.web', { image_id: 'ami-0bb2', latest_version: UNKNOWN, default_version: UNKNOWN }),
      update('aws_autoscaling_group.web', { health_check_grace_period: 240 }),
    ],
    beside: ['aws', 4],
    noise: { 'aws_launch_template.web': 'novel' },
  },
];
