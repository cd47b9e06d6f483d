/** Every row of the table of plans, in the database: at the limit, above it, with an override, and after a downgrade. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LimitName } from '../../../server/contract/domain-parts.ts';
import {
  assertWithin,
  LIMIT_NAMES,
  PLANS,
  type Plan,
  resolveEntitlements,
} from '../../../server/domains/entitlements/index.ts';
import { PaymentRequired } from '../../../server/lib/errors.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { type OrgsUnderTest, setUpOrgs } from '../orgs/setup.ts';

const COUNTED = LIMIT_NAMES.filter((name) => name !== 'schedule_interval');
const FEATURES = [...new Set(PLANS.flatMap((plan) => resolveEntitlements(plan).features))];
const ROWS = COUNTED.flatMap((name) =>
  PLANS.map((plan) => [name, plan, resolveEntitlements(plan).limits[name]] as const),
);
const LIMITED = ROWS.filter(([, , limit]) => limit !== -1);
const UNLIMITED = ROWS.filter(([, , limit]) => limit === -1);
const SMALLER = ROWS.flatMap(([name, plan, limit]) =>
  PLANS.slice(0, PLANS.indexOf(plan)).map((to) => [name, plan, to, limit] as const),
);

let setup: OrgsUnderTest;
/** The usage that the domains count, set by each test. */
const used: Partial<Record<LimitName, number>> = {};

beforeAll(async () => {
  setup = await setUpOrgs(Object.fromEntries(COUNTED.map((name) => [name, async () => used[name] ?? 0])));
});

afterAll(() => setup.database.close());

/** The body of the 402; undefined if the organization can have one more. */
async function refuse(org_id: string, name: LimitName, count: number): Promise<Record<string, unknown> | undefined> {
  used[name] = count;
  return readRefusal(setup.database.db.inOrg(org_id, (trx) => setup.orgs.assertRoom(trx, org_id, name)));
}

async function readRefusal(work: Promise<void>): Promise<Record<string, unknown> | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof PaymentRequired) return error.extra.body;
    throw error;
  }
}

async function override(org_id: string, change: { plan?: Plan; limits?: Partial<Record<LimitName, number | null>> }) {
  await setup.orgs.admin.overridePlan(await makeUser(setup.database.admin_db), org_id, change);
}

describe('every limit of every plan', () => {
  test.each(LIMITED)('%s on the %s plan: %i are allowed, and the next one is not', async (name, plan, limit) => {
    const org_id = await makeOrg(setup.database.admin_db, { plan });

    expect(await refuse(org_id, name, limit - 1)).toBeUndefined();
    expect(await refuse(org_id, name, limit)).toMatchObject({
      code: 'plan_limit_exceeded',
      resource: name,
      limit,
      used: limit,
      plan,
    });
  });

  test.each(UNLIMITED)('%s on the %s plan has no limit', async (name, plan) => {
    const org_id = await makeOrg(setup.database.admin_db, { plan });

    expect(await refuse(org_id, name, 2_000_000_000)).toBeUndefined();
  });

  test.each(ROWS)('%s on the %s plan follows an override, up and down and back', async (name, plan, limit) => {
    const org_id = await makeOrg(setup.database.admin_db, { plan });

    await override(org_id, { limits: { [name]: 700 } });
    expect(await refuse(org_id, name, 699)).toBeUndefined();
    expect(await refuse(org_id, name, 700)).toMatchObject({ limit: 700, required_plan: null });
    await override(org_id, { limits: { [name]: 0 } });
    expect(await refuse(org_id, name, 0)).toMatchObject({ limit: 0, used: 0 });
    await override(org_id, { limits: { [name]: null } });
    used[name] = 0;
    expect((await setup.orgs.limits(org_id)).limits).toContainEqual({ resource: name, limit, used: 0 });
  });

  test.each(SMALLER)(
    '%s after a downgrade from %s to %s: the rows stay and no more are allowed',
    async (name, from, to) => {
      const org_id = await makeOrg(setup.database.admin_db, { plan: from });
      const smaller = resolveEntitlements(to).limits[name];
      const larger = resolveEntitlements(from).limits[name];
      const count = smaller === -1 ? 1_000 : smaller + 1;
      used[name] = count;

      await override(org_id, { plan: to });

      const { limits } = await setup.orgs.limits(org_id);
      expect(limits).toContainEqual({ resource: name, limit: smaller, used: count });
      const refused = await refuse(org_id, name, count);
      if (smaller === -1) expect(refused).toBeUndefined();
      else expect(refused).toMatchObject({ plan: to, limit: smaller, used: count });
      if (larger === -1 && smaller !== -1) expect(refused).toMatchObject({ required_plan: expect.any(String) });
    },
  );
});

