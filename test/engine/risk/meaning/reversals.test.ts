import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('conditions that are turned around', () => {
  testLevels([
    [
      'acme_notification_policy',
      { conditions: [{ field: 'priority', not: false }] },
      { conditions: [{ field: 'priority', not: true }] },
      'high',
      'R-VAL-CONDITION',
    ],
    ['acme_probe', { should_fail: false }, { should_fail: true }, 'high', 'R-VAL-CONDITION'],
    ['acme_log_exclusion', { query: '@path:/healthz' }, { query: '-@path:/healthz' }, 'high', 'R-VAL-CONDITION'],
    ['acme_suppression', { query: 'env:dev' }, { query: 'env:*' }, 'high', 'R-VAL-CONDITION'],
    ['acme_alert_muting_rule', { operator: 'AND' }, { operator: 'OR' }, 'high', 'R-VAL-CONDITION'],
    ['acme_alert_muting_rule', { operator: 'OR' }, { operator: 'AND' }, 'low'],
    ['acme_alert', { match: 'any' }, { match: 'all' }, 'medium', 'R-VAL-CONDITION'],
    ['acme_alert', { match: 'all' }, { match: 'any' }, 'low'],
  ]);
});

describe('what a protection does', () => {
  testLevels([
    [
      'acme_attack_protection',
      { shields: ['block', 'user_notification'] },
      { shields: ['user_notification'] },
      'high',
      'R-VAL-MODE',
    ],
    ['acme_attack_protection', { shields: ['user_notification'] }, { shields: ['user_notification', 'block'] }, 'low'],
    ['acme_fraud_engine', { on_timeout: 'decline' }, { on_timeout: 'accept' }, 'high', 'R-VAL-FAILOPEN'],
    ['acme_queue', { on_overflow: 'reject' }, { on_overflow: 'drop_oldest' }, 'high', 'R-VAL-LOSS'],
    ['acme_dataset', { classification: 'restricted' }, { classification: 'internal' }, 'medium', 'R-VAL-CLASS'],
    ['acme_dataset', { classification: 'internal' }, { classification: 'restricted' }, 'low'],
    ['acme_key_ring', { protection: 'hsm' }, { protection: 'software' }, 'high', 'R-VAL-KEYSTORE'],
  ]);
});
