/** Events whose customer pays for nobody, and organizations that Stripe cannot answer for, keep no other one waiting. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeOrg } from '../../helpers/people.ts';
import { type BillingUnderTest, setUpBilling } from './setup.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
let under: BillingUnderTest;

beforeAll(async () => {
  under = await setUpBilling();
});

afterAll(() => under.close());

beforeEach(() => {
  under.stripe.events.splice(0);
  under.stripe.settings.failing.clear();
  under.warnings.splice(0);
  under.findings.splice(0);
});

/** A subscription that the operator creates in the dashboard. */
function buy(customer: string, org_id: string) {
  under.stripe.subscribe(customer, undefined, { org_id });
  return under.stripe.events.splice(0)[0];
}

const stored = (event: { id: string } | undefined) =>
  under.database.admin_db('billing_events').where({ stripe_event_id: event?.id }).first();

describe('an event of a customer that is not known', () => {
  test('is applied if the customer says nothing else, and links the customer', async () => {
    const org_id = await makeOrg(under.database.admin_db);
    const customer = under.stripe.addCustomer('cus_by_operator');
    await under.deliver(buy(customer, org_id));
    await under.runQueued();

    expect(await under.findPlan(org_id)).toBe('team');
    expect(await under.account(org_id)).toMatchObject({ customer_id: customer });
  });

  test('that two organizations claim pays for the first; the event of the second is parked', async () => {
    const [first, second] = [await makeOrg(under.database.admin_db), await makeOrg(under.database.admin_db)];
    const customer = under.stripe.addCustomer('cus_claimed_twice');
    const events = [buy(customer, first), buy(customer, second)];
    for (const event of events) await under.deliver(event);
    await under.runQueued();

    expect(await under.findPlan(first)).toBe('team');
    expect(await under.findPlan(second)).toBe('free');
    expect(await stored(events[1])).toMatchObject({
      status: 'parked',
      parked_reason: 'customer_of_another_organization',
      org_id: second,
    });
    expect(under.warnings).toContain('event parked');
    expect(under.findings).toContain('customer_of_another_organization');
    under.clock.now = new Date(under.clock.now.getTime() + 10 * MINUTE_MS);
    await under.billing.maintenance.requeue();
    expect(under.queued).toEqual([]);
  });

  test('that was created for another organization is parked', async () => {
    const [owner, other] = [await makeOrg(under.database.admin_db), await makeOrg(under.database.admin_db)];
    const customer = under.stripe.addCustomer('cus_of_owner', { org_id: owner });
    const event = buy(customer, other);
    await under.deliver(event);
    await under.runQueued();

    expect(await under.findPlan(other)).toBe('free');
    expect(await stored(event)).toMatchObject({ parked_reason: 'customer_of_another_organization' });
  });

  test('that was deleted at Stripe is parked', async () => {
    const org_id = await makeOrg(under.database.admin_db);
    const customer = under.stripe.addCustomer('cus_deleted');
    const event = buy(customer, org_id);
    under.stripe.deleteCustomer(customer);
    await under.deliver(event);
    await under.runQueued();

    expect(await stored(event)).toMatchObject({ parked_reason: 'customer_deleted' });
    expect(await under.account(org_id)).toBeUndefined();
  });

  test('of an organization that pays with another customer is parked, and not its own payment', async () => {
    const { org_id } = await under.makeCustomer();
    const customer = under.stripe.addCustomer('cus_second');
    const event = buy(customer, org_id);
    await under.deliver(event);
    await under.runQueued();

    expect(await under.findPlan(org_id)).toBe('free');
    expect(await stored(event)).toMatchObject({ parked_reason: 'organization_has_another_customer' });
  });

  test('that is parked is applied when it is sent again after the reason is gone', async () => {
    const [owner, other] = [await makeOrg(under.database.admin_db), await makeOrg(under.database.admin_db)];
    const customer = under.stripe.addCustomer('cus_corrected', { org_id: owner });
    const event = buy(customer, other);
    await under.deliver(event);
    await under.runQueued();
    await under.deliver(event);
    await under.runQueued();
    expect(await stored(event)).toMatchObject({ status: 'parked' });

    under.stripe.addCustomer('cus_corrected', { org_id: other });
    await under.deliver(event);
    await under.runQueued();

    expect(await stored(event)).toMatchObject({ status: 'applied', parked_reason: null });
    expect(await under.findPlan(other)).toBe('team');
  });
});

