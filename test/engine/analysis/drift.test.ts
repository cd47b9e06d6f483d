/** Plans in the member order of `terraform show -json`: `resource_drift` first, `relevant_attributes` last. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyzePlan } from '../../../engine/index.ts';
import type { JsonObject, JsonValue } from '../../../engine/model/result.ts';
import type { RawChange, RawRelevantAttribute, RawResourceChange } from '../../../engine/plan/types.ts';
import { entry, planText } from './plans.ts';

const BASTION = 'aws_security_group.bastion';
const rule = (cidr: string, port = 22) => ({ cidr_blocks: [cidr], from_port: port, to_port: port, protocol: 'tcp' });
const OFFICE = { ingress: [rule('198.51.100.0/24')], tags: { Name: 'bastion' }, tags_all: { Name: 'bastion' } };
const OPENED = { ...OFFICE, ingress: [rule('198.51.100.0/24'), rule('203.0.113.7/32')] };

function group(before: JsonObject | null, after: JsonObject | null, change: Partial<RawChange> = {}) {
  return entry('aws_security_group', 'bastion', { before, after, ...change });
}

/** Another change, so that the plan is not empty. */
const other = entry('aws_sqs_queue', 'q', { actions: ['create'], before: null, after: { name: 'q' } });
const kept = group(OPENED, OPENED, { actions: ['no-op'] });

function analyze(members: {
  drift: RawResourceChange[];
  changes?: RawResourceChange[];
  relevant?: RawRelevantAttribute[];
  format_version?: string;
  output_changes?: Record<string, RawChange>;
}) {
  const { drift, changes = [], relevant = [], format_version = '1.2', output_changes = {} } = members;
  return analyzePlan(
    planText({
      format_version,
      resource_drift: drift,
      resource_changes: changes,
      output_changes,
      ...(relevant.length > 0 ? { relevant_attributes: relevant } : {}),
    }),
  );
}

describe('drift', () => {
  const drift = [group(OFFICE, OPENED)];
  const reads = (resource: string, ...attribute: (string | number)[]) => [{ resource, attribute }];

  test.each<[string, RawRelevantAttribute[], boolean]>([
    ['is listed if the plan reads the drifted attribute', reads(BASTION, 'ingress'), true],
    [
      'is listed if the plan reads a path below the drifted attribute',
      reads(BASTION, 'ingress', 1, 'cidr_blocks', 0),
      true,
    ],
    ['is listed if the plan reads the whole resource', reads(BASTION), true],
    ['is listed if the plan reads every resource', reads(''), true],
    ['is not listed if the plan reads another attribute', reads(BASTION, 'arn'), false],
    ['is not listed if the plan reads another item of the list', reads(BASTION, 'ingress', 0), false],
    ['is not listed if the plan reads a resource with the same name prefix', reads(`${BASTION}_2`, 'ingress'), false],
    ['is not listed if the plan reads the same name in a module', reads(`module.a.${BASTION}`, 'ingress'), false],
    ['is not listed if the plan reads nothing', [], false],
  ])('%s', (_what, relevant, shown) => {
    const { resource_drift, summary } = analyze({ drift, changes: [other, kept], relevant });

    expect(resource_drift.map(({ address }) => address)).toEqual(shown ? [BASTION] : []);
    expect(summary.drift_detected).toBe(1);
  });

  test('of one instance is listed if the plan reads all instances', () => {
    const address = 'module.net["a"].aws_subnet.private[2]';
    const subnet = entry(
      'aws_subnet',
      'private',
      { before: { cidr: 'a' }, after: { cidr: 'b' } },
      { address, module_address: 'module.net["a"]', index: 2 },
    );
    const shownBy = (resource: string) =>
      analyze({ drift: [subnet], changes: [other], relevant: reads(resource, 'cidr') }).resource_drift.length;

    expect(shownBy('module.net["a"].aws_subnet.private')).toBe(1);
    expect(shownBy('module.net["a"].aws_subnet.private[1]')).toBe(0);
    expect(shownBy('module.net["b"].aws_subnet.private')).toBe(0);
  });

  test('of a deleted object is listed if the plan reads any of its attributes', () => {
    const gone = [group(OFFICE, null, { actions: ['delete'] })];

    expect(analyze({ drift: gone, changes: [other], relevant: reads(BASTION, 'id') }).resource_drift).toHaveLength(1);
    expect(analyze({ drift: gone, changes: [other], relevant: reads('a.b', 'id') }).resource_drift).toEqual([]);
  });

  test('is listed if the plan changes the same object', () => {
    const planned = group(OPENED, { ...OPENED, description: 'x' });
    const deposed = { ...planned, deposed: '0badc0de' };

    expect(analyze({ drift, changes: [planned] }).resource_drift).toHaveLength(1);
    expect(analyze({ drift, changes: [deposed, kept] }).resource_drift).toEqual([]);
  });

  test.each<[string, Parameters<typeof analyze>[0]]>([
    [
      'only refreshes',
      { drift, relevant: reads('a.b', 'id'), output_changes: { o: { actions: ['create'], after: 1 } } },
    ],
    ['changes nothing', { drift, changes: [kept] }],
    ['was created before Terraform 1.2', { drift, changes: [other, kept], format_version: '1.0' }],
    ['was created before Terraform 1.0', { drift, changes: [other, kept], format_version: '0.2' }],
  ])('is listed completely by a plan that %s', (_what, members) => {
    expect(analyze(members).resource_drift).toHaveLength(1);
  });

  test('is not listed completely if an output changes', () => {
    const output_changes = { o: { actions: ['update'], before: 1, after: 2 } };

    expect(analyze({ drift, changes: [kept], output_changes }).resource_drift).toEqual([]);
  });

  test('is found among hundreds of irrelevant entries', () => {
    const many = Array.from({ length: 1500 }, (_, i) =>
      entry('aws_db_instance', `d${i}`, { actions: ['delete'], before: { id: 'd' } }),
    );

    const found = analyze({ drift: [...many, ...drift], changes: [other], relevant: reads(BASTION, 'ingress') });

    expect(found.resource_drift.map(({ address }) => address)).toEqual([BASTION]);
    expect(found.summary.drift_detected).toBe(1501);
  });

  test('never raises the level', () => {
    const open = { ...OFFICE, ingress: [rule('0.0.0.0/0')] };
    const found = analyze({ drift: [group(OFFICE, open)], changes: [other], relevant: reads(BASTION, 'ingress') });

    expect([found.risk_level, found.resource_drift[0]!.risk.level]).toEqual(['low', 'critical']);
  });
});

