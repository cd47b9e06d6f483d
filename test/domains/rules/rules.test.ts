import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CustomRule } from '../../../server/domains/rules/types.ts';
import { PreconditionFailed } from '../../../server/lib/errors.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { minutesLater, outcomes } from '../orgs/setup.ts';
import { NOISE_CONFIG, RISK_CONFIG, type RulesUnderTest, setUpRules } from './setup.ts';

let setup: RulesUnderTest;
let owner: Principal;
let org: string;
beforeAll(async () => {
  setup = await setUpRules();
});
afterAll(() => setup.database.close());
beforeEach(async () => {
  ({ owner, org } = await setup.makeOwner('team'));
});

const anyState = () => {};
const noise = (name = 'ECS count', config: unknown = NOISE_CONFIG) => ({
  name,
  description: 'Autoscaling owns it.\nSince May.',
  config,
  rule_type: 'noise' as const,
});
const risk = (name = 'Databases', config: unknown = RISK_CONFIG) => ({
  ...noise(name, config),
  rule_type: 'risk' as const,
});
const create = (input: ReturnType<typeof noise> | ReturnType<typeof risk> = noise()) =>
  setup.rules.custom.create(owner, org, input);
const failure = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'ok',
    (error) => error,
  );
const actions = () => setup.audit.selectEvents(org).map(({ action }) => action);

describe('custom rules', () => {
  test('a created rule can be read and listed, and is audited', async () => {
    const made = await create(noise('  ECS\u00e9 count '));

    expect(made).toMatchObject({
      name: 'ECSé count',
      description: 'Autoscaling owns it.\nSince May.',
      rule_type: 'noise',
      config: NOISE_CONFIG,
      enabled: true,
      created_by: owner.user.email,
    });
    expect(await setup.rules.custom.get(org, made.id)).toEqual(made);
    expect(JSON.stringify((await setup.rules.custom.get(org, made.id)).config)).toBe(JSON.stringify(NOISE_CONFIG));
    expect(setup.audit.selectEvents(org)).toEqual([
      {
        action: 'custom_rule.created',
        org_id: org,
        actor_email: owner.user.email,
        detail: { rule_id: made.id, name: 'ECSé count', rule_type: 'noise' },
      },
    ]);
  });

  test("a rule created with an API key belongs to the key's owner", async () => {
    const key = { ...owner, credential: 'api_key' as const, credential_id: newId() };

    expect((await setup.rules.custom.create(key, org, noise())).created_by).toBe(owner.user.email);
  });

  test('lists are newest first and can be filtered by type', async () => {
    const ids = [];
    for (const input of [noise('a'), risk('b'), noise('c')]) {
      setup.clock.now = minutesLater(setup.clock.now, 1);
      ids.unshift((await create(input)).id);
    }
    const listed = async (type?: 'noise' | 'risk') => (await setup.rules.custom.list(org, type)).map(({ id }) => id);

    expect(await listed()).toEqual(ids);
    expect(await listed('risk')).toEqual([ids[1]]);
    expect(await listed('noise')).toEqual([ids[0], ids[2]]);
  });

  test('a name is unique within its type, ignoring case', async () => {
    await create(noise('Same'));

    expect(await failure(create(noise('sAME')))).toMatchObject({ status: 409, error_class: 'rule_name_taken' });
    expect(await failure(create(risk('Same')))).toBe('ok');
    const other = await setup.makeOwner();
    expect(await failure(setup.rules.custom.create(other.owner, other.org, noise('Same')))).toBe('ok');
  });

  test.each(['', '   ', 'x'.repeat(101), 'a\nb', 'a\u0085b'])('the name %j is rejected', async (name) => {
    expect(await failure(create(noise(name)))).toMatchObject({ status: 400 });
    expect(await setup.rules.custom.list(org)).toEqual([]);
  });

  test('an invalid config is rejected with the location of each fault', async () => {
    const config = { ...NOISE_CONFIG, severity: 'mild', match: { types: ['x'] } };

    const refused = await failure(create(noise('Faulty', config)));

    expect(refused).toMatchObject({ status: 400, error_class: 'invalid_config' });
    const paths = refused.extra.details.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(['/body/config/match/types', '/body/config/severity']);
    expect(refused.message).toContain(refused.extra.details[0].path.replace('/body/', ''));
  });

  test('a config is validated for its type', async () => {
    expect(await failure(create(noise('Wrong', RISK_CONFIG)))).toMatchObject({ error_class: 'invalid_config' });
    const { id } = await create(risk());
    const update = setup.rules.custom.update(owner, org, id, noise(), anyState);
    expect(await failure(update)).toMatchObject({ error_class: 'invalid_config' });
    expect((await setup.rules.custom.get(org, id)).config).toEqual(RISK_CONFIG);
  });

  test('a replacement changes everything except type and enabled', async () => {
    const { id, created_at } = await setup.rules.custom.create(owner, org, { ...noise(), enabled: false });
    setup.clock.now = minutesLater(setup.clock.now, 5);
    const config = { ...NOISE_CONFIG, severity: 'caution' };

    const updated = await setup.rules.custom.update(owner, org, id, { name: 'New', description: '', config }, anyState);

    const expected = { name: 'New', description: '', config, enabled: false, created_at, updated_at: setup.clock.now };
    expect(updated).toMatchObject(expected);
    expect(await setup.rules.custom.get(org, id)).toEqual(updated);
    expect(actions()).toEqual(['custom_rule.created', 'custom_rule.updated']);
  });

  test("a replacement can keep the rule's own name, but not take another rule's name", async () => {
    const { id } = await create(noise('Mine'));
    await create(noise('Theirs'));
    const rename = (name: string) => failure(setup.rules.custom.update(owner, org, id, noise(name), anyState));

    expect(await rename('MINE')).toBe('ok');
    expect((await setup.rules.custom.get(org, id)).name).toBe('MINE');
    expect(await rename('theirs')).toMatchObject({ status: 409, error_class: 'rule_name_taken' });
  });

  test('a rule is not replaced if If-Match is outdated', async () => {
    const { id } = await create();
    const seen: CustomRule[] = [];
    const refuse = (rule: CustomRule) => {
      seen.push(rule);
      throw new PreconditionFailed('changed');
    };

    expect(await failure(setup.rules.custom.update(owner, org, id, noise('New'), refuse))).toMatchObject({
      status: 412,
    });
    expect([await setup.rules.custom.get(org, id)]).toEqual(seen);
    expect(actions()).toEqual(['custom_rule.created']);
  });

  test('enabling or disabling a rule twice is audited once', async () => {
    const { id } = await create();
    for (const enabled of [true, false, false, true]) await setup.rules.custom.setEnabled(owner, org, id, enabled);

    expect(actions()).toEqual(['custom_rule.created', 'custom_rule.disabled', 'custom_rule.enabled']);
  });

  test('a deleted rule is 404', async () => {
    const { id } = await create();
    await setup.rules.custom.remove(owner, org, id);

    expect(await failure(setup.rules.custom.get(org, id))).toMatchObject({ status: 404 });
    expect(await failure(setup.rules.custom.remove(owner, org, id))).toMatchObject({ status: 404 });
    expect(actions()).toEqual(['custom_rule.created', 'custom_rule.deleted']);
  });

  test('a rule of another organization is 404', async () => {
    const { id } = await create();
    const other = await setup.makeOwner();
    const { custom } = setup.rules;
    const attempts = [
      custom.get(other.org, id),
      custom.update(other.owner, other.org, id, noise('x'), anyState),
      custom.setEnabled(other.owner, other.org, id, false),
      custom.remove(other.owner, other.org, id),
    ];

    for (const error of await Promise.all(attempts.map(failure))) expect(error).toMatchObject({ status: 404 });
    expect(await custom.list(other.org)).toEqual([]);
    expect(await custom.get(org, id)).toMatchObject({ enabled: true, name: 'ECS count' });
  });
});

