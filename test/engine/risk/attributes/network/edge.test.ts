import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/result.ts';
import { findings, judge } from '../judging.ts';

const policy = (include: JsonObject, decision = 'allow', more: JsonObject = {}) => ({
  decision,
  include: [include],
  ...more,
});

describe('an access policy of Cloudflare', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['cloudflare_access_policy', { email_domain: ['a.example'], everyone: null }, { everyone: true }],
    ['cloudflare_zero_trust_access_policy', { email_domain: { domain: 'a.example' } }, { everyone: {} }],
  ])('%s that lets everyone in is high, and the other way round is safer', (type, closed, open) => {
    const opened = { before: policy(closed), after: policy(open) };
    expect(judge('update', type, opened)).toEqual({ 'R-IAM-TRUST': 'high' });
    expect(judge('create', type, { after: policy(open) })).toEqual({ 'R-IAM-TRUST': 'high' });

    const { reasons, change } = findings('update', type, { before: policy(open), after: policy(closed) });
    expect(reasons).toEqual([]);
    expect(change.diffs.every(({ direction }) => direction === 'strengthening')).toBe(true);
  });

  test('that asks for something beside, denies, or lets one more domain in is not', () => {
    const type = 'cloudflare_access_policy';
    const required = policy({ everyone: true }, 'allow', { require: [{ group: ['staff'] }] });
    expect(judge('create', type, { after: required })).toEqual({});
    expect(judge('create', type, { after: policy({ everyone: true }, 'deny') })).toEqual({});
    const before = policy({ email_domain: ['a.example'] });
    expect(judge('update', type, { before, after: policy({ email_domain: ['a.example', 'b.example'] }) })).toEqual({});
  });

  test('that begins to bypass the login is high', () => {
    const [before, after] = [policy({ ip: ['192.0.2.0/24'] }), policy({ ip: ['192.0.2.0/24'] }, 'bypass')];
    expect(judge('update', 'cloudflare_access_policy', { before, after })).toEqual({ 'R-IAM-TRUST': 'high' });
  });
});

describe('a firewall rule of Cloudflare', () => {
  const type = 'cloudflare_firewall_rule';
  const blocking = { action: 'block', paused: false };

  test.each([{ action: 'block', paused: true }, { action: 'allow', paused: false }, { action: 'log' }])(
    'that stops requests and becomes %j is high, not the other way round',
    (after) => {
      expect(judge('update', type, { before: blocking, after })).toEqual({ 'R-SEC-WAF': 'high' });
      expect(judge('update', type, { before: after, after: blocking })).toEqual({});
    },
  );

  test('counts on delete when it stopped requests', () => {
    expect(judge('delete', type, { before: blocking })).toEqual({ 'R-SEC-WAF': 'high' });
    expect(judge('delete', type, { before: { action: 'allow' } })).toEqual({});
  });
});

describe('a rule set of Cloudflare', () => {
  const rule = (values: JsonObject = {}) => ({
    expression: 'ip.src in $bad',
    action: 'block',
    enabled: true,
    ...values,
  });
  const buildRuleset = (...rules: JsonObject[]) => ({ rules });
  const type = 'cloudflare_ruleset';

  test.each([[buildRuleset(rule({ enabled: false }))], [buildRuleset(rule({ action: 'log' }))], [buildRuleset()]])(
    '%j stops less',
    (after) => {
      expect(judge('update', type, { before: buildRuleset(rule()), after })).toEqual({ 'R-SEC-WAF': 'high' });
      expect(judge('update', type, { before: after, after: buildRuleset(rule()) })).toEqual({});
    },
  );

  test('in another order, with a new description or a stronger action stops as much', () => {
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

  test('that redirects is no filter', () => {
    const redirect = rule({ action: 'redirect' });
    expect(judge('update', type, { before: buildRuleset(redirect), after: buildRuleset() })).toEqual({});
  });
});

test('a token over all accounts is wider than one over a named zone', () => {
  const token = (name: string) => ({ policy: [{ resources: { [name]: '*' } }] });
  const type = 'cloudflare_api_token';
  const all = token('com.cloudflare.api.account.*');
  expect(judge('create', type, { after: all })).toEqual({ 'R-IAM-WILDCARD': 'medium' });
  expect(
    judge('create', type, { after: token('com.cloudflare.api.account.zone.023e105f4ecef8ad9ca31a8372d0c353') }),
  ).toEqual({});
  expect(judge('update', type, { before: all, after: { ...all, name: 'b' } })).toEqual({});
});
