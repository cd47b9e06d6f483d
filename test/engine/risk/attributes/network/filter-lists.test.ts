import { describe, expect, test } from '@jest/globals';
import type { JsonObject, RiskLevel } from '../../../../../engine/model/result.ts';
import { judgePlan } from '../../plans.ts';

const findLevel = (type: string, before: JsonObject, after: JsonObject): RiskLevel =>
  judgePlan([[type, before, after]]).level;

describe('expressions of Cloudflare', () => {
  const rule = (action: string, expression: string, ref = 'r') => ({ action, expression, ref, enabled: true });
  const block = rule('block', '(ip.geoip.country in {"KP" "RU"})', 'b');
  const change = (before: JsonObject[], after: JsonObject[]) =>
    findLevel('cloudflare_ruleset', { zone_id: 'z1', rules: before }, { zone_id: 'z1', rules: after });

  test.each([
    ['gains an alternative', '(ip.src in $office)', '(ip.src in $office) or (http.user_agent contains "acme")'],
    ['loses a test', 'ip.src in $office and http.host eq "a.example.com"', 'http.host eq "a.example.com"'],
    ['accepts a header instead', 'ip.src in $office', 'any(http.request.headers["x-key"][*] eq "1")'],
    ['matches everything', 'ip.src in $office', 'true'],
  ])('a skip rule that %s is high', (_, before, after) => {
    expect(change([rule('skip', before), block], [rule('skip', after), block])).toBe('high');
  });

  test.each([
    ['gains a test', '(ip.src in $office)', '(ip.src in $office) and http.host eq "a.example.com"'],
    [
      'gets parentheses',
      '(ip.src in $office and http.host eq "a.b")',
      '((ip.src in $office)\n and (http.host eq "a.b"))',
    ],
    ['names one more exact path', '(http.request.uri.path eq "/a")', '(http.request.uri.path in {"/a" "/b"})'],
    ['is written without a list', 'http.host in {"a.b" "c.d"}', 'http.host eq "a.b" or http.host eq "c.d"'],
  ])('a skip rule that %s is low', (_, before, after) => {
    expect(['none', 'low']).toContain(change([rule('skip', before), block], [rule('skip', after), block]));
  });

  test('a new skip rule for what anybody can send is high, for one exact path low', () => {
    expect(change([block], [rule('skip', 'http.user_agent contains "x"'), block])).toBe('high');
    expect(change([block], [rule('skip', 'http.request.uri.path eq "/health"'), block])).toBe('low');
  });

  test('a block rule that matches more is low, one that matches less is medium', () => {
    const admin = '(http.request.uri.path contains "/admin")';
    expect(change([rule('block', admin)], [rule('block', `${admin} or http.host eq "x"`)])).toBe('low');
    expect(change([rule('block', admin)], [rule('block', `${admin} and http.host eq "x"`)])).toBe('medium');
  });
});

describe('rules of firewalls in their order', () => {
  const managed = { managed_rule_group_statement: [{ name: 'Common', vendor_name: 'AWS' }] };
  const agent = {
    byte_match_statement: [{ search_string: 'x', field_to_match: [{ single_header: [{ name: 'ua' }] }] }],
  };
  const addresses = {
    ip_set_reference_statement: [{ arn: 'arn:aws:wafv2:eu-west-1:111122223333:regional/ipset/a/1' }],
  };
  const aws = (name: string, priority: number, statement: JsonObject) => ({
    name,
    priority,
    statement: [statement],
    action: statement === managed ? [] : [{ allow: [{}], block: [] }],
    override_action: statement === managed ? [{ none: [{}], count: [] }] : [],
  });
  const change = (before: JsonObject[], after: JsonObject[]) =>
    findLevel('aws_wafv2_web_acl', { name: 'a', rule: before }, { name: 'a', rule: after });

  test('an allow rule for a header before the managed rules is high, also if it moves there', () => {
    const [last, first] = [aws('p', 99, agent), aws('p', 1, agent)];
    expect(change([aws('m', 10, managed)], [aws('m', 10, managed), first])).toBe('high');
    expect(change([aws('m', 10, managed), last], [aws('m', 10, managed), first])).toBe('high');
  });

  test('an allow rule for named addresses, or behind the managed rules, is at most medium', () => {
    expect(change([aws('m', 10, managed)], [aws('m', 10, managed), aws('p', 1, addresses)])).toBe('medium');
    expect(change([aws('m', 10, managed)], [aws('m', 10, managed), aws('p', 99, agent)])).toBe('medium');
  });

  test('new numbers in the same order are noise', () => {
    const before = [aws('p', 1, addresses), aws('m', 2, managed)];
    expect(change(before, [aws('p', 10, addresses), aws('m', 20, managed)])).toBe('none');
  });

  test('new numbers of Cloud Armor in the same order do not count as lost rules', () => {
    const deny = (priority: number, set: string) => ({
      priority,
      action: 'deny(403)',
      match: [{ expr: [{ expression: `evaluatePreconfiguredWaf('${set}')` }] }],
    });
    const sides = [100, 2000].map((first) => ({ name: 'p', rule: [deny(first, 'sqli'), deny(first + 5, 'xss')] }));
    expect(['low', 'medium']).toContain(findLevel('google_compute_security_policy', sides[0]!, sides[1]!));
  });

  test('a custom rule of Azure for a header before a block rule is high', () => {
    const custom = (name: string, priority: number, action: string) => ({
      name,
      priority,
      action,
      enabled: true,
      match_condition: [{ match_variable: 'RequestHeader', operator: 'Contains', match_values: ['x'] }],
    });
    const policy = (...rules: JsonObject[]) => ({ name: 'w', custom_rule: rules });
    const block = custom('b', 10, 'Block');
    const level = findLevel(
      'azurerm_cdn_frontdoor_firewall_policy',
      policy(block),
      policy(custom('a', 1, 'Allow'), block),
    );
    expect(level).toBe('high');
  });
});