describe('the limit of custom rules', () => {
  const makeMany = (count: number, prefix = 'r') =>
    Array.from({ length: count }, (_, index) => setup.rules.custom.create(owner, org, noise(`${prefix}${index}`)));

  beforeEach(async () => {
    ({ owner, org } = await setup.makeOwner('free'));
  });

  test('the limit holds under concurrent requests', async () => {
    expect(await outcomes(makeMany(9))).toEqual({ ok: 5, plan_limit_exceeded: 4 });
    expect(await setup.rules.custom.list(org)).toHaveLength(5);
  });

  test('disabled rules count, the error names the larger plan, and deleted rules do not count', async () => {
    const made = await Promise.all(makeMany(5));
    await setup.rules.custom.setEnabled(owner, org, made[0]?.id ?? '', false);

    const refused = await failure(create());
    await setup.rules.custom.remove(owner, org, made[0]?.id ?? '');

    const limit = { limit: 5, used: 5, plan: 'free', required_plan: 'team', resource: 'custom_rules' };
    expect(refused).toMatchObject({ status: 402, extra: { body: limit } });
    expect(await failure(create())).toBe('ok');
  });

  test('a smaller plan keeps the existing rules active and rejects new ones', async () => {
    const setPlan = (plan: string) => setup.database.admin_db('orgs').where({ id: org }).update({ plan });
    await setPlan('team');
    const [first] = await Promise.all(makeMany(7));
    await setPlan('free');

    expect(await failure(create())).toMatchObject({ status: 402 });
    expect(await setup.rules.custom.list(org)).toHaveLength(7);
    expect((await setup.rules.forAnalysis(org)).noise_rules).toHaveLength(7);
    expect(await setup.rules.custom.setEnabled(owner, org, first?.id ?? '', false)).toMatchObject({ enabled: false });
  });
});

test('of concurrent rules with the same name one is created', async () => {
  const attempts = ['Name', 'name', 'NAME', 'nAme'].map((name) => create(noise(name)));

  expect(await outcomes(attempts)).toEqual({ ok: 1, rule_name_taken: 3 });
});

