import { describe } from '@jest/globals';
import { type LevelCase, testLevels } from './judging.ts';

describe('a star for the minute', () => {
  const runs = (
    type: string,
    name: string,
    before: string,
    after: string,
    level: 'high' | 'medium' | 'low',
  ): LevelCase => [type, { [name]: before }, { [name]: after }, level, 'R-VAL-SCHEDULE'];

  testLevels([
    runs('kubernetes_cron_job_v1', 'schedule', '0 4 1 * *', '* 4 1 * *', 'high'),
    runs('aws_cloudwatch_event_rule', 'schedule_expression', 'cron(0 2 1 * ? *)', 'cron(* 2 1 * ? *)', 'high'),
    runs('google_cloud_scheduler_job', 'schedule', '30 6 * * *', '* 6 * * *', 'high'),
    runs('gitlab_pipeline_schedule', 'cron', '0 1 * * 1-5', '* 1 * * 1-5', 'high'),
    runs('acme_payout_run', 'cron_expression', '15 9-17 * * *', '* 9-17 * * *', 'high'),
    runs('acme_job', 'cron', '0 * * * *', '* * * * *', 'medium'),
    ['acme_job', { cron: '*/5 9-17 * * *' }, { cron: '* 9-17 * * *' }, 'low'],
  ]);
});

describe('schedules', () => {
  testLevels([
    [
      'kubernetes_cron_job_v1',
      { spec: [{ schedule: '0 3 * * *' }] },
      { spec: [{ schedule: '0 3 31 4 *' }] },
      'high',
      'R-VAL-SCHEDULE',
    ],
    [
      'aws_cloudwatch_event_rule',
      { schedule_expression: 'rate(1 day)' },
      { schedule_expression: 'cron(0 1 30 2 ? *)' },
      'high',
      'R-VAL-SCHEDULE',
    ],
    [
      'google_cloud_scheduler_job',
      { schedule: '*/5 * * * *' },
      { schedule: '*/5 * 31 9,11 *' },
      'high',
      'R-VAL-SCHEDULE',
    ],
    ['gitlab_pipeline_schedule', { cron: '0 1 * * *' }, { cron: '0 1 30 FEB *' }, 'high', 'R-VAL-SCHEDULE'],
    ['acme_job', { cron_expression: '@daily' }, { cron_expression: '0 0 31 6 *' }, 'high', 'R-VAL-SCHEDULE'],
    [
      'aws_scheduler_schedule',
      { name: 'nightly-backup', schedule_expression: 'rate(1 day)' },
      { name: 'nightly-backup', schedule_expression: 'at(2031-01-01T00:00:00)' },
      'high',
      'R-VAL-SCHEDULE',
    ],
    [
      'snowflake_task',
      { schedule: '0 2 * * *', name: 'SNAPSHOT_LEDGER' },
      { schedule: '0 2 1 * *', name: 'SNAPSHOT_LEDGER' },
      'high',
      'R-VAL-SCHEDULE',
    ],
    ['google_cloud_scheduler_job', { schedule: '0 2 * * *' }, { schedule: '* 2 * * *' }, 'high', 'R-VAL-SCHEDULE'],
    ['kubernetes_cron_job_v1', { spec: [{ schedule: '15 2 * * *' }] }, { spec: [{ schedule: '15 3 * * *' }] }, 'low'],
    [
      'aws_cloudwatch_event_rule',
      { schedule_expression: 'rate(5 minutes)' },
      { schedule_expression: 'rate(4 minutes)' },
      'low',
    ],
    [
      'aws_scheduler_schedule',
      { schedule_expression: 'cron(0 2 29 2 ? *)' },
      { schedule_expression: 'cron(0 3 29 2 ? *)' },
      'low',
    ],
    ['gitlab_pipeline_schedule', { cron: '0 1 * * *' }, { cron: '0 1 * * 0-6' }, 'low'],
    ['acme_job', { cron_expression: '0 0 2 * * ?' }, { cron_expression: '0 30 2 * * ?' }, 'low'],
  ]);
});

describe('processing times', () => {
  testLevels([
    [
      'aws_sqs_queue',
      { visibility_timeout_seconds: 300 },
      { visibility_timeout_seconds: 3 },
      'medium',
      'R-VAL-PROCESSING',
    ],
    ['azurerm_servicebus_queue', { lock_duration: 'PT5M' }, { lock_duration: 'PT5S' }, 'medium', 'R-VAL-PROCESSING'],
    [
      'azurerm_servicebus_subscription',
      { lock_duration: 'PT1M' },
      { lock_duration: 'PT10S' },
      'medium',
      'R-VAL-PROCESSING',
    ],
    [
      'google_pubsub_subscription',
      { ack_deadline_seconds: 600 },
      { ack_deadline_seconds: 10 },
      'medium',
      'R-VAL-PROCESSING',
    ],
    ['acme_queue', { visibility_timeout: 900 }, { visibility_timeout: 1 }, 'medium', 'R-VAL-PROCESSING'],
    ['azurerm_servicebus_queue', { lock_duration: 'PT1M' }, { lock_duration: 'PT60S' }, 'low'],
    ['aws_sqs_queue', { visibility_timeout_seconds: 30 }, { visibility_timeout_seconds: 300 }, 'low'],
    ['google_pubsub_subscription', { ack_deadline_seconds: 60 }, { ack_deadline_seconds: 50 }, 'low'],
  ]);
});

describe('ends', () => {
  testLevels([
    ['snowflake_warehouse', { auto_suspend: 300 }, { auto_suspend: 0 }, 'medium', 'R-VAL-ENDLESS'],
    ['databricks_cluster', { autotermination_minutes: 30 }, { autotermination_minutes: 0 }, 'medium', 'R-VAL-ENDLESS'],
    [
      'azurerm_mssql_database',
      { auto_pause_delay_in_minutes: 60 },
      { auto_pause_delay_in_minutes: -1 },
      'medium',
      'R-VAL-ENDLESS',
    ],
    ['databricks_sql_endpoint', { auto_stop_mins: 15 }, { auto_stop_mins: 0 }, 'medium', 'R-VAL-ENDLESS'],
    [
      'acme_oauth_client',
      { refresh_token_lifetime_minutes: 1440 },
      { refresh_token_lifetime_minutes: 0 },
      'medium',
      'R-VAL-ENDLESS',
    ],
    ['acme_sso', { session_lifetime: '8h' }, { session_lifetime: 'unlimited' }, 'medium', 'R-VAL-ENDLESS'],
    ['snowflake_warehouse', { auto_suspend: 60 }, { auto_suspend: 120 }, 'low'],
    ['databricks_cluster', { autotermination_minutes: 0 }, { autotermination_minutes: 30 }, 'low'],
  ]);
});
