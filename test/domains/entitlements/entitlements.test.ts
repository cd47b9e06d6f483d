import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  assertWithin,
  type Contract,
  LIMIT_NAMES,
  type LimitName,
  PLANS,
  resolveEntitlements,
  resolveLimits,
} from '../../../server/domains/entitlements/index.ts';
import type { PaymentRequired } from '../../../server/lib/errors.ts';

const COUNTED = LIMIT_NAMES.filter((name) => name !== 'schedule_interval');

const limit = fc.integer({ min: -1, max: 2_147_483_647 });
const contract: fc.Arbitrary<Contract> = fc.record({
  plan: fc.constantFrom(...PLANS),
  overrides: fc.dictionary(fc.constantFrom(...LIMIT_NAMES), limit, { maxKeys: 4 }),
});
const used = fc.oneof(fc.integer({ min: 0, max: 1_100 }), fc.nat());

/** The members of the 402 body; undefined if the request is allowed. */
function refusal(org_contract: Contract, resource: LimitName, count: number): Record<string, unknown> | undefined {
  try {
    assertWithin(org_contract, resource, count);
    return undefined;
  } catch (error) {
    return (error as PaymentRequired).extra.body;
  }
}

describe('entitlements', () => {
  test.each([
    ['seats', 1, 10, -1],
    ['schedules', 1, 25, -1],
    ['schedule_interval', 1440, 60, 5],
    ['state_sources', 3, 100, -1],
    ['cloud_accounts', 1, 20, -1],
    ['concurrent_scans', 1, 5, 25],
    ['custom_rules', 5, 100, 1000],
    ['api_keys', 3, 50, 500],
    ['webhook_configs', 2, 50, -1],
    ['llm_weekly', 5, -1, -1],
    ['llm_hourly', -1, 20, -1],
    ['known_owners', 50, 200, 500],
    ['analyses_hourly', 30, 30, 30],
  ] as const)('the limit %s is %i on free, %i on team and %i on enterprise', (name, ...expected) => {
    expect(PLANS.map((plan) => resolveEntitlements(plan).limits[name])).toEqual(expected);
  });

  test('features and retention windows grow with the plan', () => {
    expect(resolveEntitlements('free')).toMatchObject({
      features: [],
      scan_list_window_hours: 24,
      pack_window_days: 0,
    });
    expect(resolveEntitlements('team')).toMatchObject({
      features: ['audit_compliance', 'chat', 'glob_state_sources', 'sso'],
      scan_list_window_hours: null,
      pack_window_days: 30,
    });
    expect(resolveEntitlements('enterprise')).toMatchObject({
      features: ['audit_compliance', 'chat', 'custom_limits', 'glob_state_sources', 'sso'],
      scan_list_window_hours: null,
      pack_window_days: null,
    });
  });

  test('the last seat is available, and the next one is rejected with the data for a payment page', () => {
    const team: Contract = { plan: 'team', overrides: {} };
    expect(refusal(team, 'seats', 9)).toBeUndefined();
    expect(refusal(team, 'seats', 10)).toEqual({
      code: 'plan_limit_exceeded',
      error: 'plan_limit_exceeded',
      message:
        'This organization uses 10 of its 10 seats (members and open invitations). The enterprise plan allows it.',
      limit: 10,
      used: 10,
      plan: 'team',
      required_plan: 'enterprise',
      resource: 'seats',
    });
  });

  test('the recommended plan skips a larger plan that is still too small', () => {
    expect(refusal({ plan: 'free', overrides: {} }, 'seats', 10)).toMatchObject({ required_plan: 'enterprise' });
    expect(refusal({ plan: 'free', overrides: {} }, 'seats', 9)).toMatchObject({ required_plan: 'team' });
    expect(refusal({ plan: 'free', overrides: {} }, 'custom_rules', 1000)).toMatchObject({ required_plan: null });
  });

  test('a schedule can run as often as the plan allows, but not more often', () => {
    const team: Contract = { plan: 'team', overrides: {} };
    expect(refusal(team, 'schedule_interval', 60)).toBeUndefined();
    expect(refusal(team, 'schedule_interval', 59)).toMatchObject({
      code: 'plan_schedule_frequency',
      limit: 60,
      used: 59,
      required_plan: 'enterprise',
    });
    expect(refusal(team, 'schedule_interval', 4)).toMatchObject({ required_plan: null });
  });

  test('an override replaces the limit of every plan, so no plan is recommended', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PLANS), fc.constantFrom(...COUNTED), fc.nat(1_000), used, (plan, name, own, n) => {
        const org_contract: Contract = { plan, overrides: { [name]: own } };
        expect(resolveLimits(org_contract)[name]).toBe(own);
        const refused = refusal(org_contract, name, n);
        expect(refused === undefined).toBe(n < own);
        if (refused !== undefined) expect(refused).toMatchObject({ limit: own, used: n, required_plan: null });
      }),
    );
  });

  test('limits without an override are those of the plan', () => {
    fc.assert(
      fc.property(contract, (org_contract) => {
        for (const name of LIMIT_NAMES) {
          expect(resolveLimits(org_contract)[name]).toBe(
            org_contract.overrides[name] ?? resolveEntitlements(org_contract.plan).limits[name],
          );
        }
      }),
    );
  });

  test('the recommended plan is the smallest larger plan that allows the request', () => {
    fc.assert(
      fc.property(contract, fc.constantFrom(...LIMIT_NAMES), used, (org_contract, name, n) => {
        const refused = refusal(org_contract, name, n);
        if (refused === undefined) return;
        const larger = PLANS.slice(PLANS.indexOf(org_contract.plan) + 1);
        const passing = larger.filter((plan) => refusal({ ...org_contract, plan }, name, n) === undefined);
        expect(refused['required_plan']).toBe(passing[0] ?? null);
      }),
    );
  });

  test('a limit of -1 rejects nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LIMIT_NAMES), used, (name, n) => {
        expect(refusal({ plan: 'free', overrides: { [name]: -1 } }, name, n)).toBeUndefined();
      }),
    );
  });
});