describe('a planned change', () => {
  const findReversal = (drift: RawResourceChange, change: RawResourceChange) =>
    analyze({ drift: [drift], changes: [change] }).changes[0]!.reverts_drift;

  test('that restores every value reverts the drift', () => {
    expect(findReversal(group(OFFICE, OPENED), group(OPENED, OFFICE))).toEqual({
      kind: 'revert',
      paths: ['ingress[1].cidr_blocks[0]', 'ingress[1].from_port', 'ingress[1].to_port', 'ingress[1].protocol'],
      paths_total: 4,
    });
  });

  test('that sets another value overwrites the drift', () => {
    const drift = group({ size: 1, note: 'a' }, { size: 2, note: 'b' });

    expect(findReversal(drift, group({ size: 2, note: 'b' }, { size: 3, note: 'a' }))).toEqual({
      kind: 'overwrite',
      paths: ['size', 'note'],
      paths_total: 2,
    });
  });

  test('that does not touch the drifted attributes undoes nothing', () => {
    const drift = group({ size: 1, tags: { a: '1' } }, { size: 2, tags: { a: '1', b: '2' } });

    expect(findReversal(drift, group({ size: 2, note: 'x' }, { size: 2, note: 'y' }))).toBeNull();
    expect(findReversal(drift, group({ tags: { a: '1', b: '2' } }, { tags: { a: '0', b: '2' } }))).toBeNull();
  });

  test('that creates a deleted object again is a recreation', () => {
    const gone = group(OFFICE, null, { actions: ['delete'] });
    const created = group(null, OFFICE, { actions: ['create'] });

    expect(findReversal(gone, created)).toEqual({ kind: 'recreate', paths: [], paths_total: 0 });
  });

  test.each(['delete', 'forget'])('with the action %s undoes nothing', (action) => {
    expect(findReversal(group(OFFICE, OPENED), group(OPENED, null, { actions: [action] }))).toBeNull();
  });

  test('to an unknown value is not reported as a reversal', () => {
    const unknown = group({ size: 2 }, {}, { after_unknown: { size: true } });

    expect(findReversal(group({ size: 1 }, { size: 2 }), unknown)).toBeNull();
  });

  test('of secret values reports only the path of the reversal', () => {
    const secret = { before_sensitive: { password: true }, after_sensitive: { password: true } };
    const drift = group({ password: 'as-in-the-code' }, { password: 'set-by-hand' }, secret);
    const found = analyze({
      drift: [drift],
      changes: [group({ password: 'set-by-hand' }, { password: 'as-in-the-code' }, secret)],
    });

    expect(found.changes[0]!.reverts_drift).toEqual({ kind: 'revert', paths: ['password'], paths_total: 1 });
    expect(JSON.stringify(found)).not.toMatch(/as-in-the-code|set-by-hand/);
  });

  test('hides a secret that is part of a path', () => {
    const secret = 'hunter2-hunter2';
    const marked = entry('aws_instance', 'm', {
      before: { note: secret },
      after: { note: 'x' },
      before_sensitive: { note: true },
    });
    const found = analyze({
      drift: [group({ tags: {} }, { tags: { [secret]: '1' } })],
      changes: [marked, group({ tags: { [secret]: '1' } }, { tags: {} })],
    });

    expect(found.changes.map(({ reverts_drift }) => reverts_drift?.paths_total)).toContain(1);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  test('is compared with drift at the more specific of two paths, even if one side is marked as a whole', () => {
    const was = { env: { A: '1', B: '2' } };
    const is = { env: { A: '1', B: '3' } };
    const whole = { before_sensitive: { env: true }, after_sensitive: { env: true } };

    expect(findReversal(group(was, is, whole), group(is, was))?.kind).toBe('revert');
    expect(findReversal(group(was, is), group(is, was, whole))).toMatchObject({ kind: 'revert', paths: ['env.B'] });
    expect(findReversal(group(was, is, whole), group(is, { env: { A: '9', B: '3' } }))).toBeNull();
  });

  test('of a moved resource is matched with drift at the old address', () => {
    const moved = group({ size: 2 }, { size: 1 });
    moved.previous_address = 'aws_security_group.was';
    const drift = group({ size: 1 }, { size: 2 });
    drift.address = 'aws_security_group.was';

    expect(findReversal(drift, moved)?.kind).toBe('revert');
    expect(analyze({ drift: [drift], changes: [moved] }).resource_drift).toHaveLength(1);
  });

  test('to an equivalent policy reverts the drift', () => {
    const policy = (action: string, indent: number) =>
      JSON.stringify({ Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] }, null, indent);
    const was = { policy: policy('s3:GetObject', 0) };
    const is = { policy: policy('s3:PutObject', 0) };
    const change = (before: JsonObject, after: JsonObject) => entry('aws_iam_policy', 'p', { before, after });

    expect(findReversal(change(was, is), change(is, { policy: policy('s3:GetObject', 2) }))?.kind).toBe('revert');
    expect(findReversal(change(was, is), change(is, { policy: policy('s3:PutObject', 2) }))).toBeNull();
  });

  test('does not report attributes that the provider mirrors', () => {
    const tags = (Name: string) => ({ tags: { Name }, tags_all: { Name, Team: 'a' } });

    expect(findReversal(group(tags('a'), tags('b')), group(tags('b'), tags('a')))?.paths).toEqual(['tags.Name']);
  });

  test('lists 20 paths and counts the rest', () => {
    const values = (value: number) => Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, value]));
    const found = findReversal(group(values(1), values(2)), group(values(2), values(1)));

    expect([found?.paths.length, found?.paths_total]).toEqual([20, 30]);
  });

  test('keeps its level', () => {
    const planned = group({ tags: { a: '2' } }, { tags: { a: '1' } });
    const without = analyze({ drift: [], changes: [planned] });
    const found = analyze({ drift: [group({ tags: { a: '1' } }, { tags: { a: '2' } })], changes: [planned] });

    expect(found.changes[0]!.reverts_drift?.kind).toBe('revert');
    expect(found.changes[0]!.risk).toEqual(without.changes[0]!.risk);
  });
});

