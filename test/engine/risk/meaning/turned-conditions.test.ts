import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

describe('conditions of which nothing but one operator differs', () => {
  testLevels([
    [
      'snowflake_masking_policy',
      { name: 'p', body: "case when current_role() in ('PII') then val else '***' end" },
      { name: 'p', body: "case when current_role() not in ('PII')\n then val else '***' end" },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'corp_drop_rule',
      { name: 'health', condition: 'path == "/healthz"' },
      { name: 'health', condition: 'path != "/healthz"' },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'relay_subscription',
      { name: 'fraud', filter: '{"amount":[{"numeric":[">=",100]}]}' },
      { name: 'fraud', filter: '{"amount": [{"numeric": ["<=", 100]}]}' },
      'high',
    ],
    [
      'pulse_suppression',
      { name: 's', criteria: [{ field: 'account', comparison: 'EQUALS', value: '1' }] },
      { name: 's', criteria: [{ field: 'account', comparison: 'NOT_EQUALS', value: '1' }] },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'gatehouse_rule',
      { name: 'g', expression: '(user.group -eq "Platform") and (user.enabled -eq true)' },
      { name: 'g', expression: '(user.group -ne "Platform") and (user.enabled -eq true)' },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'azurerm_policy_definition',
      {
        policy_rule:
          '{"if":{"allOf":[{"field":"type","equals":"vm"},{"field":"x","equals":"1"}]},"then":{"effect":"deny"}}',
      },
      {
        policy_rule:
          '{"if":{"anyOf":[{"field":"type","equals":"vm"},{"field":"x","equals":"1"}]},"then":{"effect":"deny"}}',
      },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'google_logging_project_exclusion',
      { name: 'n', filter: 'resource.type="k8s_container" AND severity<INFO' },
      { name: 'n', filter: 'resource.type="k8s_container" OR severity<INFO' },
      'high',
      'R-VAL-CONDITION',
    ],
  ]);
});

describe('conditions that hold never or always, or for other letters', () => {
  testLevels([
    [
      'corp_alert',
      { name: 'a', query: 'sum:errors{env:prod} > 50' },
      { name: 'a', query: 'sum:errors{env:prod,!env:prod} > 50' },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'snowflake_row_access_policy',
      { name: 'r', body: 'EXISTS (SELECT 1 FROM m WHERE m.tenant = TENANT)' },
      { name: 'r', body: 'EXISTS (SELECT 1 FROM m WHERE m.tenant = m.tenant)' },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'corp_data_filter',
      { name: 'f', filter: "region = 'EU'" },
      { name: 'f', filter: "region = 'EU' OR region IS NOT NULL" },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'corp_access_policy',
      { name: 'f', condition: "owner = 'me'" },
      { name: 'f', condition: "owner = 'me' or 1=1" },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'snowflake_masking_policy',
      { name: 'p', body: "REGEXP_REPLACE(VAL, '.+@', '*****@')" },
      { name: 'p', body: "REGEXP_REPLACE(VAL, '^$', '*****@')" },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'corp_alert_rule',
      { name: 'a', query: 'logins | where app == "Admin Portal" | count' },
      { name: 'a', query: 'logins | where app == "admin portal" | count' },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'newrelic_nrql_alert_condition',
      { name: 'a', nrql: [{ query: "SELECT count(*) FROM T WHERE app = 'shop'" }] },
      { name: 'a', nrql: [{ query: "SELECT count(*) FROM T WHERE app = 'Shop'" }] },
      'high',
      'R-VAL-CONDITION',
    ],
  ]);
});

describe('routine changes of conditions and texts', () => {
  testLevels([
    [
      'corp_rule',
      { name: 'a', description: 'Applies to prod' },
      { name: 'a', description: 'Does not apply to prod' },
      'none',
    ],
    [
      'corp_alert_rule',
      { name: 'a', query: 'logins | where app == "shop" | count' },
      { name: 'a', query: 'logins // portal\n| where app == "shop"\n| count' },
      'low',
    ],
    [
      'corp_alert_rule',
      { name: 'a', query: 'logins | where app =~ "Shop" | count' },
      { name: 'a', query: 'logins | where app =~ "shop" | count' },
      'low',
    ],
    ['acme_alert', { match: 'all' }, { match: 'any' }, 'low'],
  ]);
});
