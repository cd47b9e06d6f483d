import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PRICES, signEvent } from '../../fakes/stripe-server.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { type BillingUnderTest, setUpBilling } from './setup.ts';

const DAY_MS = 86_400_000;
let under: BillingUnderTest;

beforeAll(async () => {
  under = await setUpBilling();
});

afterAll(() => under.close());

beforeEach(() => {
  under.stripe.events.splice(0);
  under.warnings.splice(0);
  under.findings.splice(0);
});

/** Delivers all collected events and applies them. */
async function settle(): Promise<void> {
  for (const event of under.stripe.events.splice(0)) await under.deliver(event);
  await under.runQueued();
}

async function subscribe() {
  const { org_id, customer_id, session_id } = await under.makeCustomer();
  const subscription = under.stripe.completeCheckout(session_id);
  await settle();
  return { org_id, customer_id, id: subscription.id };
}

describe('a subscription', () => {
  test('sets the plan once, however many events report it', async () => {
    const { org_id, customer_id } = await subscribe();

    expect(await under.findPlan(org_id)).toBe('team');
    expect(under.audit.selectEvents(org_id)).toEqual([
      {
        action: 'billing.subscription_created',
        org_id,
        actor_email: '',
        detail: {
          plan: 'team',
          status: 'active',
          stripe_customer: customer_id,
          stripe_event_id: expect.stringMatching(/^evt_/),
          stripe_event_type: 'customer.subscription.created',
        },
      },
    ]);
    expect(await under.billing.reads.get(org_id)).toMatchObject({
      plan: 'team',
      status: 'active',
      has_customer: true,
      overage_enabled: true,
      current_period_end: expect.any(String),
    });
  });

  test('changes the plan with its price, and ends it when it is canceled', async () => {
    const { org_id, id } = await subscribe();

    under.stripe.changePrice(id, PRICES.enterprise);
    await settle();
    expect(await under.findPlan(org_id)).toBe('enterprise');
    under.stripe.change(id, { status: 'canceled' });
    await settle();

    expect(await under.findPlan(org_id)).toBe('free');
    expect(under.actions(org_id)).toEqual([
      'billing.subscription_created',
      'billing.plan_changed',
      'billing.subscription_cancelled',
    ]);
  });

  test('keeps the plan while a failed payment is repeated, and loses it when it is given up', async () => {
    const { org_id, id } = await subscribe();

    under.stripe.failPayment(id);
    await settle();
    expect(await under.findPlan(org_id)).toBe('team');
    expect(await under.billing.reads.get(org_id)).toMatchObject({
      status: 'past_due',
      overage_enabled: false,
      payment_issue: expect.stringContaining('last payment failed'),
    });
    under.stripe.change(id, { status: 'active' });
    await settle();
    expect(await under.billing.reads.get(org_id)).toMatchObject({ status: 'active', payment_issue: null });
    under.stripe.change(id, { status: 'unpaid' });
    await settle();

    expect(await under.findPlan(org_id)).toBe('free');
    expect(under.actions(org_id)).toEqual([
      'billing.subscription_created',
      'billing.payment_failed',
      'billing.subscription_cancelled',
    ]);
  });

  test('leaves a plan alone that an administrator has set', async () => {
    const { org_id, id } = await subscribe();
    await under.orgs.admin.overridePlan(await makeUser(under.database.admin_db), org_id, { plan: 'enterprise' });

    under.stripe.change(id, { status: 'canceled' });
    await settle();

    expect(await under.findPlan(org_id)).toBe('enterprise');
  });

  test('with an unknown price keeps the plan and is logged', async () => {
    const { org_id, id } = await subscribe();

    under.stripe.changePrice(id, 'price_other');
    await settle();

    expect(await under.findPlan(org_id)).toBe('team');
    expect(under.warnings).toEqual(['no plan has the price of a subscription; plan unchanged']);
  });

  test('bought twice grants one plan, also when one of the two ends', async () => {
    const { org_id, customer_id, id } = await subscribe();
    under.stripe.subscribe(customer_id);
    await settle();
    expect(under.warnings).toEqual(['an organization pays for several subscriptions']);

    under.stripe.change(id, { status: 'canceled' });
    await settle();

    expect(await under.findPlan(org_id)).toBe('team');
  });

  test('is found among more than one page of ended ones', async () => {
    const { org_id, customer_id } = await under.makeCustomer();
    under.stripe.subscribe(customer_id);
    for (let n = 0; n < 5; n += 1) under.stripe.subscribe(customer_id).status = 'canceled';
    under.stripe.settings.page_size = 2;
    await settle();
    under.stripe.settings.page_size = 100;

    expect(await under.findPlan(org_id)).toBe('team');
  });
});

