import { describe, expect, test } from '@jest/globals';
import { createAnalysis } from '../../../../engine/index.ts';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { compileRules } from '../../../../engine/rules/index.ts';
import { entry, planText } from '../../analysis/plans.ts';

const RUN = { repo: null, branch: null, now: new Date('2026-01-01T00:00:00Z') };
const NOTHING = {
  noise_rules: [],
  risk_rules: [],
  disabled: { noise: [], risk: [] },
  suppressions: [],
  policy: { version: 0, rules: [] },
};

function analyze(changes: unknown[], owners: string[] = [], more: JsonObject = {}) {
  const analysis = createAnalysis({ book: compileRules({ ...NOTHING, owners }, RUN) });
  analysis.write(Buffer.from(planText({ resource_changes: changes, ...more })));
  const { changes: judged } = analysis.end();
  const reasons = judged.flatMap(({ risk }) => risk.reasons);
  const found = reasons.find(({ rule_id }) => rule_id === 'R-DST-FOREIGN');
  return { found, reasons, owners: analysis.owners() };
}

const update = (type: string, before: JsonObject, after: JsonObject, more: JsonObject = {}) =>
  entry(type, 'a', { before, after, ...more });
const subscription = (before: string, after: string) =>
  update('aws_sns_topic_subscription', { protocol: 'https', endpoint: before }, { protocol: 'https', endpoint: after });
const forwarder = (account: string) =>
  update(
    'aws_cloudwatch_log_subscription_filter',
    { destination_arn: 'arn:aws:logs:eu-west-1:111122223333:destination:x' },
    { destination_arn: `arn:aws:logs:eu-west-1:${account}:destination:x` },
  );
const image = (after: string) =>
  update('kubernetes_deployment', { image: 'docker.io/library/nginx:1' }, { image: after });

describe('confirmed owners', () => {
  test.each([
    ['an account', forwarder('444455556666'), 'account:444455556666'],
    [
      'a domain',
      subscription('https://hooks.example.com/a', 'https://ops.acme-industries.com/a'),
      'acme-industries.com',
    ],
    ['an organization of a code host', image('ghcr.io/acme/nginx:1'), 'github.com/acme'],
    [
      'a project',
      update(
        'google_logging_project_sink',
        { destination: 'pubsub.googleapis.com/projects/shop-dev/topics/logs' },
        { destination: 'pubsub.googleapis.com/projects/acme-logs/topics/logs' },
      ),
      'project:acme-logs',
    ],
    ['a registry', image('acme.jfrog.io/nginx:1'), 'acme.jfrog.io'],
  ])('%s makes a destination ours, and another of its kind stays foreign', (_what, change, owner) => {
    const other = owner.replace(/\d(?=\d*$)|acme/, (part) => (part === 'acme' ? 'globex' : '0'));

    expect(analyze([change]).found).toMatchObject({ message: expect.stringContaining('nowhere else in the plan') });
    expect(analyze([change], [owner]).found).toBeUndefined();
    expect(analyze([change], [other]).found).toMatchObject({
      level: analyze([change]).found?.level,
      message: expect.stringMatching(/an owner that is not confirmed as yours and occurs nowhere else in the plan/),
    });
  });

  test('a name that resembles a confirmed domain is a look-alike, and names it', () => {
    const change = subscription('https://hooks.example.com/a', 'https://ops.acme-industrles.com/a');

    expect(analyze([change], ['acme-industries.com']).found).toMatchObject({
      level: 'high',
      message: expect.stringContaining('a name that is easily taken for one of ours (acme-industries.com)'),
    });
    expect(analyze([change], ['globex.com']).found?.message).not.toContain('easily taken');
  });

  test('a confirmed account is trusted like an account of the plan', () => {
    const trust = (account: string) =>
      JSON.stringify({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: `arn:aws:iam::${account}:root` } }],
      });
    const role = update(
      'aws_iam_role',
      { arn: 'arn:aws:iam::111122223333:role/a', assume_role_policy: trust('111122223333') },
      { arn: 'arn:aws:iam::111122223333:role/a', assume_role_policy: trust('444455556666') },
    );
    const ids = (owners: string[]) => analyze([role], owners).reasons.map(({ rule_id }) => rule_id);

    expect(ids([])).toContain('R-IAM-TRUST');
    expect(ids(['account:444455556666'])).not.toContain('R-IAM-TRUST');
    expect(ids(['account:777788889999'])).toContain('R-IAM-TRUST');
  });

  test('data of a new resource to another account is foreign once an account is confirmed', () => {
    const created = entry('aws_cloudwatch_log_subscription_filter', 'a', {
      actions: ['create'],
      after: { destination_arn: 'arn:aws:logs:eu-west-1:444455556666:destination:x' },
    });

    expect(analyze([created]).found).toBeUndefined();
    expect(analyze([created], ['account:111122223333']).found).toMatchObject({ level: 'high' });
    expect(analyze([created], ['account:111122223333', 'account:444455556666']).found).toBeUndefined();
    expect(analyze([created], ['example.com']).found).toBeUndefined();
  });

  test('a confirmed organization of a code host makes no domain foreign', () => {
    const created = entry('aws_sns_topic_subscription', 'a', {
      actions: ['create'],
      after: { protocol: 'https', endpoint: 'https://hooks.example.net/a' },
    });

    expect(analyze([created], ['example.com']).found).toMatchObject({ level: 'medium' });
    expect(analyze([created], ['github.com/acme']).found).toBeUndefined();
  });

  test('a confirmed tenant of a host that anyone can register stays anonymous', () => {
    const change = subscription('https://hooks.example.com/a', 'https://acme.ngrok.io/a');

    expect(analyze([change], ['acme.ngrok.io']).found).toMatchObject({ level: 'high' });
  });
});