const leaf: fc.Arbitrary<JsonValue> = fc.oneof(fc.constantFrom('a', 'b', 1, 2, true, null), fc.constant<JsonValue>([]));
const value: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.constantFrom('k', 'l', 'm'),
  fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })),
  {
    maxKeys: 3,
  },
);

test('a plan that restores all previous values is never an overwrite', () => {
  fc.assert(
    fc.property(value, value, (was, is) => {
      const found = analyze({ drift: [group(was, is)], changes: [group(is, was)] });

      expect([undefined, null, 'revert']).toContain(found.changes[0]?.reverts_drift?.kind);
    }),
    { numRuns: 300 },
  );
});

test('the order of the plan members does not change the result', () => {
  const members = {
    format_version: '1.2',
    resource_drift: [group(OFFICE, OPENED), entry('aws_sqs_queue', 'x', { before: { a: 1 }, after: { a: 2 } })],
    resource_changes: [group(OPENED, OFFICE), other],
    relevant_attributes: [{ resource: 'aws_sqs_queue.x', attribute: ['a'] }],
    output_changes: { o: { actions: ['create'], after: 1 } },
  };
  const expected = analyzePlan(planText(members));
  fc.assert(
    fc.property(fc.shuffledSubarray(Object.entries(members), { minLength: 5 }), (shuffled) => {
      expect(analyzePlan(planText(Object.fromEntries(shuffled)))).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test('a second list of relevant attributes replaces the first', () => {
  const drift = [group(OFFICE, OPENED)];
  const text = planText({ resource_drift: drift, resource_changes: [other, kept] });
  const list = (attribute: string) => JSON.stringify([{ resource: BASTION, attribute: [attribute] }]);
  const twice = (first: string, second: string) =>
    analyzePlan(`${text.slice(0, -1)},"relevant_attributes":${list(first)},"relevant_attributes":${list(second)}}`);

  expect(twice('ingress', 'arn').resource_drift).toEqual([]);
  expect(twice('arn', 'ingress').resource_drift).toHaveLength(1);
});
