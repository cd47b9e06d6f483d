import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { analyzePlan } from '../../../engine/index.ts';
import type { RiskPolicy } from '../../../server/domains/rules/types.ts';
import { PreconditionFailed } from '../../../server/lib/errors.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { minutesLater, outcomes } from '../orgs/setup.ts';
import { type RulesUnderTest, setUpRules } from './setup.ts';

let setup: RulesUnderTest;
let owner: Principal;
let org: string;
beforeAll(async () => {
  setup = await setUpRules();
});
afterAll(() => setup.database.close());
beforeEach(async () => {
  ({ owner, org } = await setup.makeOwner());
});

/** A deleted database, and a bucket that gets a tag. */
const PLAN = JSON.stringify({
  format_version: '1.2',
  resource_changes: [
    resource('aws_db_instance', 'main', ['delete'], { identifier: 'main', engine: 'postgres' }, null),
    resource('aws_s3_bucket', 'logs', ['update'], { tags: { a: '1' } }, { tags: { a: '2' } }),
  ],
});

function resource(type: string, name: string, actions: string[], before: object | null, after: object | null) {
  const change = { actions, before, after, after_unknown: {}, before_sensitive: {}, after_sensitive: {} };
  const provider_name = 'registry.terraform.io/hashicorp/aws';
  return { address: `${type}.${name}`, mode: 'managed', type, name, provider_name, change };
}

const anyState = () => {};
const rule = (id = 'freeze', changes: object = {}) => ({
  id,
  name: 'Freeze',
  enabled: true,
  match: { actions: ['delete'] },
  effect: 'block',
  reason: 'Holidays.',
  ...changes,
});
const replace = (rules: unknown, assertKnown: (policy: RiskPolicy) => void = anyState) =>
  setup.rules.policy.replace(owner, org, rules, assertKnown);
const failure = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'ok',
    (error) => error,
  );
const versions = (org_id = org) =>
  setup.database.admin_db('risk_policies').where({ org_id }).orderBy('version').select('version', 'rules');

describe('a risk policy', () => {
  test('the policy is version 0 without rules until one is set, and setting none changes nothing', async () => {
    const none = { version: 0, rules: [], updated_at: null, updated_by: null };

    expect(await setup.rules.policy.get(org)).toEqual(none);
    expect(await replace([])).toEqual(none);
    expect(await versions()).toEqual([]);
    expect(setup.audit.selectEvents(org)).toEqual([]);
  });

  test('every change creates a version, and all versions are kept', async () => {
    const first = await replace([rule()]);
    setup.clock.now = minutesLater(setup.clock.now, 1);
    const second = await replace([rule(), rule('second', { effect: 'set', level: 'low' })]);

    expect(first).toMatchObject({ version: 1, updated_by: owner.user.email });
    expect(second).toMatchObject({ version: 2, updated_at: setup.clock.now });
    expect(await setup.rules.policy.get(org)).toEqual(second);
    expect(await versions()).toEqual([
      { version: 1, rules: first.rules },
      { version: 2, rules: second.rules },
    ]);
    expect(
      setup.audit.selectEvents(org).map(({ action, actor_email, detail }) => ({ action, actor_email, detail })),
    ).toEqual([
      { action: 'policy.updated', actor_email: owner.user.email, detail: { rule_count: 1, version: 1 } },
      { action: 'policy.updated', actor_email: owner.user.email, detail: { rule_count: 2, version: 2 } },
    ]);
  });

  test('setting the same policy again creates no version and no audit row', async () => {
    const first = await replace([rule()]);
    setup.clock.now = minutesLater(setup.clock.now, 1);

    expect(await replace([rule()])).toEqual(first);
    expect(setup.audit.selectEvents(org)).toHaveLength(1);
    expect(await replace([rule('freeze', { reason: 'Holidays!' })])).toMatchObject({ version: 2 });
    expect(await replace([])).toMatchObject({ version: 3, rules: [] });
  });

  test('a policy can contain an expired rule', async () => {
    const expires_at = '2020-01-01T00:00:00.000Z';

    expect(await replace([rule('old', { expires_at })])).toMatchObject({ rules: [{ expires_at }] });
  });

  test.each([
    ['something other than a list', {}, '/body/rules'],
    ['two rules with one id', [rule(), rule()], '/body/rules/1/id'],
    ['an unknown member', [rule('a', { level_max: 'low' })], '/body/rules/0/level_max'],
    ['a missing level', [rule('a'), rule('b', { effect: 'cap' })], '/body/rules/1/level'],
    ['an invalid expiration', [rule('a', { expires_at: 'soon' })], '/body/rules/0/expires_at'],
    ['101 rules', Array.from({ length: 101 }, (_, index) => rule(`r${index}`)), '/body/rules'],
  ] as const)('a policy with %s is rejected with the location', async (_what, rules, path) => {
    const refused = await failure(replace(rules));

    expect(refused).toMatchObject({ status: 400, error_class: 'invalid_config' });
    expect(refused.extra.details[0].path).toBe(path);
    expect(await versions()).toEqual([]);
  });

  test('a policy is not replaced if If-Match is outdated', async () => {
    await replace([rule()]);
    const refuse = (policy: RiskPolicy) => {
      if (policy.version !== 0) throw new PreconditionFailed('changed');
    };

    expect(await failure(replace([], refuse))).toMatchObject({ status: 412, error_class: 'precondition_failed' });
    expect(await versions()).toHaveLength(1);
  });

  test('of concurrent writers with the same If-Match one succeeds and the others get 412', async () => {
    const unset = (policy: RiskPolicy) => {
      if (policy.version !== 0) throw new PreconditionFailed('changed');
    };
    const attempts = ['a', 'b', 'c', 'd'].map((id) => replace([rule(id)], unset));

    expect(await outcomes(attempts)).toEqual({ ok: 1, precondition_failed: 3 });
    expect(await versions()).toHaveLength(1);
  });

  test('of concurrent writers without If-Match the last one wins, and no version is lost', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => replace([rule(id)])));

    expect((await versions()).map(({ version }) => version)).toEqual([1, 2, 3, 4]);
  });

  test('a policy of another organization cannot be read or changed', async () => {
    await replace([rule()]);
    const other = await setup.makeOwner();

    expect(await setup.rules.policy.get(other.org)).toMatchObject({ version: 0 });
    await setup.rules.policy.replace(other.owner, other.org, [rule('theirs')], anyState);
    expect(await versions(other.org)).toHaveLength(1);
    expect(await setup.rules.policy.get(org)).toMatchObject({ version: 1, rules: [{ id: 'freeze' }] });
  });

  test('the role that serves requests cannot change or delete versions', async () => {
    await replace([rule()]);
    const { db } = setup.database;

    for (const statement of ["update risk_policies set rules = '[]'", 'delete from risk_policies'])
      await expect(db.inOrg(org, async (trx) => trx.raw(statement))).rejects.toThrow('permission denied');
  });
});