describe('the shortest interval of schedules', () => {
  const resolve = async (org_id: string) =>
    setup.database.db.inOrg(org_id, (trx) => setup.orgs.getContract(trx, org_id));
  const refuseInterval = async (org_id: string, minutes: number) => {
    const contract = await resolve(org_id);
    return readRefusal((async () => assertWithin(contract, 'schedule_interval', minutes))());
  };

  test.each(PLANS)('on the %s plan is allowed, one minute less is not, and an override replaces it', async (plan) => {
    const org_id = await makeOrg(setup.database.admin_db, { plan });
    const limit = resolveEntitlements(plan).limits.schedule_interval;

    expect(await refuseInterval(org_id, limit)).toBeUndefined();
    expect(await refuseInterval(org_id, limit - 1)).toMatchObject({
      code: 'plan_schedule_frequency',
      resource: 'schedule_interval',
      limit,
      used: limit - 1,
      plan,
    });
    await override(org_id, { limits: { schedule_interval: 7 } });
    expect(await refuseInterval(org_id, 7)).toBeUndefined();
    expect(await refuseInterval(org_id, 6)).toMatchObject({ limit: 7, required_plan: null });
  });

  test.each([
    ['enterprise', 'team'],
    ['enterprise', 'free'],
    ['team', 'free'],
  ] as const)('after a downgrade from %s to %s is that of the smaller plan', async (from, to) => {
    const org_id = await makeOrg(setup.database.admin_db, { plan: from });
    const kept = resolveEntitlements(from).limits.schedule_interval;

    await override(org_id, { plan: to });

    expect(await refuseInterval(org_id, kept)).toMatchObject({
      plan: to,
      used: kept,
      required_plan: expect.any(String),
    });
  });
});

describe('seats above the plan', () => {
  test.each(PLANS)(
    'can be bought on the %s plan exactly if it sells them, and never above an override',
    async (plan) => {
      const org_id = await makeOrg(setup.database.admin_db, { plan });
      const { limits, sells_seats } = resolveEntitlements(plan);
      await setup.database.admin_db('orgs').where({ id: org_id }).update({ seat_overage: true });

      const above = await refuse(org_id, 'seats', 1_000);
      await override(org_id, { limits: { seats: 20 } });

      if (sells_seats || limits.seats === -1) expect(above).toBeUndefined();
      else expect(above).toMatchObject({ resource: 'seats', limit: limits.seats });
      expect(await refuse(org_id, 'seats', 20)).toMatchObject({ limit: 20, used: 20 });
    },
  );
});

describe('every feature of every plan', () => {
  test.each(FEATURES.flatMap((feature) => PLANS.map((plan) => [feature, plan] as const)))(
    '%s is available on the %s plan exactly if the table lists it',
    async (feature, plan) => {
      const org_id = await makeOrg(setup.database.admin_db, { plan });
      const { features } = resolveEntitlements(plan);

      const refused = await readRefusal(
        setup.database.db.inOrg(org_id, (trx) => setup.orgs.assertFeature(trx, org_id, feature)),
      );

      if (features.includes(feature)) expect(refused).toBeUndefined();
      else expect(refused).toMatchObject({ code: 'plan_feature_required', feature, resource: feature, plan });
    },
  );

  test.each(FEATURES)(
    '%s is lost with a downgrade to the free plan, whatever limits are overridden',
    async (feature) => {
      const org_id = await makeOrg(setup.database.admin_db, { plan: 'enterprise' });

      await override(org_id, { plan: 'free', limits: { seats: -1 } });

      const refused = await readRefusal(
        setup.database.db.inOrg(org_id, (trx) => setup.orgs.assertFeature(trx, org_id, feature)),
      );
      expect(refused).toMatchObject({ feature, plan: 'free', limit: 0, used: 0 });
    },
  );
});