describe('200 organizations that Stripe cannot answer for', () => {
  test('do not keep another one waiting, and are tried less and less often', async () => {
    const { admin_db } = under.database;
    const now = under.clock.now;
    const broken: string[] = [];
    for (let n = 0; n < 200; n += 1) broken.push(await makeOrg(admin_db));
    await admin_db('billing_accounts').insert(
      broken.map((org_id, n) => ({ org_id, customer_id: `cus_broken_${n}_`, created_at: now, updated_at: now })),
    );
    const { org_id, customer_id } = await under.makeCustomer();
    under.stripe.subscribe(customer_id);
    await admin_db('billing_accounts').where({ org_id }).update({ read_due_at: now });
    under.stripe.settings.failing.add('customer=cus_broken_');

    await under.billing.maintenance.reconcile();
    expect(await under.findPlan(org_id)).toBe('free');
    await under.billing.maintenance.reconcile();

    expect(await under.findPlan(org_id)).toBe('team');
    expect(under.findings).toHaveLength(200);
    const delays: number[] = [];
    const [one = ''] = broken;
    for (let n = 0; n < 10; n += 1) {
      const { read_due_at } = await under.account(one);
      delays.push((read_due_at.getTime() - under.clock.now.getTime()) / MINUTE_MS);
      under.clock.now = read_due_at;
      await admin_db('billing_accounts')
        .whereNot({ org_id: one })
        .update({ read_due_at: new Date(8.64e15 / 10) });
      await under.billing.maintenance.reconcile();
    }
    expect(delays).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440]);
  });

  test('are tried again from the start after one success', async () => {
    const { org_id, customer_id } = await under.makeCustomer();
    under.stripe.subscribe(customer_id);
    const dueOnly = async () => {
      await under.database.admin_db('billing_accounts').update({ read_due_at: new Date(8.64e15 / 10) });
      await under.database.admin_db('billing_accounts').where({ org_id }).update({ read_due_at: null });
    };
    under.stripe.settings.failing.add(`customer=${customer_id}`);
    await dueOnly();
    await under.billing.maintenance.reconcile();
    expect(await under.account(org_id)).toMatchObject({ read_failures: 1 });
    under.stripe.settings.failing.clear();
    await dueOnly();
    await under.billing.maintenance.reconcile();

    const account = await under.account(org_id);
    expect(account).toMatchObject({ read_failures: 0, granted_plan: 'team' });
    expect(account.read_due_at.getTime() - under.clock.now.getTime()).toBe(DAY_MS);
  });

  test('do not keep the seats of another one from being reported', async () => {
    const { org_id, customer_id } = await under.makeCustomer();
    under.stripe.subscribe(customer_id);
    for (const event of under.stripe.events.splice(0)) await under.deliver(event);
    await under.runQueued();
    under.stripe.settings.failing.add(`customer=${customer_id}`);

    await under.billing.maintenance.reportSeats();
    const [first] = await under.database.admin_db('billing_accounts').where({ org_id });
    await under.billing.maintenance.reportSeats();

    expect(first.seats_failures).toBe(1);
    expect(await under.account(org_id)).toMatchObject({ seats_failures: 1, seats_reported_on: null });
    under.stripe.settings.failing.clear();
    under.clock.now = new Date(under.clock.now.getTime() + 10 * MINUTE_MS);
    await under.billing.maintenance.reportSeats();
    expect(await under.account(org_id)).toMatchObject({ seats_failures: 0, seats_due_at: null });
  });
});