describe('testing rules on an analysis', () => {
  const unfinished = { status: 404, error_class: 'analysis_unfinished' };

  test.each([
    ['is unknown', async () => newId(), { status: 404, error_class: 'not_found' }],
    ['is not finished', () => setup.makeRun(org, null, 'pending'), unfinished],
    ['has failed', () => setup.makeRun(org, null, 'error'), unfinished],
    ['has an expired result', () => setup.makeRun(org, null, 'done'), { status: 410, error_class: 'result_expired' }],
    [
      'belongs to another organization',
      async () => setup.makeRun((await setup.makeOwner()).org, { changes: [] }),
      { status: 404, error_class: 'not_found' },
    ],
  ] as const)('an analysis that %s is rejected', async (_what, makeRun, refusal) => {
    const scan_run_id = await makeRun();
    const config = { version: 1, match: {}, severity: 'harmless' };

    expect(await failure(setup.rules.trials.testRule(org, { rule_type: 'noise', config, scan_run_id }))).toMatchObject(
      refusal,
    );
    expect(await failure(setup.rules.trials.preview(org, { scan_run_id }))).toMatchObject(refusal);
  });

  test('a cloud scan is rejected', async () => {
    const id = await setup.makeRun(org, { changes: [] });
    await setup.database.admin_db('scan_runs').where({ id }).update({ kind: 'cloud' });

    expect(await failure(setup.rules.trials.preview(org, { scan_run_id: id }))).toMatchObject({ status: 404 });
  });

  test('invalid rules are reported with their location before the analysis is looked up', async () => {
    const scan_run_id = newId();
    const { trials } = setup.rules;
    const config = { version: 1, match: {}, severity: 'mild' };
    const custom_rules = [{ rule_type: 'noise' as const, name: 'x', config }];

    const tested = await failure(trials.testRule(org, { rule_type: 'noise', config, scan_run_id }));
    const previewed = await failure(trials.preview(org, { custom_rules, scan_run_id }));
    const policy = await failure(trials.preview(org, { rules: [rule('a', { effect: 'set' })], scan_run_id }));

    const paths = [tested, previewed, policy].map(({ extra }) => extra.details[0].path);
    expect(paths).toEqual(['/body/config/severity', '/body/custom_rules/0/config/severity', '/body/rules/0/level']);
  });

  describe('on an analysis that deletes a database and adds a tag', () => {
    let scan_run_id: string;
    const database = 'aws_db_instance.main';
    const tagged = 'aws_s3_bucket.logs';
    beforeEach(async () => {
      scan_run_id = await setup.makeRun(org, analyzePlan(PLAN));
    });
    const raise = { version: 1, match: { resource_types: ['aws_s3_*'], repos: ['acme/*'] }, effect: 'raise' };
    const custom = { ...raise, level: 'high', message: 'Ask.' };

    test('a test shows the changes that a rule matches and stores nothing', async () => {
      const found = await setup.rules.trials.testRule(org, { rule_type: 'risk', config: custom, scan_run_id });

      expect(found).toEqual({ matches: [{ address: tagged, path: null }], match_count: 1, total_changes: 2 });
      expect(await setup.rules.custom.list(org)).toEqual([]);
      expect(setup.audit.selectEvents(org)).toEqual([]);
    });

    test('omitted parts are taken from the organization, and given parts replace them', async () => {
      const lower = rule('lower', { effect: 'set', level: 'low', match: { resource_types: ['aws_db_instance'] } });
      await replace([lower]);
      const input = { rule_type: 'risk' as const, name: 'Buckets', config: custom };
      const levels = async (given: object) => {
        const { before, after, changed } = await setup.rules.trials.preview(org, { ...given, scan_run_id });
        return { before, after, changed: changed.map(({ address, after: level }) => [address, level]) };
      };

      expect(await levels({})).toEqual({ before: 'critical', after: 'low', changed: [[database, 'low']] });
      expect(await levels({ rules: [] })).toEqual({ before: 'critical', after: 'critical', changed: [] });
      expect((await levels({ custom_rules: [input] })).changed.sort()).toEqual([
        [database, 'low'],
        [tagged, 'high'],
      ]);
      await setup.rules.custom.create(owner, org, { ...input, description: '' });
      expect((await levels({ rules: [] })).changed).toEqual([[tagged, 'high']]);
      expect((await levels({ rules: [], custom_rules: [] })).changed).toEqual([]);
      expect(await versions()).toHaveLength(1);
    });
  });
});
