/** Many events, shuffled and tripled: plans, audit rows and stored events are exact. BILLING_EVENTS sets how many. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PRICES } from '../../fakes/stripe-server.ts';
import { type BillingUnderTest, setUpBilling } from './setup.ts';

const EVENTS = Number(process.env['BILLING_EVENTS'] ?? '300');
const ORGS = Math.max(3, Math.floor(EVENTS / 100));
const SEED = 20_260_101;
const DELIVERED_AT_ONCE = 20;
/** As the workers of one process. */
const APPLIED_AT_ONCE = 4;

let under: BillingUnderTest;

beforeAll(async () => {
  under = await setUpBilling();
});

afterAll(() => under.close());

/** The same numbers in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Applies what is queued, several events at once, also of one organization. */
async function runQueued(): Promise<void> {
  const waiting = under.queued.splice(0);
  const work = async () => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift())
      await under.billing.apply.run(event);
  };
  await Promise.all(Array.from({ length: APPLIED_AT_ONCE }, work));
}

test(
  `${EVENTS} events, shuffled and tripled, leave the plan and the audit rows of the final state`,
  async () => {
    const random = createRandom(SEED);
    const { stripe } = under;
    const customers = [];
    for (let n = 0; n < ORGS; n += 1) {
      const customer = await under.makeCustomer();
      customers.push({ ...customer, id: stripe.completeCheckout(customer.session_id).id });
    }
    while (stripe.events.length < EVENTS) {
      const { id } = customers[random(ORGS)] ?? { id: '' };
      const steps = [
        () => stripe.change(id, { status: 'active' }),
        () => stripe.change(id, { status: 'past_due' }),
        () => stripe.failPayment(id),
        () => stripe.changePrice(id, PRICES.enterprise),
        () => stripe.changePrice(id, PRICES.team),
        () => stripe.change(id, { cancel_at_period_end: random(2) === 0 }),
      ];
      steps[random(steps.length)]?.();
    }
    for (const [index, { id }] of customers.entries()) if (index % 3 === 0) stripe.change(id, { status: 'canceled' });
    const events = [...stripe.events];
    const [order = []] = fc.sample(
      fc.shuffledSubarray([...events, ...events, ...events], { minLength: events.length * 3 }),
      { seed: SEED, numRuns: 1 },
    );

    while (order.length > 0) {
      await Promise.all(order.splice(0, 1 + random(DELIVERED_AT_ONCE)).map((event) => under.deliver(event)));
      if (random(2) === 0) await runQueued();
    }
    await runQueued();

    for (const { org_id, customer_id, id } of customers) {
      const final = stripe.subscriptions.get(id);
      const sold = final?.items.data[0]?.price.id === PRICES.enterprise ? 'enterprise' : 'team';
      const plan = final?.status === 'canceled' ? 'free' : sold;
      const own = events.filter(({ data }) => data.object['customer'] === customer_id);
      const failed = own.filter(({ type }) => type === 'invoice.payment_failed');
      const actions = under.actions(org_id).sort();

      expect(await under.findPlan(org_id)).toBe(plan);
      expect(await under.account(org_id)).toMatchObject({ status: final?.status });
      expect(actions).toEqual([
        ...failed.map(() => 'billing.payment_failed'),
        // A subscription that has ended before the first event is applied never granted a plan.
        ...(plan === 'free' ? [] : ['billing.subscription_created']),
      ]);
      const rows = await under.database
        .admin_db('billing_events')
        .where({ org_id })
        .select('stripe_event_id', 'status');
      expect(rows.map(({ stripe_event_id }) => stripe_event_id).sort()).toEqual(own.map(({ id: one }) => one).sort());
      expect(rows.every(({ status }) => status === 'applied')).toBe(true);
    }
  },
  30 * 60_000,
);
