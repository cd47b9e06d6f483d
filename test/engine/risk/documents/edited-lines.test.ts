import { describe, expect, test } from '@jest/globals';
import { judgeEditedLine } from '../../../../engine/risk/documents/edited-lines.ts';

describe('an edited line', () => {
  test.each([
    ['ufw default deny incoming', 'ufw default allow incoming', 'high'],
    ['iptables -A INPUT -p tcp -j DROP', 'iptables -A INPUT -p tcp -j ACCEPT', 'high'],
    ['iptables -A INPUT -p tcp -j ACCEPT', 'iptables -A INPUT -p tcp -j DROP', undefined],
    ['ufw allow from 10.0.0.0/8 to any port 22', 'ufw allow from 0.0.0.0/0 to any port 22', 'high'],
    ['ufw allow from 10.0.0.0/8 to any port 22', 'ufw allow from 10.0.0.0/0 to any port 22', 'high'],
    ['ufw allow from 10.0.0.0/8 to any port 22', 'ufw allow from 10.2.0.0/16 to any port 22', undefined],
    ['ufw deny from 10.0.0.0/8', 'ufw deny from 0.0.0.0/0', undefined],
    ['ip route add 10.0.0.0/8 via 10.0.0.1', 'ip route add 0.0.0.0/0 via 10.0.0.1', undefined],
    ['hostssl all all 10.0.0.0/8 scram-sha-256', 'hostssl all all 0.0.0.0/0 scram-sha-256', 'high'],
    ['input.user.role == "admin"', 'input.user.role != "admin"', 'high'],
    ['token.age < 3600', 'token.age > 3600', 'high'],
    ['if [ $count == 3 ]; then', 'if [ $count != 3 ]; then', undefined],
    [
      "DELETE FROM log WHERE ts < now() - interval '7 years'",
      "DELETE FROM log WHERE ts < now() - interval '7 days'",
      'high',
    ],
    [
      "DELETE FROM log WHERE ts < now() - interval '90 days'",
      "DELETE FROM log WHERE ts < now() - interval '30 days'",
      'medium',
    ],
    [
      "DELETE FROM log WHERE ts < now() - interval '90 days'",
      "DELETE FROM log WHERE ts < now() - interval '80 days'",
      undefined,
    ],
    [
      "DELETE FROM log WHERE ts < now() - interval '90 days'",
      "DELETE FROM log WHERE ts < now() - interval '2 years'",
      undefined,
    ],
    ['find /backup -mtime +365 -delete', 'find /backup -mtime +3 -delete', 'high'],
    ['sleep 300', 'sleep 3', undefined],
    ["DELETE FROM log WHERE ts < '2020-01-01'", 'DELETE FROM log', 'high'],
    ['echo one', 'echo two', undefined],
  ])('from %j to %j is %s', (before, after, level) => {
    expect(judgeEditedLine(before, after)?.level).toBe(level);
  });
});
