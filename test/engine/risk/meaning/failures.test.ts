import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('amounts with another unit', () => {
  testLevels([
    ['acme_vault', { undelete_window: '72h' }, { undelete_window: '72m' }, 'medium', 'R-VAL-UNIT'],
    ['acme_cache', { memory: '4Gi' }, { memory: '4Mi' }, 'medium', 'R-VAL-UNIT'],
    ['acme_log', { keep: '90d' }, { keep: '90s' }, 'high', 'R-VAL-UNIT'],
    ['acme_archive', { expire_after: '12h' }, { expire_after: '12m' }, 'high', 'R-VAL-UNIT'],
    ['acme_session', { expire_after: '12h' }, { expire_after: '12m' }, 'medium', 'R-VAL-UNIT'],
    ['acme_pool', { floor: '50%' }, { floor: '50' }, 'medium', 'R-VAL-UNIT'],
    ['acme_disk', { size: '10 TB' }, { size: '10 GB' }, 'medium', 'R-VAL-UNIT'],
    ['acme_cache', { memory: '512Ki' }, { memory: '512Mi' }, 'low'],
    ['acme_job', { pause: '60s' }, { pause: '90s' }, 'low'],
    ['acme_machine', { size: '4xlarge' }, { size: '4large' }, 'low'],
    ['acme_machine', { zone: '1a' }, { zone: '1b' }, 'low'],
    ['acme_cache', { memory: '4gi' }, { memory: '4Gi' }, 'low'],
    ['acme_cache', { memory: '512Mi' }, { memory: '512M' }, 'low'],
  ]);
});

describe('what happens after an error', () => {
  testLevels([
    ['acme_payment_guard', { on_error: 'deny' }, { on_error: 'permit' }, 'high', 'R-VAL-FAILOPEN'],
    ['acme_authorizer', { timeout_behavior: 'reject' }, { timeout_behavior: 'allow' }, 'high', 'R-VAL-FAILOPEN'],
    ['acme_scanner', { failure_mode: 'fail_closed' }, { failure_mode: 'fail_open' }, 'high', 'R-VAL-FAILOPEN'],
    ['acme_gateway', { auth_unavailable: 'block' }, { auth_unavailable: 'bypass' }, 'high', 'R-VAL-FAILOPEN'],
    ['acme_scanner', { failure_mode: 'fail_open' }, { failure_mode: 'fail_closed' }, 'low'],
    ['acme_consumer', { poison_action: 'park' }, { poison_action: 'discard' }, 'medium', 'R-VAL-LOSS'],
    ['acme_consumer', { on_failure: 'retry' }, { on_failure: 'drop' }, 'medium', 'R-VAL-LOSS'],
    ['acme_stream', { overflow: 'redirect' }, { overflow: 'discard' }, 'medium', 'R-VAL-LOSS'],
    ['acme_consumer', { poison_action: 'discard' }, { poison_action: 'park' }, 'low'],
    ['acme_theme', { color: 'deny' }, { color: 'allow' }, 'low'],
  ]);
});

describe('times after which somebody is called', () => {
  testLevels([
    ['acme_consumer', { lag_page_after_seconds: 600 }, { lag_page_after_seconds: -1 }, 'high', 'R-VAL-MUTED'],
    ['acme_policy', { escalate_after: '15m' }, { escalate_after: 'never' }, 'high', 'R-VAL-MUTED'],
    ['acme_monitor', { notify_after_minutes: 5 }, { notify_after_minutes: -1 }, 'high', 'R-VAL-MUTED'],
    ['acme_consumer', { lag_page_after_seconds: -1 }, { lag_page_after_seconds: 600 }, 'low'],
    ['acme_list', { page_size: 50 }, { page_size: 100 }, 'low'],
  ]);
});

describe('how often a detector reports', () => {
  const every = (finding_publishing_frequency: string) => ({ finding_publishing_frequency, enable: true });
  testLevels([['aws_guardduty_detector', every('FIFTEEN_MINUTES'), every('SIX_HOURS'), 'medium']]);
});
