import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

const GROUP = 'okta_group_rule';
const rule = (expression_value: string) => ({ name: 'staff', expression_value });

describe('conditions that grant', () => {
  testLevels([
    [
      GROUP,
      rule('user.dept == "it" AND user.level == "senior"'),
      rule('user.dept == "it" OR user.level == "senior"'),
      'high',
      'R-VAL-CONDITION',
    ],
    [GROUP, rule('user.dept == "it"'), rule('user.dept != "it"'), 'high', 'R-VAL-CONDITION'],
    [GROUP, rule('a == "x" AND b == "y"'), rule('a == "x"'), 'high', 'R-VAL-CONDITION'],
    [GROUP, rule('a == "x"'), rule('a == "x" OR a == "y"'), 'medium', 'R-VAL-CONDITION'],
    [GROUP, rule('a == "x"'), rule('a == "x" AND b == "y"'), 'low'],
    [
      'acme_ldap_link',
      { filter: '(&(memberOf=ops)(!(disabled=TRUE)))' },
      { filter: '(|(memberOf=ops)(!(disabled=TRUE)))' },
      'high',
      'R-VAL-CONDITION',
    ],
    ['acme_ldap_link', { filter: '(&(a=1)(b=2))' }, { filter: '(&(b=2)(a=1)(c=3))' }, 'low'],
  ]);
});

describe('conditions that leave something out', () => {
  testLevels([
    [
      'acme_log_exclusion',
      { filter: 'a = "x" AND severity < INFO' },
      { filter: 'a = "x" OR severity < INFO' },
      'high',
      'R-VAL-CONDITION',
    ],
    [
      'acme_alert_mute',
      { filter: 'env == "dev" and team == "a"' },
      { filter: 'env == "dev"' },
      'high',
      'R-VAL-CONDITION',
    ],
    ['acme_alert_mute', { filter: 'env == "dev"' }, { filter: 'env == "dev" and team == "a"' }, 'low'],
    ['acme_log_exclusion', { filter: 'a == "x"' }, { filter: 'not (a == "x")' }, 'high', 'R-VAL-CONDITION'],
  ]);
});

describe('conditions that watch', () => {
  testLevels([
    [
      'acme_alert',
      { filter: 'level == "error"' },
      { filter: 'level == "error" and team == "web"' },
      'medium',
      'R-VAL-CONDITION',
    ],
    ['acme_alert', { filter: 'level == "error"' }, { filter: 'level == "error" or level == "fatal"' }, 'low'],
    ['acme_alert', { filter: 'status >= 500' }, { filter: 'not (status >= 500)' }, 'high', 'R-VAL-CONDITION'],
  ]);
});
