import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('conditions that are never true', () => {
  testLevels([
    ['acme_alert', { query: 'logs | count' }, { query: 'logs | where 1 == 0 | count' }, 'high', 'R-VAL-CONDITION'],
    ['acme_alert', { query: 'a > 5' }, { query: 'a > 5 and false' }, 'high', 'R-VAL-CONDITION'],
  ]);
});

describe('identity providers of every tenant', () => {
  const issuer = (tenant: string) => ({ issuer: `https://login.microsoftonline.com/${tenant}/v2.0` });

  testLevels([
    ['acme_login', issuer('1f7c0b5e-0000-4000-8000-000000000001'), issuer('common'), 'high', 'R-VAL-WILDCARD'],
    ['acme_login', issuer('1f7c0b5e-0000-4000-8000-000000000001'), issuer('organizations'), 'high', 'R-VAL-WILDCARD'],
  ]);
});

describe('signatures of an application firewall', () => {
  const rule = (sensitivity: number) => ({
    rule: [
      {
        ...{ action: 'deny(403)', priority: 1000 },
        match: [
          { expr: [{ expression: `evaluatePreconfiguredWaf('sqli-v33-stable', {'sensitivity': ${sensitivity}})` }] },
        ],
      },
    ],
  });

  testLevels([
    ['google_compute_security_policy', rule(2), rule(0), 'high'],
    ['google_compute_security_policy', rule(2), rule(1), 'medium'],
    ['google_compute_security_policy', rule(1), rule(3), 'low'],
  ]);
});

describe('announced networks', () => {
  const peer = (range: string) => ({ advertised_ip_ranges: [{ range }] });

  testLevels([
    ['google_compute_router_peer', peer('10.20.0.0/16'), peer('0.0.0.0/0'), 'high', 'R-VAL-RANGE'],
    ['google_compute_router_peer', peer('10.20.0.0/16'), peer('10.30.0.0/16'), 'medium'],
  ]);
});

describe('thresholds in the wrong unit', () => {
  const alarm = (threshold: number, operator = 'GreaterThan') => ({
    criteria: [{ metric_name: 'Percentage CPU', operator, threshold }],
  });

  testLevels([
    ['acme_metric_alert', alarm(70), alarm(0.7), 'medium', 'R-VAL-THRESHOLD'],
    ['acme_metric_alert', alarm(70, 'LessThan'), alarm(0.7, 'LessThan'), 'high', 'R-VAL-THRESHOLD'],
  ]);
});

describe('addresses that reach a database', () => {
  const rule = (start: string, end: string) => ({ start_ip_address: start, end_ip_address: end });

  testLevels([
    ['azurerm_mssql_firewall_rule', rule('203.0.113.4', '203.0.113.4'), rule('203.0.0.0', '205.0.0.0'), 'high'],
    ['azurerm_mssql_firewall_rule', rule('203.0.113.4', '203.0.113.4'), rule('10.0.0.0', '10.9.255.255'), 'medium'],
  ]);
});