test('of concurrent writers with the same If-Match one succeeds and the others get 412', async () => {
  const known = await create();
  const unchanged = (rule: CustomRule) => {
    if (rule.name !== known.name) throw new PreconditionFailed('changed');
  };
  const attempts = ['a', 'b', 'c'].map((name) =>
    setup.rules.custom.update(owner, org, known.id, noise(name), unchanged),
  );

  expect(await outcomes(attempts)).toEqual({ ok: 1, precondition_failed: 2 });
});

describe('built-in rules', () => {
  const disable = (builtin_rule_id: string, rule_type: 'noise' | 'risk', reason?: string | null) =>
    setup.rules.disabled.disable(owner, org, { builtin_rule_id, rule_type, reason });

  test('a built-in rule can be disabled and enabled, and both are audited', async () => {
    const off = await disable('N-AWS-018', 'noise', '  We look at each.  ');

    expect(off).toMatchObject({ reason: 'We look at each.', disabled_by: owner.user.email });
    expect(await setup.rules.disabled.list(org)).toEqual([off]);
    await setup.rules.disabled.enable(owner, org, off.id);
    expect(await setup.rules.disabled.list(org)).toEqual([]);
    const detail = { builtin_rule_id: 'N-AWS-018', rule_type: 'noise' };
    expect(setup.audit.selectEvents(org)).toEqual(
      ['builtin_rule.disabled', 'builtin_rule.enabled'].map((action) =>
        expect.objectContaining({ action, detail, actor_email: owner.user.email }),
      ),
    );
  });

  test.each([
    ['N-AWS-999', 'noise'],
    ['R-NET-OPEN', 'noise'],
    ['N-AWS-018', 'risk'],
    ['R-NET-CLOSED', 'risk'],
    ['R-ATTR-aws_s3_bucket.nothing', 'risk'],
    ['attr', 'risk'],
    ['toString', 'noise'],
    ['', 'risk'],
  ] as const)('%s is not a %s rule', async (id, type) => {
    expect(await failure(disable(id, type))).toMatchObject({ status: 404, error_class: 'not_found' });
  });

  test.each(['R-ACT-DELETE-STATEFUL', 'R-ACT-LINK', 'R-BLAST-MASS', 'R-PLAN-PARTIAL'])(
    '%s cannot be disabled, and the error names the alternatives',
    async (id) => {
      const refused = await failure(disable(id, 'risk'));

      expect(refused).toMatchObject({ status: 400, error_class: 'invalid_request' });
      expect(refused.message).toContain('risk policy');
    },
  );

  test('of concurrent requests to disable a rule one succeeds', async () => {
    const attempts = [1, 2, 3].map(() => disable('R-NET-OPEN', 'risk'));

    expect(await outcomes(attempts)).toEqual({ ok: 1, already_disabled: 2 });
  });

  test('a rule that another organization disabled stays enabled here', async () => {
    const { id } = await disable('R-NET-OPEN', 'risk', null);
    const other = await setup.makeOwner();

    expect(await setup.rules.disabled.list(other.org)).toEqual([]);
    expect(await failure(setup.rules.disabled.enable(other.owner, other.org, id))).toMatchObject({ status: 404 });
    expect(await setup.rules.disabled.list(org, 'risk')).toHaveLength(1);
    expect(await setup.rules.disabled.list(org, 'noise')).toEqual([]);
  });
});

describe('the rules of an analysis', () => {
  test("an analysis uses only the organization's enabled rules, exceptions and latest policy", async () => {
    const other = await setup.makeOwner();
    await setup.rules.custom.create(other.owner, other.org, noise());
    const kept = await create(noise('kept'));
    const off = await create(noise('off'));
    await setup.rules.custom.setEnabled(owner, org, off.id, false);
    const raise = await create(risk('raise'));
    for (const [id, type] of [
      ['N-AWS-018', 'noise'],
      ['R-NET-OPEN', 'risk'],
      ['R-ENC-OFF', 'risk'],
    ] as const)
      await setup.rules.disabled.disable(owner, org, { builtin_rule_id: id, rule_type: type });
    const rule = (id: string) => ({ id, name: id, enabled: true, match: {}, effect: 'block', reason: 'Freeze.' });
    for (const id of ['first', 'second']) await setup.rules.policy.replace(owner, org, [rule(id)], anyState);

    expect(await setup.rules.forAnalysis(org)).toEqual({
      noise_rules: [{ id: kept.id, config: NOISE_CONFIG }],
      risk_rules: [{ id: raise.id, name: 'raise', config: RISK_CONFIG }],
      disabled: { noise: ['N-AWS-018'], risk: ['R-ENC-OFF', 'R-NET-OPEN'] },
      policy: { version: 2, rules: [rule('second')] },
    });
  });

  test('an organization without decisions has no rules of its own', async () => {
    expect(await setup.rules.forAnalysis(org)).toEqual({
      noise_rules: [],
      risk_rules: [],
      disabled: { noise: [], risk: [] },
      policy: { version: 0, rules: [] },
    });
  });
});
