import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

const HEALTH = 'https://shop.acme.example/health';

describe('what is watched, and who hears of it', () => {
  testLevels([
    ['pulse_uptime_check', { address: HEALTH }, { address: 'https://other.example' }, 'high', 'R-DST-FOREIGN'],
    ['pulse_uptime_check', { address: HEALTH }, { address: 'https://shop.acme.example/ready' }, 'low'],
    ['pulse_alert', { query: 'up{job="a"} == 0' }, { query: 'up{job="a"} < 0' }, 'high', 'R-VAL-CONDITION'],
    ['pulse_alert', { query: 'delta(a[1h]) < 1' }, { query: 'delta(a[1h]) < 0' }, 'medium'],
    ['pulse_alert', { query: "name = 'a'" }, { query: "name = 'a' AND 1 = 2" }, 'high', 'R-VAL-CONDITION'],
    ['pulse_notification', { status: ['unhealthy', 'healthy'] }, { status: ['healthy'] }, 'high', 'R-VAL-NOTIFIED'],
    ['pulse_notification', { status: ['unhealthy'] }, { status: ['unhealthy', 'healthy'] }, 'low'],
    ['pulse_downtime', { scope: 'env:staging' }, { scope: 'env:staging,env:production' }, 'high', 'R-VAL-MUTED'],
    ['pulse_alert', { environment: 'production' }, { environment: 'staging' }, 'high', 'R-VAL-ENVIRONMENT'],
    ['pulse_log_index', { filter: '*' }, { filter: 'env:staging' }, 'high', 'R-VAL-ENVIRONMENT'],
    ['sql_task', { statement: 'CALL settle()' }, { statement: 'TRUNCATE TABLE ledger' }, 'high', 'R-VAL-COMMAND'],
    ['sql_task', { statement: 'CALL settle()' }, { statement: 'CALL settle(1)' }, 'low'],
    [
      'guard_group_rule',
      { expression: 'user.team == "core" && user.title == "Lead"' },
      { expression: 'user.team != ""' },
      'high',
      'R-VAL-CONDITION',
    ],
  ]);
});
