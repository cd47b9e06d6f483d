import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type StripeServer, signEvent, startStripeServer } from '../fakes/stripe-server.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

let stripe: StripeServer;
let service: TestService;
let owner: Caller;
let org_id: string;
let billing: string;

beforeAll(async () => {
  stripe = await startStripeServer();
  service = await startTestService(stripe.env);
  owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  billing = `/api/v2/orgs/${org_id}/billing`;
});

afterAll(async () => {
  await service.close();
  await stripe.close();
});

function deliver(body: string, signature: string | undefined) {
  const headers: Record<string, string> = signature === undefined ? {} : { 'stripe-signature': signature };
  return service.anonymous.send('POST', '/api/v2/webhooks/stripe', body, headers);
}

/** Delivers all collected events, as Stripe sends them. */
async function deliverAll(): Promise<void> {
  for (const event of stripe.events.splice(0)) {
    const body = JSON.stringify(event, null, 2);
    expect(await deliver(body, signEvent(body))).toMatchObject({ status: 200, body: { received: true } });
  }
}

async function waitForPlan(plan: string, path = billing): Promise<void> {
  for (;;) {
    const { body } = await owner.get(path);
    if (body.plan === plan) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a deployment with Stripe', () => {
  test('sells the team plan, from the checkout to the webhook, and ends it', async () => {
    expect(await owner.get(billing)).toMatchObject({ status: 200, body: { plan: 'free', status: 'none' } });
    expect(await owner.post(`${billing}/portal-session`, {})).toMatchObject({ status: 404 });
    const checkout = await owner.post(`${billing}/checkout-session`, { plan: 'team' });
    expect(checkout).toMatchObject({ status: 200, body: { url: expect.stringContaining('https://checkout.') } });

    const { id } = stripe.completeCheckout(checkout.body.url.split('/').at(-1));
    await deliverAll();
    await waitForPlan('team');
    expect(await owner.post(`${billing}/checkout-session`, { plan: 'team' })).toMatchObject({
      status: 409,
      body: { error_class: 'already_subscribed' },
    });
    expect(await owner.post(`${billing}/portal-session`, {})).toMatchObject({ status: 200 });

    stripe.change(id, { status: 'canceled' });
    await deliverAll();
    await waitForPlan('free');
    const rows = await service.admin_db('audit_log').where({ org_id }).whereLike('action', 'billing.%').orderBy('seq');
    expect(rows.map(({ action, actor_email }) => [action, actor_email])).toEqual([
      ['billing.subscription_created', ''],
      ['billing.subscription_cancelled', ''],
    ]);
  });

  test('disables what the free plan does not allow when the subscription is canceled, deletes nothing, and says so', async () => {
    const { body: made } = await owner.post('/api/v2/orgs', { slug: 'smaller', display_name: 'Smaller' });
    const org = `/api/v2/orgs/${made.id}`;
    const { body: page } = await owner.post(`${org}/billing/checkout-session`, { plan: 'team' });
    const { id } = stripe.completeCheckout(page.url.split('/').at(-1));
    await deliverAll();
    await waitForPlan('team', `${org}/billing`);
    const create = async (name: string, schedule: string) =>
      (await owner.post(`${org}/schedules`, { name, schedule })).body.id;
    const oldest = await create('Nightly', '30 2 * * *');
    const often = await create('Hourly', '0 * * * *');
    const newest = await create('Weekly', '0 4 * * 1');
    const { body: preview } = await owner.get(`${org}/billing/plan-preview?plan=free`);
    expect(preview).toMatchObject({ schedules_disabled: true, features_lost: expect.arrayContaining(['chat']) });

    stripe.change(id, { status: 'canceled' });
    await deliverAll();
    await waitForPlan('free', `${org}/billing`);

    const { schedules } = (await owner.get(`${org}/schedules`)).body;
    const states = new Map(schedules.map((one: { id: string }) => [one.id, one]));
    expect(states.get(oldest)).toMatchObject({ enabled: true, disabled_reason: null });
    for (const disabled of [often, newest]) {
      expect(states.get(disabled)).toMatchObject({ enabled: false, disabled_reason: 'plan_limit', next_run_at: null });
    }
    expect(await owner.post(`${org}/schedules`, { name: 'More', schedule: '0 5 * * *' })).toMatchObject({
      status: 402,
      body: { code: 'plan_limit_exceeded', resource: 'schedules' },
    });
    const announced = () =>
      service.admin_db('notification_events').where({ org_id: made.id, type: 'schedule.disabled' }).select('data');
    while ((await announced()).length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    const news = (await announced()).map(({ data }) => data);
    expect(news.map(({ schedule, reason }) => [schedule.id, reason]).sort()).toEqual(
      [often, newest].sort().map((one) => [one, 'plan_limit']),
    );
    const rows = await service.admin_db('audit_log').where({ org_id: made.id, action: 'schedule.updated' });
    expect(rows.map(({ actor_email }) => actor_email)).toEqual(['', '']);
  });

  test('rejects events without a valid signature', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'invoice.paid', data: { object: {} } });

    for (const signature of [undefined, 'v1=0', signEvent(`${body} `)]) {
      expect(await deliver(body, signature)).toMatchObject({ status: 401, body: { error_class: 'signature_invalid' } });
    }
    expect(await deliver('{', signEvent('{'))).toMatchObject({ status: 400 });
  });

  test('answers 502 while Stripe fails, and says nothing about why', async () => {
    const other = (await owner.post('/api/v2/orgs', { slug: 'other', display_name: 'Other' })).body.id;
    stripe.settings.fail_next = 3;

    const answer = await owner.post(`/api/v2/orgs/${other}/billing/checkout-session`, { plan: 'team' });

    expect(answer).toMatchObject({ status: 502, body: { error_class: 'billing_backend_error' } });
    expect(answer.body.error).not.toContain('broken');
  });

  test.each(['//evil.example.com', 'https://evil.example.com', '/\\evil', '/a b'])(
    'does not return people to %j',
    async (return_path) => {
      expect(await owner.post(`${billing}/checkout-session`, { plan: 'team', return_path })).toMatchObject({
        status: 400,
      });
    },
  );

  test('shows what a smaller plan would do, and does not do it', async () => {
    await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'team' });
    for (const name of ['a', 'b', 'c', 'd']) {
      await owner.post(`/api/v2/orgs/${org_id}/api-keys`, { name, scopes: ['read'] });
    }

    const { status, body } = await owner.get(`${billing}/plan-preview?plan=free`);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      from: 'team',
      to: 'free',
      features_lost: ['audit_compliance', 'chat', 'glob_state_sources', 'sso'],
      features_gained: [],
      schedules_disabled: false,
    });
    expect(body.limits).toContainEqual({ resource: 'api_keys', limit: 3, used: 4, excess: 1 });
    expect((await owner.get(billing)).body.plan).toBe('team');
  });
});

describe('a deployment without Stripe', () => {
  test('shows plan and seats, and answers 503 where a payment is needed', async () => {
    const none = { STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '', STRIPE_PRICE_TEAM: '' };
    const { url } = await service.startProcess('api', { ...none, STRIPE_PRICE_ENTERPRISE: '', STRIPE_PRICE_SEAT: '' });
    const caller = await service.signIn('second', url ?? '');
    const id = (await caller.post('/api/v2/orgs', { slug: 'second', display_name: 'Second' })).body.id;
    await service.admin_db('orgs').where({ id }).update({ plan: 'team' });
    const own = `/api/v2/orgs/${id}/billing`;

    expect(await caller.get(own)).toMatchObject({
      status: 200,
      body: { plan: 'team', status: 'none', seats: { included: 10, used: 1, overage: 0 }, overage_enabled: false },
    });
    for (const answer of [
      await caller.post(`${own}/checkout-session`, { plan: 'team' }),
      await caller.post(`${own}/portal-session`, {}),
      await service.withHeaders({}, url ?? '').send('POST', '/api/v2/webhooks/stripe', {}),
    ]) {
      expect(answer).toMatchObject({ status: 503, body: { error_class: 'billing_not_configured' } });
    }
  });
});
