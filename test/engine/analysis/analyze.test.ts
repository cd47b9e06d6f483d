import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { analyzePlan, createAnalysis, ENGINE_VERSION, PlanError } from '../../../engine/index.ts';
import { entry, planText, tagUpdate } from './plans.ts';

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/plans/${name}.json`, import.meta.url));
}

describe('the analysis of a plan that Terraform created', () => {
  test('lists every action by level, weight and address, and counts it', () => {
    const { changes, changes_total, changes_truncated, summary } = analyzePlan(fixture('every-action'));

    expect(changes.map(({ address, action_label, risk }) => [address, action_label, risk.level])).toEqual([
      ['terraform_data.deleted["a.b"]', 'delete', 'medium'],
      ['terraform_data.deleted["c"]', 'delete', 'medium'],
      ['terraform_data.first', 'replace (create first)', 'low'],
      ['terraform_data.replaced', 'replace (destroy first)', 'low'],
      ['terraform_data.updated', 'update', 'low'],
      ['terraform_data.created[0]', 'create', 'low'],
      ['terraform_data.created[1]', 'create', 'low'],
      ['terraform_data.kept', 'move', 'none'],
    ]);
    expect([changes_total, changes_truncated]).toEqual([8, false]);
    expect(summary).toMatchObject({ total: 8, create: 2, update: 1, replace: 2, delete: 2, move: 1, destructive: 4 });
    expect(summary.checks).toEqual({ pass: 0, fail: 1, error: 0, unknown: 0 });
  });

  test('lists differences leaf by leaf without secrets', () => {
    const analysis = analyzePlan(fixture('every-action'));

    const updated = analysis.changes.find(({ name }) => name === 'updated')!;
    const leaves = updated.attributes.map(({ path, op, before, after }) => [path, op, before, after]);
    expect(leaves.slice(0, 4)).toEqual([
      ['input.list', 'reorder', ['a', 'b'], ['b', 'a']],
      ['input.note', 'update', 'uses (sensitive) inside', 'uses (sensitive) inside'],
      ['input.secret', 'update', null, null],
      ['input.size', 'update', '9007199254740992', '9007199254740994'],
    ]);
    expect(JSON.stringify(analysis)).not.toContain('s3cr3t');
  });

  test('rates a move alone as no risk and omits unchanged outputs', () => {
    const { risk_level, changes, output_changes } = analyzePlan(fixture('moved-only'));

    expect([risk_level, changes.map(({ action }) => action), output_changes]).toEqual(['none', ['move'], []]);
    expect(changes[0]).toMatchObject({ previous_address: 'terraform_data.was', attributes: [] });
  });

  test.each([
    ['errored', 'medium', /ended with an error/],
    ['targeted', 'low', /partial/],
  ])('rates an %s plan above none and mentions it in the narrative', (name, level, pattern) => {
    const { risk_level, narrative, summary } = analyzePlan(fixture(name));

    expect(risk_level).toBe(level);
    expect(narrative).toMatch(pattern);
    expect(summary.headline).toMatch(pattern.source === 'partial' ? /partial/ : /errors/);
  });

  test('does not depend on chunk sizes or formatting', () => {
    const bytes = fixture('every-action');
    const inPieces = createAnalysis();
    for (let at = 0; at < bytes.length; at += 13) inPieces.write(bytes.subarray(at, at + 13));
    const pretty = JSON.stringify(JSON.parse(bytes.toString()), null, 2).replaceAll(/"(900719925474099\d)"/g, '$1');

    expect(inPieces.end()).toEqual(analyzePlan(bytes));
    expect(analyzePlan(pretty).changes.map(({ address }) => address)).toEqual(
      analyzePlan(bytes).changes.map(({ address }) => address),
    );
  });
});

describe('the result', () => {
  test('of an empty plan has level none', () => {
    expect(analyzePlan('{"format_version":"1.2"}')).toMatchObject({
      schema_version: 1,
      risk_level: 'none',
      risk: {
        deterministic_level: 'none',
        llm_level: null,
        policy_version: 0,
        engine_version: ENGINE_VERSION,
        blocked: false,
      },
      narrative_status: 'fallback',
      skip_reason: null,
      changes: [],
      plan_noise: { known_benign: 0, novel: 0, suppressed: 0, total: 0 },
    });
  });

  test('identifies a change by address and deposed key', () => {
    const both = [tagUpdate('a'), tagUpdate('a', { deposed: '00000001' })];
    const { changes } = analyzePlan(planText({ resource_changes: both }));

    // printf 'aws_s3_bucket.a|' | sha256sum; printf 'aws_s3_bucket.a|00000001' | sha256sum
    expect(changes.map(({ id }) => id)).toEqual(['chg_bfab238c52beb7fa', 'chg_55c4b068a8bc092d']);
  });

  test('lists only the first changes but evaluates and counts all of them', () => {
    const many = Array.from({ length: 3000 }, (_, i) => tagUpdate(`b${String(i).padStart(4, '0')}`));
    const last = entry('aws_db_instance', 'z', { actions: ['delete'], before: { id: 'z' } });

    const cut = analyzePlan(planText({ resource_changes: [...many, last] }), { max_changes: 2 });

    expect(cut.changes.map(({ address }) => address)).toEqual(['aws_db_instance.z', 'aws_s3_bucket.b0000']);
    expect(cut).toMatchObject({ changes_total: 3001, changes_truncated: true, risk_level: 'critical' });
    expect(cut.summary.total).toBe(3001);
  });

  test('lists at most 2,000 changes and 500 drifted resources', () => {
    const many = Array.from({ length: 3100 }, (_, i) => tagUpdate(`b${i}`));

    const { changes, resource_drift, summary } = analyzePlan(
      planText({ resource_changes: many, resource_drift: many }),
    );

    expect([changes.length, resource_drift.length]).toEqual([2000, 500]);
    expect(summary.drift_detected).toBe(3100);
  });

  test('evaluates drift without raising the level of the plan', () => {
    const gone = entry('aws_db_instance', 'z', { actions: ['delete'], before: { id: 'z' } });
    const moved = tagUpdate('m', { previous_address: 'aws_s3_bucket.old' });
    moved.change.actions = ['no-op'];

    const { risk_level, resource_drift, summary } = analyzePlan(planText({ resource_drift: [gone, moved] }));

    expect([risk_level, summary.drift_detected]).toEqual(['none', 1]);
    expect(resource_drift.map(({ address, risk }) => [address, risk.level])).toEqual([
      ['aws_db_instance.z', 'critical'],
    ]);
  });

  test('builds the address from its parts if an old Terraform version omits it', () => {
    const drift = '{"mode":"managed","type":"t","name":"n","index":"k","change":{"actions":["delete"]}}';

    const { resource_drift } = analyzePlan(`{"format_version":"0.2","resource_drift":[${drift}]}`);

    expect(resource_drift[0]!.address).toBe('t.n["k"]');
  });

  test('uses only the last occurrence of a duplicated member', () => {
    const once = planText({ resource_changes: [tagUpdate('b')], resource_drift: [], output_changes: {} });
    const lost = entry('aws_db_instance', 'z', { actions: ['delete'], before: { id: 'z' } });
    const output = { actions: ['create'], before: null, after: 1 };
    const first = `{"resource_changes":${JSON.stringify([lost])},"resource_drift":${JSON.stringify([lost])},"output_changes":${JSON.stringify({ o: output })},`;

    expect(analyzePlan(first + once.slice(1))).toEqual(analyzePlan(once));
  });

  test('considers the whole plan for a guard that is deleted before the resource it protects', () => {
    const guard = entry('aws_s3_bucket_public_access_block', 'a', {
      actions: ['delete'],
      before: { bucket: 'logs', block_public_acls: true, id: 'logs' },
    });
    const bucket = entry('aws_s3_bucket', 'a', { actions: ['delete'], before: { id: 'logs', bucket: 'logs' } });
    const weakenings = (changes: unknown[]) =>
      analyzePlan(planText({ resource_changes: changes }))
        .changes.find(({ type }) => type.endsWith('_block'))!
        .risk.reasons.filter(({ kind }) => kind === 'attribute' || kind === 'exposure');

    expect(weakenings([guard])).toHaveLength(1);
    expect(weakenings([guard, bucket])).toEqual([]);
    expect(weakenings([bucket, guard])).toEqual([]);
  });

  test('counts plan noise and lists its addresses', () => {
    const noise = entry('aws_instance', 'n', {
      before: { tags: null, user_data: 'same' },
      after: { tags: {}, user_data: 'same' },
    });

    const { plan_noise, narrative } = analyzePlan(planText({ resource_changes: [noise, tagUpdate('b')] }));

    expect(plan_noise).toEqual({
      known_benign: 1,
      novel: 1,
      suppressed: 0,
      total: 2,
      addresses: { known_benign: ['aws_instance.n'], suppressed: [] },
    });
    expect(narrative).toContain('1 of 2 changes is known plan noise');
  });

  test('of a redacted plan states that values are withheld', () => {
    const { narrative } = analyzePlan('{"plan_format_version":"1.1","resource_changes":[],"provider_schemas":{}}');

    expect(narrative).toMatch(/exported without its values/);
  });

  test('lists at most 200 changed outputs by name and uses the last one of a duplicated name', () => {
    const outputs = Array.from(
      { length: 250 },
      (_, i) => `"o${String(i).padStart(3, '0')}":{"actions":["create"],"after":${i}}`,
    );
    const text = `{"output_changes":{${outputs.join(',')},"o001":{"actions":["update"],"before":1,"after":"new"},"o000":{"actions":["no-op"]}}}`;

    const { output_changes } = analyzePlan(text);

    expect(output_changes).toHaveLength(200);
    expect(output_changes[0]).toMatchObject({ name: 'o001', action: 'update', after: 'new' });
  });

  test('handles keys such as __proto__ safely', () => {
    const text = `{"resource_changes":[{"address":"a.b","type":"__proto__","name":"constructor","provider_name":"x/y/__proto__","change":{"actions":["update"],"before":{"__proto__":{"x":1}},"after":{"__proto__":{"x":2},"toString":1},"after_unknown":{"__proto__":{"y":true}},"before_sensitive":{"__proto__":{}}}}],"output_changes":{"__proto__":{"actions":["create"],"after":{"__proto__":1}}}}`;

    const { changes, output_changes, summary } = analyzePlan(text);

    expect(changes[0]!.attributes.map(({ path }) => path)).toContain('__proto__.x');
    expect(output_changes[0]!.name).toBe('__proto__');
    expect(Object.keys(summary.by_provider)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('contains no NUL characters and no lone surrogates', () => {
    const text = `{"resource_changes":[{"address":"a.\\u0000","type":"t","name":"\\ud800","change":{"actions":["update"],"before":{"k\\u0000":"\\udc00"},"after":{"k\\u0000":"${'x'.repeat(1023)}\\ud83d\\ude00"}}}]}`;

    const result = JSON.stringify(analyzePlan(text));

    expect(result).not.toMatch(/\\u0000|\\ud[89a-f]/);
    expect(result).toContain('\ufffd');
  });

  test.each(['{"resource_changes":[{}]}', '{"resource_changes":[', ''])('is rejected for the plan %j', (text) => {
    expect(() => analyzePlan(text)).toThrow(PlanError);
  });

  test('lists what was not evaluated, riskiest first, and failed checks, without secrets', () => {
    const secret = 'correct-horse-battery';
    const open = entry('aws_iam_policy', 'ci', {
      before: { policy: '{}', description: 'a' },
      after: { description: secret },
      after_unknown: { policy: true, arn: true },
      after_sensitive: { description: true },
    });
    const harmless = entry('aws_sqs_queue', 'jobs', {
      actions: ['create'],
      after: {},
      after_unknown: { policy: true },
    });
    const problem = { message: `It answers ${secret}.` };
    const analysis = analyzePlan(
      planText({
        resource_changes: [harmless, open],
        deferred_changes: [{ resource_change: { address: 'aws_x.later' } }],
        checks: [{ address: { to_display: 'check.health' }, status: 'fail', instances: [{ problems: [problem] }] }],
      }),
    );

    expect(analysis.not_evaluated).toEqual({
      resources: [
        { address: 'aws_iam_policy.ci', reason: 'known_after_apply', paths: ['policy'], paths_total: 1 },
        { address: 'aws_sqs_queue.jobs', reason: 'known_after_apply', paths: ['policy'], paths_total: 1 },
        { address: 'aws_x.later', reason: 'deferred', paths: [], paths_total: 0 },
      ],
      resources_total: 3,
      unknown_attributes: 3,
      values_withheld: false,
    });
    expect(analysis.checks).toEqual([
      { address: 'check.health', status: 'fail', problems: ['It answers (sensitive).'] },
    ]);
    expect(JSON.stringify(analysis)).not.toContain(secret);
  });

  test('a text of more than 1 MiB that is not proven equal is named as not evaluated', () => {
    const long = 'x: 1\n'.repeat(220_000);
    const boot = (after: string) => ({ actions: ['update'], before: { values: long }, after: { values: after } });
    const release = (name: string, after: string) => ({
      ...{ address: `helm_release.${name}`, mode: 'managed', type: 'helm_release', name },
      change: boot(after),
    });
    const { not_evaluated } = analyzePlan(
      planText({ resource_changes: [release('changed', `${long}y: 2\n`), release('same', long)] }),
    );

    expect(not_evaluated).toMatchObject({
      resources: [{ address: 'helm_release.changed', reason: 'too_large', paths: ['values'], paths_total: 1 }],
      resources_total: 1,
    });
  });
});