describe('owners that an analysis learns', () => {
  const provider_config = {
    aws: {
      name: 'aws',
      full_name: 'registry.terraform.io/hashicorp/aws',
      expressions: { allowed_account_ids: { constant_value: ['111122223333'] } },
    },
    github: {
      name: 'github',
      full_name: 'registry.terraform.io/integrations/github',
      expressions: { owner: { constant_value: 'acme' } },
    },
  };

  test('they come from the provider configuration first, then from prior values', () => {
    const change = subscription('https://hooks.example.com/a', 'https://hooks.example.com/b');

    expect(analyze([change], [], { configuration: { provider_config } }).owners).toEqual([
      'account:111122223333',
      'github.com/acme',
      'example.com',
    ]);
  });

  test('they never come from new values', () => {
    const created = entry('aws_sns_topic_subscription', 'b', {
      actions: ['create'],
      after: { endpoint: 'https://evil.example.org/a', topic_arn: 'arn:aws:sns:eu-west-1:999988887777:a' },
    });
    const change = subscription('https://hooks.example.com/a', 'https://evil.example.net/a');

    expect(analyze([created, change]).owners).toEqual(['example.com']);
  });

  test.each([
    ['a vendor', 'https://intake.datadoghq.com/a'],
    ['an internal host', 'https://hooks.shop.internal/a'],
    ['a private address', 'https://10.1.2.3/a'],
    ['a host that anyone can register', 'https://acme.ngrok.io/a'],
    ['a webhook with a secret in its path', 'https://hooks.slack.com/services/T0001/B0001/abc'],
    ['a bot token in a path', 'https://api.telegram.org/bot123456:AAE/sendMessage'],
    ['a free mail address', 'ana@gmail.com'],
    ['a name server', 'ns-12.awsdns-34.com'],
  ])('%s is not learned', (_what, endpoint) => {
    expect(analyze([subscription(endpoint, 'https://hooks.example.com/b')]).owners).toEqual([]);
  });

  test('a value that is marked as sensitive, or whose name is that of a secret, is not learned', () => {
    const endpoint = 'https://hooks.example.com/a';
    const marked = update(
      'aws_sns_topic_subscription',
      { endpoint },
      { endpoint: 'x' },
      { before_sensitive: { endpoint: true } },
    );
    const nested = update(
      'aws_thing',
      { a: [{ endpoint }] },
      { a: [] },
      { before_sensitive: { a: [{ endpoint: true }] } },
    );
    const named = update('aws_thing', { client_secret: endpoint }, { client_secret: 'x' });

    for (const change of [marked, nested, named]) expect(analyze([change]).owners).toEqual([]);
    expect(analyze([update('aws_thing', { endpoint }, { endpoint: 'x' })]).owners).toEqual(['example.com']);
  });

  test('an owner that contains a sensitive value of the plan is not learned', () => {
    const bucket = 'tfp-9f8a7c6b5d4e3f2a';
    const open = update('aws_s3_bucket', { bucket }, { bucket, tags: { a: '1' } });
    const marked = update('aws_thing', { a: bucket }, { a: 'x' }, { before_sensitive: { a: true } });

    expect(analyze([open]).owners).toEqual([`bucket:${bucket}`]);
    expect(analyze([open, { ...marked, address: 'aws_thing.b' }]).owners).toEqual([]);
  });

  test('a data source teaches nothing', () => {
    const read = entry(
      'aws_ami',
      'a',
      { actions: ['read'], before: { owner_id: '999988887777' }, after: { owner_id: '999988887777' } },
      { mode: 'data' },
    );

    expect(analyze([read]).owners).toEqual([]);
  });

  test('at most 200 are returned, buckets last', () => {
    const buckets = Array.from({ length: 250 }, (_, i) => ({
      ...update('aws_s3_bucket', { bucket: `acme-${i}` }, { bucket: `acme-${i}`, tags: {} }),
      address: `aws_s3_bucket.a${i}`,
    }));
    const { owners } = analyze([
      ...buckets,
      subscription('https://hooks.example.com/a', 'https://hooks.example.com/b'),
    ]);

    expect(owners).toHaveLength(200);
    expect(owners.slice(0, 2)).toEqual(['example.com', 'bucket:acme-0']);
  });
});
