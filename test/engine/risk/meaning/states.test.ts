import { describe } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { testLevels } from './judging.ts';

describe('states', () => {
  testLevels([
    [
      'aws_scheduler_schedule',
      { name: 'nightly-backup', state: 'ENABLED' },
      { name: 'nightly-backup', state: 'DISABLED' },
      'high',
      'R-VAL-OFF',
    ],
    [
      'kubernetes_cron_job_v1',
      { metadata: [{ name: 'ledger-dump' }], spec: [{ suspend: false }] },
      { metadata: [{ name: 'ledger-dump' }], spec: [{ suspend: true }] },
      'high',
      'R-VAL-OFF',
    ],
    [
      'aws_cloudwatch_event_rule',
      { name: 'guardduty-to-soc', state: 'ENABLED' },
      { name: 'guardduty-to-soc', state: 'DISABLED' },
      'high',
      'R-VAL-OFF',
    ],
    [
      'acme_feature_flag',
      { key: 'mfa-check', default_variant: 'on' },
      { key: 'mfa-check', default_variant: 'off' },
      'high',
      'R-VAL-OFF',
    ],
    [
      'google_cloud_scheduler_job',
      { name: 'sql-snapshot', paused: false },
      { name: 'sql-snapshot', paused: true },
      'high',
      'R-VAL-OFF',
    ],
    ['acme_alert_rule', { enabled: true }, { enabled: false }, 'high'],
    [
      'acme_feature_flag',
      { key: 'new-search', default_variant: 'on' },
      { key: 'new-search', default_variant: 'off' },
      'low',
    ],
    [
      'acme_feature_flag',
      { key: 'mfa-check', default_variant: 'off' },
      { key: 'mfa-check', default_variant: 'on' },
      'low',
    ],
    [
      'google_cloud_scheduler_job',
      { name: 'sql-snapshot', paused: true },
      { name: 'sql-snapshot', paused: false },
      'low',
    ],
  ]);
});

describe('webhooks', () => {
  const webhook = (failure_policy: string, resources: string[], namespace_selector: JsonObject[] = []) => ({
    webhook: [{ name: 'a', failure_policy, namespace_selector, rule: [{ resources }] }],
  });
  const exempt = [{ match_labels: { policy: 'on' } }];
  testLevels([
    [
      'kubernetes_validating_webhook_configuration_v1',
      webhook('Ignore', ['pods']),
      webhook('Fail', ['pods']),
      'high',
      'R-VAL-FAILCLOSED',
    ],
    [
      'kubernetes_mutating_webhook_configuration',
      webhook('Ignore', ['*']),
      webhook('Fail', ['*']),
      'high',
      'R-VAL-FAILCLOSED',
    ],
    [
      'kubernetes_validating_webhook_configuration',
      webhook('Ignore', ['pods'], exempt),
      webhook('Fail', ['pods'], exempt),
      'medium',
      'R-VAL-FAILCLOSED',
    ],
    [
      'kubernetes_mutating_webhook_configuration_v1',
      webhook('Ignore', ['ingresses']),
      webhook('Fail', ['ingresses']),
      'medium',
      'R-VAL-FAILCLOSED',
    ],
  ]);
});
