import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { findings, judge } from '../judging.ts';

const policy = (include: JsonObject, decision = 'allow', more: JsonObject = {}) => ({
  decision,
  include: [include],
  ...more,
});

describe('a Cloudflare access policy', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['cloudflare_access_policy', { email_domain: ['a.example'], everyone: null }, { everyone: true }],
    ['cloudflare_zero_trust_access_policy', { email_domain: { domain: 'a.example' } }, { everyone: {} }],
  ])('of type %s that starts to include everyone is high, and the reverse change strengthens', (type, closed, open) => {
    const opened = { before: policy(closed), after: policy(open) };
    expect(judge('update', type, opened)).toEqual({ 'R-IAM-TRUST': 'high' });
    expect(judge('create', type, { after: policy(open) })).toEqual({ 'R-IAM-TRUST': 'high' });

    const { reasons, change } = findings('update', type, { before: policy(open), after: policy(closed) });
    expect(reasons).toEqual([]);
    expect(change.diffs.every(({ direction }) => direction === 'strengthening')).toBe(true);
  });

  test('gives no reason when it has another requirement, denies access, or includes one more domain', () => {
    const type = 'cloudflare_access_policy';
    const required = policy({ everyone: true }, 'allow', { require: [{ group: ['staff'] }] });
    expect(judge('create', type, { after: required })).toEqual({});
    expect(judge('create', type, { after: policy({ everyone: true }, 'deny') })).toEqual({});
    const before = policy({ email_domain: ['a.example'] });
    expect(judge('update', type, { before, after: policy({ email_domain: ['a.example', 'b.example'] }) })).toEqual({});
  });

  test('that starts to bypass the login is high', () => {
    const [before, after] = [policy({ ip: ['192.0.2.0/24'] }), policy({ ip: ['192.0.2.0/24'] }, 'bypass')];
    expect(judge('update', 'cloudflare_access_policy', { before, after })).toEqual({ 'R-IAM-TRUST': 'high' });
  });
});

describe('a Cloudflare firewall rule', () => {
  const type = 'cloudflare_firewall_rule';
  const blocking = { action: 'block', paused: false };

  test.each([{ action: 'block', paused: true }, { action: 'allow', paused: false }, { action: 'log' }])(
    'that blocks requests and changes to %j is high, and the reverse change gives no reason',
    (after) => {
      expect(judge('update', type, { before: blocking, after })).toEqual({ 'R-SEC-WAF': 'high' });
      expect(judge('update', type, { before: after, after: blocking })).toEqual({});
    },
  );

  test('is high on delete when it blocked requests', () => {
    expect(judge('delete', type, { before: blocking })).toEqual({ 'R-SEC-WAF': 'high' });
    expect(judge('delete', type, { before: { action: 'allow' } })).toEqual({});
  });
});

describe('a Cloudflare ruleset', () => {
  const rule = (values: JsonObject = {}) => ({
    expression: 'ip.src in $bad',
    action: 'block',
    enabled: true,
    ...values,
  });
  const buildRuleset = (...rules: JsonObject[]) => ({ rules });
  const type = 'cloudflare_ruleset';

  test.each([[buildRuleset(rule({ enabled: false }))], [buildRuleset(rule({ action: 'log' }))], [buildRuleset()]])(
    'is high when a blocking rule changes to %j',
    (after) => {
      expect(judge('update', type, { before: buildRuleset(rule()), after })).toEqual({ 'R-SEC-WAF': 'high' });
      expect(judge('update', type, { before: after, after: buildRuleset(rule()) })).toEqual({});
    },
  );

  test('gives no reason for a new order, a new description or a stronger action', () => {
    const other = rule({ expression: 'http.host eq "x"' });
    expect(judge('update', type, { before: buildRuleset(rule(), other), after: buildRuleset(other, rule()) })).toEqual(
      {},
    );
    expect(
      judge('update', type, { before: buildRuleset(rule()), after: buildRuleset(rule({ description: 'new' })) }),
    ).toEqual({});
    const challenge = rule({ action: 'managed_challenge' });
    expect(judge('update', type, { before: buildRuleset(challenge), after: buildRuleset(rule()) })).toEqual({});
  });

  test('gives no reason when a redirect is removed', () => {
    const redirect = rule({ action: 'redirect' });
    expect(judge('update', type, { before: buildRuleset(redirect), after: buildRuleset() })).toEqual({});
  });
});

test('an API token for all accounts is medium, and a token for a named zone gives no reason', () => {
  const token = (name: string) => ({ policy: [{ resources: { [name]: '*' } }] });
  const type = 'cloudflare_api_token';
  const all = token('com.cloudflare.api.account.*');
  expect(judge('create', type, { after: all })).toEqual({ 'R-IAM-WILDCARD': 'medium' });
  expect(
    judge('create', type, { after: token('com.cloudflare.api.account.zone.023e105f4ecef8ad9ca31a8372d0c353') }),
  ).toEqual({});
  expect(judge('update', type, { before: all, after: { ...all, name: 'b' } })).toEqual({});
});