describe('an event', () => {
  test('that reports an old state does not bring it back', async () => {
    const { org_id, id } = await subscribe();
    const old = under.stripe.change(id, { cancel_at_period_end: true });
    const ended = under.stripe.change(id, { status: 'canceled' });
    await under.deliver(ended);
    await under.runQueued();

    await under.deliver(old);
    await under.runQueued();

    expect(await under.findPlan(org_id)).toBe('free');
  });

  test('whose read was overtaken by a newer one is read again', async () => {
    const { org_id, id } = await subscribe();
    const first = under.stripe.change(id, { cancel_at_period_end: true });
    await under.deliver(first);
    const [slow] = under.queued.splice(0);
    let is_first = true;
    under.stripe.settings.beforeReply = async () => {
      if (!is_first) return;
      is_first = false;
      // The answer with the active subscription is on its way when the subscription ends and that is applied.
      await under.deliver(under.stripe.change(id, { status: 'canceled' }));
      await under.runQueued();
    };

    await under.billing.apply.run(slow ?? { id: '' });
    under.stripe.settings.beforeReply = async () => {};

    expect(await under.findPlan(org_id)).toBe('free');
    expect(await under.account(org_id)).toMatchObject({ status: 'canceled', granted_plan: null });
  });

  test('is applied by a later attempt when Stripe fails', async () => {
    const { org_id, session_id } = await under.makeCustomer();
    under.stripe.completeCheckout(session_id);
    await under.deliver(under.stripe.events.at(-1));
    const [event] = under.queued.splice(0);
    under.stripe.settings.fail_next = 3;

    await expect(under.billing.apply.run(event ?? { id: '' })).rejects.toMatchObject({
      status: 502,
      error_class: 'billing_backend_error',
    });
    expect(await under.findPlan(org_id)).toBe('free');
    await under.billing.apply.run(event ?? { id: '' });

    expect(await under.findPlan(org_id)).toBe('team');
  });

  test('that the queue lost is queued again after five minutes', async () => {
    const { org_id, session_id } = await under.makeCustomer();
    under.stripe.completeCheckout(session_id);
    await under.deliver(under.stripe.events.at(-1));
    under.queued.splice(0);

    await under.billing.maintenance.requeue();
    expect(under.queued).toEqual([]);
    under.clock.now = new Date(under.clock.now.getTime() + 6 * 60_000);
    await under.billing.maintenance.requeue();
    await under.runQueued();

    expect(await under.findPlan(org_id)).toBe('team');
  });

  test('that Stripe rejects is tried less and less often, fails with the reason, and can be sent again', async () => {
    const { org_id, customer_id, session_id } = await under.makeCustomer();
    under.stripe.completeCheckout(session_id);
    const event = under.stripe.events.at(-1);
    under.stripe.settings.failing.add(customer_id);
    await under.deliver(event);
    await under.runQueued();
    const start = under.clock.now.getTime();
    const tried_after_minutes: number[] = [];
    for (let minute = 1; minute <= 2 * 24 * 60; minute += 1) {
      under.clock.now = new Date(start + minute * 60_000);
      if (minute % 5 === 0) await under.billing.maintenance.requeue();
      if (under.queued.length > 0) tried_after_minutes.push(minute);
      await under.runQueued();
    }

    const stored = () => under.database.admin_db('billing_events').where({ org_id }).first();
    expect(tried_after_minutes).toEqual([5, 15, 35, 75, 155, 315, 635, 1_275]);
    expect(await stored()).toMatchObject({ status: 'failed', failed_reason: '400' });
    expect(under.findings).toEqual(['event_failed']);
    under.stripe.settings.failing.clear();
    await under.deliver(event);
    await under.runQueued();
    expect(await stored()).toMatchObject({ status: 'applied', failed_reason: null, requeues: 0 });
    expect(await under.findPlan(org_id)).toBe('team');
  });

  test('of the live mode is refused by a deployment with a key for tests, and changes nothing', async () => {
    const { org_id, session_id } = await under.makeCustomer();
    under.stripe.completeCheckout(session_id);
    const event = { ...(under.stripe.events.at(-1) as object), livemode: true };

    await expect(under.deliver(event)).rejects.toMatchObject({
      status: 400,
      message: 'the event is from the live mode, and the key of this deployment is for the test mode',
    });
    expect(await under.database.admin_db('billing_events').where({ org_id })).toEqual([]);
    expect(under.findings).toEqual(['other_mode']);
  });

  test('that never arrived is made up for by the daily reconciliation', async () => {
    const { org_id, id } = await subscribe();
    under.stripe.change(id, { status: 'canceled' });
    under.stripe.events.splice(0);

    under.clock.now = new Date(under.clock.now.getTime() + DAY_MS + 1);
    await under.billing.maintenance.reconcile();

    expect(await under.findPlan(org_id)).toBe('free');
    expect(under.audit.selectEvents(org_id).at(-1)).toMatchObject({
      action: 'billing.subscription_cancelled',
      detail: { stripe_event_id: '', stripe_event_type: 'reconcile' },
    });
  });

  test.each([
    ['an unknown organization', async () => ({ customer: 'cus_unknown', metadata: { org_id: crypto.randomUUID() } })],
    ['no organization', async () => ({ customer: 'cus_unknown', metadata: {} })],
    ['a text that is no id', async () => ({ customer: 'cus_unknown', metadata: { org_id: "'; drop" } })],
    [
      'a deleted organization',
      async () => {
        const { org_id, customer_id } = await under.makeCustomer();
        await under.database.admin_db('orgs').where({ id: org_id }).update({ deleted_at: new Date() });
        return { customer: customer_id, metadata: { org_id } };
      },
    ],
  ])('of %s is logged and not stored', async (_, makeObject) => {
    const id = `evt_${crypto.randomUUID()}`;

    await under.deliver({
      id,
      object: 'event',
      type: 'customer.subscription.updated',
      data: { object: await makeObject() },
    });

    expect(under.warnings).toEqual(['event of an unknown or deleted organization ignored']);
    expect(await under.database.admin_db('billing_events').where({ stripe_event_id: id })).toEqual([]);
  });

  test('of an organization that is deleted before it is applied changes nothing', async () => {
    const { org_id, session_id } = await under.makeCustomer();
    under.stripe.completeCheckout(session_id);
    await under.deliver(under.stripe.events.at(-1));
    await under.database.admin_db('orgs').where({ id: org_id }).update({ deleted_at: new Date() });

    await under.runQueued();

    expect(await under.findPlan(org_id)).toBe('free');
    expect(under.actions(org_id)).toEqual([]);
  });

  test('that is 400 days old only makes the current state be read', async () => {
    const { org_id, id } = await subscribe();
    const old = under.stripe.change(id, { status: 'active' });

    await under.deliver({ ...old, created: old.created - 400 * 86_400 });
    await under.runQueued();

    expect(await under.findPlan(org_id)).toBe('team');
    expect(under.actions(org_id)).toEqual(['billing.subscription_created']);
  });

  test.each([
    ['signed with another secret', (body: string) => signEvent(body, under.clock.now, 'whsec_other')],
    ['signed six minutes ago', (body: string) => signEvent(body, new Date(under.clock.now.getTime() - 360_000))],
    ['signed 400 days ago', (body: string) => signEvent(body, new Date(under.clock.now.getTime() - 400 * DAY_MS))],
    ['with a malformed signature', () => 'v1=1'],
  ])('%s is rejected', async (_, sign) => {
    const body = JSON.stringify({ id: 'evt_forged', type: 'invoice.paid', data: { object: {} } });

    await expect(under.billing.receiver.open(sign(body))(Buffer.from(body))).rejects.toMatchObject({
      status: 401,
      error_class: 'signature_invalid',
    });
  });

  test('signed by a clock four minutes behind is accepted', async () => {
    const { customer_id } = await under.makeCustomer();
    under.stripe.subscribe(customer_id);

    await under.deliver(under.stripe.events.at(-1), new Date(under.clock.now.getTime() - 240_000));

    expect(under.queued.splice(0)).toHaveLength(1);
  });

  test.each(['', '[]', '{}', 'null', '{"id":1,"type":2,"data":{"object":{}}}'])(
    'that is signed but is %j is rejected as invalid',
    async (body) => {
      await expect(
        under.billing.receiver.open(signEvent(body, under.clock.now))(Buffer.from(body)),
      ).rejects.toMatchObject({
        status: 400,
      });
    },
  );
});

