/** What an organization buys, it buys once; and it can still buy after its customer was deleted. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Stripe } from 'stripe';
import { CONTRACT_SOURCE, listViolations, makeObject } from '../../fakes/stripe-server/contract.ts';
import { PRICES } from '../../fakes/stripe-server.ts';
import { makeOrg } from '../../helpers/people.ts';
import { type BillingUnderTest, setUpBilling } from './setup.ts';

const HOUR_MS = 3_600_000;
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

async function settle(): Promise<void> {
  for (const event of under.stripe.events.splice(0)) await under.deliver(event);
  await under.runQueued();
}

const openSessions = (org_id: string) =>
  [...under.stripe.sessions.values()].filter((one) => one.client_reference_id === org_id && one.status === 'open');
const granting = (customer_id: string) =>
  [...under.stripe.subscriptions.values()].filter((one) => one.customer === customer_id && one.status === 'active');
const findCustomers = (org_id: string) =>
  [...under.stripe.customers.values()].filter((one) => one.metadata['org_id'] === org_id);
const toId = ({ url }: { url: string }) => url.split('/').at(-1) ?? '';

describe('two checkouts of one organization', () => {
  test('started twenty times at once show one page', async () => {
    const org_id = await makeOrg(under.database.admin_db);

    const pages = await Promise.all(
      Array.from({ length: 20 }, () => under.billing.sessions.checkout(org_id, undefined)),
    );

    const open = openSessions(org_id);
    expect(open).toHaveLength(1);
    expect(new Set(pages.map(toId))).toEqual(new Set([open[0]?.id]));
    expect(findCustomers(org_id)).toHaveLength(1);
  });

  test('one after the other show the same page, and another one only for another way back', async () => {
    const org_id = await makeOrg(under.database.admin_db);
    const first = await under.billing.sessions.checkout(org_id, undefined);
    const again = await under.billing.sessions.checkout(org_id, undefined);
    const other = await under.billing.sessions.checkout(org_id, '/back');

    expect(again).toEqual(first);
    expect(toId(other)).not.toBe(toId(first));
    expect(openSessions(org_id).map(({ id }) => id)).toEqual([toId(other)]);
    expect(() => under.stripe.completeCheckout(toId(first))).toThrow('is not open');
  });

  test('a page that is about to expire is replaced', async () => {
    const org_id = await makeOrg(under.database.admin_db);
    const first = await under.billing.sessions.checkout(org_id, undefined);
    under.clock.now = new Date(first.expires_at.getTime() - 60_000);

    const second = await under.billing.sessions.checkout(org_id, undefined);

    expect(openSessions(org_id).map(({ id }) => id)).toEqual([toId(second)]);
    expect(second.expires_at.getTime()).toBeGreaterThan(first.expires_at.getTime());
  });

  test('a second one is refused once the first is paid, before its event arrives', async () => {
    const { org_id, session_id } = await under.makeCustomer();
    under.stripe.completeCheckout(session_id);

    await expect(under.billing.sessions.checkout(org_id, '/back')).rejects.toMatchObject({
      status: 409,
      error_class: 'already_subscribed',
    });
    expect(openSessions(org_id)).toEqual([]);
  });

  test('a page that is paid while another checkout replaces it ends that checkout', async () => {
    const { org_id, session_id } = await under.makeCustomer();
    under.stripe.settings.beforeReply = async (path) => {
      if (path !== '/v1/checkout/sessions') return;
      under.stripe.settings.beforeReply = async () => {};
      under.stripe.completeCheckout(session_id);
    };

    await expect(under.billing.sessions.checkout(org_id, '/back')).rejects.toMatchObject({
      error_class: 'already_subscribed',
    });
    expect(openSessions(org_id)).toEqual([]);
  });
});

describe('a subscription that was paid twice', () => {
  async function payTwice() {
    const { org_id, customer_id, session_id } = await under.makeCustomer();
    const kept = under.stripe.completeCheckout(session_id);
    const duplicate = under.stripe.subscribe(customer_id, PRICES.team, { org_id });
    return { org_id, customer_id, kept, duplicate };
  }

  test('is canceled at Stripe, recorded once, and shown to the operator', async () => {
    const { org_id, customer_id, kept, duplicate } = await payTwice();
    await settle();
    await settle();

    expect(granting(customer_id)).toEqual([expect.objectContaining({ id: kept.id })]);
    expect(await under.findPlan(org_id)).toBe('team');
    expect(under.actions(org_id)).toEqual([
      'billing.subscription_created',
      'billing.duplicate_found',
      'billing.duplicate_canceled',
    ]);
    expect(under.audit.selectEvents(org_id, 'billing.duplicate_found')[0]?.detail).toMatchObject({
      stripe_subscription: duplicate.id,
      kept_subscription: kept.id,
    });
    expect(under.findings).toContain('duplicate_subscription');
    const [canceled] = under.stripe.requests.filter(({ method }) => method === 'DELETE').slice(-1);
    expect(canceled).toMatchObject({ path: `/v1/subscriptions/${duplicate.id}` });
  });

  test('is canceled later if Stripe fails meanwhile', async () => {
    const { org_id, customer_id, duplicate } = await payTwice();
    under.stripe.settings.failing.add(`/v1/subscriptions/${duplicate.id}`);
    await settle();
    expect(granting(customer_id)).toHaveLength(2);
    expect(under.warnings).toContain('duplicate subscription not canceled');
    await under.billing.maintenance.cancelDuplicates();
    under.stripe.settings.failing.clear();
    await under.billing.maintenance.cancelDuplicates();
    expect(granting(customer_id)).toHaveLength(2);

    under.clock.now = new Date(under.clock.now.getTime() + HOUR_MS);
    await under.billing.maintenance.cancelDuplicates();

    expect(granting(customer_id)).toHaveLength(1);
    expect(under.actions(org_id).filter((one) => one === 'billing.duplicate_canceled')).toHaveLength(1);
    expect(await under.database.admin_db('billing_duplicates').where({ org_id })).toEqual([]);
  });

  test('stays if the one that was kept has ended before it could be canceled', async () => {
    const { org_id, customer_id, kept, duplicate } = await payTwice();
    under.stripe.settings.failing.add(`/v1/subscriptions/${duplicate.id}`);
    await settle();
    under.stripe.settings.failing.clear();
    under.stripe.change(kept.id, { status: 'canceled' });
    await settle();
    under.clock.now = new Date(under.clock.now.getTime() + HOUR_MS);
    await under.billing.maintenance.cancelDuplicates();

    expect(granting(customer_id)).toEqual([expect.objectContaining({ id: duplicate.id })]);
    expect(await under.findPlan(org_id)).toBe('team');
    expect(await under.database.admin_db('billing_duplicates').where({ org_id })).toEqual([]);
  });

  test.each([
    ['the operator created', (customer: string, _org_id: string) => under.stripe.subscribe(customer)],
    [
      'is for another plan',
      (customer: string, org_id: string) => under.stripe.subscribe(customer, PRICES.enterprise, { org_id }),
    ],
  ])('is reported and not canceled if %s', async (_, buy) => {
    const { org_id, customer_id, session_id } = await under.makeCustomer();
    under.stripe.completeCheckout(session_id);
    buy(customer_id, org_id);
    await settle();

    expect(granting(customer_id)).toHaveLength(2);
    expect(under.warnings).toContain('an organization pays for several subscriptions');
    expect(under.actions(org_id)).not.toContain('billing.duplicate_found');
  });
});

describe('a customer', () => {
  test('that was deleted at Stripe is replaced by the next checkout, and that is recorded', async () => {
    const { org_id, customer_id } = await under.makeCustomer();
    under.stripe.deleteCustomer(customer_id);

    await expect(under.billing.sessions.portal(org_id, undefined)).rejects.toMatchObject({ status: 404 });
    const page = await under.billing.sessions.checkout(org_id, undefined);
    const replaced = (await under.account(org_id)).customer_id;
    under.stripe.completeCheckout(toId(page));
    await settle();

    expect(replaced).not.toBe(customer_id);
    expect(await under.findPlan(org_id)).toBe('team');
    expect(under.audit.selectEvents(org_id)[0]).toMatchObject({
      action: 'billing.customer_replaced',
      detail: { stripe_customer: replaced, former_customer: customer_id },
    });
  });

  test('that Stripe has never had is replaced, once for many checkouts', async () => {
    const { org_id, customer_id } = await under.makeCustomer();
    under.stripe.customers.delete(customer_id);

    await Promise.all(Array.from({ length: 5 }, () => under.billing.sessions.checkout(org_id, undefined)));

    expect(findCustomers(org_id)).toHaveLength(1);
    expect(under.actions(org_id)).toEqual(['billing.customer_replaced']);
  });

  test('is created once although the organization is renamed between two first checkouts', async () => {
    const org_id = await makeOrg(under.database.admin_db);
    under.stripe.settings.failing.add('name=');
    await expect(under.billing.sessions.checkout(org_id, undefined)).rejects.toMatchObject({ status: 502 });
    under.stripe.settings.failing.clear();
    await under.database.admin_db('orgs').where({ id: org_id }).update({ display_name: 'Renamed' });

    await under.billing.sessions.checkout(org_id, undefined);

    expect(findCustomers(org_id)).toEqual([expect.objectContaining({ name: 'Renamed' })]);
  });
});

describe('the contract of Stripe', () => {
  test('is that of the installed package, and of the requests', async () => {
    await under.makeCustomer();
    const installed = (name: string) =>
      readFileSync(new URL(`../../../node_modules/stripe/${name}`, import.meta.url), 'utf8');
    const { version } = JSON.parse(installed('package.json'));

    expect(CONTRACT_SOURCE).toMatchObject({
      package: `stripe@${version}`,
      openapi: installed('OPENAPI_VERSION').trim(),
    });
    expect(new Set(under.stripe.requests.map((one) => one.version))).toEqual(new Set([Stripe.API_VERSION]));
  });

  test('an object that Stripe would not send is found', () => {
    const customer = makeObject('customer', { id: 'cus_1' });

    expect(listViolations('customer', customer)).toEqual([]);
    expect(listViolations('customer', { ...customer, id: 1 })).toEqual([expect.stringContaining('customer/id')]);
    expect(listViolations('customer', { ...customer, surname: 'x' })).toEqual([expect.stringContaining('surname')]);
    expect(listViolations('customer', { id: 'cus_1' })).toContainEqual(expect.stringContaining('livemode'));
  });
});
