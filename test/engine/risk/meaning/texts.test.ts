import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('patterns that come to match everything', () => {
  testLevels([
    ['acme_drop_rule', { pattern: '^test-[0-9]+$' }, { pattern: '^(test-)?.*$' }, 'high', 'R-VAL-PATTERN'],
    ['acme_block_rule', { match: 'spam\\..*' }, { match: '.*' }, 'high', 'R-VAL-PATTERN'],
    [
      'acme_filter',
      { action: 'drop', regex: '^a$' },
      { action: 'drop', regex: '^[a-z0-9-]*$' },
      'high',
      'R-VAL-PATTERN',
    ],
    ['acme_allow_rule', { pattern: 'registry.acme.example/app' }, { pattern: '.*' }, 'high', 'R-VAL-PATTERN'],
    ['acme_silence', { matcher: 'service=search' }, { matcher: '*' }, 'high'],
    ['acme_drop_rule', { pattern: '^test-[0-9]+$' }, { pattern: '^(test|demo)-[0-9]+$' }, 'low'],
    ['acme_drop_rule', { pattern: '.*' }, { pattern: '^test-[0-9]+$' }, 'low'],
  ]);
});

describe('production that becomes another environment', () => {
  testLevels([
    ['acme_alert', { query: 'rate{env="prod"}' }, { query: 'rate{env="staging"}' }, 'high', 'R-VAL-ENVIRONMENT'],
    ['acme_service', { database: 'orders-prod' }, { database: 'orders-test' }, 'medium', 'R-VAL-ENVIRONMENT'],
    ['acme_service', { secret_path: '/live/key' }, { secret_path: '/test/key' }, 'medium', 'R-VAL-ENVIRONMENT'],
    ['acme_service', { database: 'orders-test' }, { database: 'orders-prod' }, 'low'],
    ['acme_service', { description: 'orders prod' }, { description: 'orders test' }, 'none'],
    ['acme_service', { database: 'orders-prod' }, { database: 'billing-test' }, 'low'],
  ]);
});

describe('rules that look back', () => {
  testLevels([
    [
      'acme_detection_rule',
      { lookback: '1h', interval: '1h' },
      { lookback: '5m', interval: '1h' },
      'high',
      'R-VAL-GAP',
    ],
    ['acme_search', { from: 'now-65m', interval: '1h' }, { from: 'now-6m', interval: '1h' }, 'high', 'R-VAL-GAP'],
    ['acme_alert', { window: 'PT5M', frequency: 'PT5M' }, { window: 'PT5M', frequency: 'P1D' }, 'high', 'R-VAL-GAP'],
    ['acme_detection_rule', { lookback: '5m', interval: '1h' }, { lookback: '2h', interval: '1h' }, 'low'],
  ]);
});

describe('queries that show other columns', () => {
  const query = 'SigninLogs | where ResultType != 0';
  testLevels([
    ['acme_alert', { query }, { query: `${query}\n| project TimeGenerated, User` }, 'low'],
    ['acme_alert', { query: `${query} | fields a, b` }, { query }, 'low'],
    [
      'azurerm_monitor_scheduled_query_rules_alert_v2',
      { criteria: [{ query }] },
      { criteria: [{ query: `${query} | where User == "a"` }] },
      'medium',
    ],
  ]);
});

describe('policies for mail in lists of records', () => {
  const spf = (end: string) => ({ type: 'TXT', rrdatas: [`"v=spf1 include:_spf.acme.example ${end}"`] });
  testLevels([
    ['google_dns_record_set', spf('~all'), spf('+all'), 'high', 'R-VAL-MAIL'],
    ['google_dns_record_set', spf('~all'), spf('-all'), 'low'],
    [
      'aws_route53_record',
      { type: 'TXT', records: ['v=DMARC1; p=reject'] },
      { type: 'TXT', records: ['v=DMARC1; p=none'] },
      'high',
      'R-VAL-MAIL',
    ],
  ]);
});