describe('a checkout', () => {
  test('started twenty times at once creates one customer', async () => {
    const org_id = await makeOrg(under.database.admin_db);

    await Promise.all(Array.from({ length: 20 }, () => under.billing.sessions.checkout(org_id, undefined)));

    const used = [...under.stripe.sessions.values()].filter((one) => one.client_reference_id === org_id);
    expect(new Set(used.map((one) => one.customer)).size).toBe(1);
    expect([...under.stripe.customers.values()].filter((one) => one.metadata['org_id'] === org_id)).toHaveLength(1);
  });

  test('is refused with a subscription, and possible again after it ended', async () => {
    const { org_id, id } = await subscribe();

    await expect(under.billing.sessions.checkout(org_id, undefined)).rejects.toMatchObject({
      status: 409,
      error_class: 'already_subscribed',
    });
    under.stripe.change(id, { status: 'canceled' });
    await settle();

    expect(await under.billing.sessions.checkout(org_id, '/back')).toMatchObject({ url: expect.any(String) });
    expect([...under.stripe.sessions.values()].at(-1)).toMatchObject({ success_url: 'https://app.example.com/back' });
  });
});

describe('seats above the plan', () => {
  test('are sold with a subscription, reported once a day, and removed when they are free again', async () => {
    const { org_id, id } = await subscribe();
    const { admin_db } = under.database;
    const people: Awaited<ReturnType<typeof makeUser>>[] = [];
    for (let n = 0; n < 12; n += 1) people.push(await makeUser(admin_db));
    for (const { user } of people) {
      const input = { org_id, user_id: user.id, role: 'member' as const };
      await under.orgs.admin.createMembership(people[0] ?? (await makeUser(admin_db)), input);
    }
    const seats = () => under.stripe.subscriptions.get(id)?.items.data.find(({ price }) => price.id === PRICES.seat);
    const nextDay = () => {
      under.clock.now = new Date(under.clock.now.getTime() + DAY_MS);
    };

    expect(await under.billing.reads.get(org_id)).toMatchObject({ seats: { included: 10, used: 12, overage: 2 } });
    await under.billing.maintenance.reportSeats();
    expect(seats()?.quantity).toBe(2);
    const asked = under.stripe.requests.length;
    await under.billing.maintenance.reportSeats();
    expect(under.stripe.requests).toHaveLength(asked);

    await admin_db('memberships').where({ org_id, user_id: people[0]?.user.id }).delete();
    nextDay();
    await under.billing.maintenance.reportSeats();
    expect(seats()?.quantity).toBe(1);
    await admin_db('memberships').where({ org_id, user_id: people[1]?.user.id }).delete();
    nextDay();
    await under.billing.maintenance.reportSeats();
    expect(seats()).toBeUndefined();
  });

  test.each(['free', 'team'] as const)('are refused on the %s plan without a subscription', async (plan) => {
    const org_id = await makeOrg(under.database.admin_db, { plan });
    const people: Awaited<ReturnType<typeof makeUser>>[] = [];
    for (let n = 0; n < (plan === 'free' ? 2 : 11); n += 1) people.push(await makeUser(under.database.admin_db));
    const add = ({ user }: (typeof people)[number]) =>
      under.orgs.admin.createMembership(
        { ...(people[0] as (typeof people)[number]) },
        { org_id, user_id: user.id, role: 'member' },
      );
    const last = people.pop();
    for (const person of people) await add(person);

    await expect(add(last as (typeof people)[number])).rejects.toMatchObject({ status: 402 });
  });
});

test('events older than 400 days are deleted', async () => {
  const { org_id } = await subscribe();
  under.clock.now = new Date(under.clock.now.getTime() + 401 * DAY_MS);

  await under.billing.maintenance.deleteOld();

  expect(await under.database.admin_db('billing_events').where({ org_id })).toEqual([]);
});
