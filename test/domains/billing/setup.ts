import { createStripeBilling } from '../../../server/adapters/billing/index.ts';
import { createBilling } from '../../../server/domains/billing/index.ts';
import { PRICES, signEvent, startStripeServer, WEBHOOK_SECRET } from '../../fakes/stripe-server.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { makeOrg } from '../../helpers/people.ts';
import { setUpOrgs } from '../orgs/setup.ts';

type BillingDeps = Parameters<typeof createBilling>[0];

interface BillingParts
  extends Pick<BillingDeps, 'audit' | 'enqueue' | 'orgs'>,
    Partial<Pick<BillingDeps, 'log' | 'onFinding'>> {
  database: Pick<TestDatabase, 'db' | 'platform_db' | 'sweeper_db'>;
  clock: { now: Date };
  stripe: Awaited<ReturnType<typeof startStripeServer>>;
}

/** Billing as one process has it. */
export function makeBilling({ database, clock, stripe, ...parts }: BillingParts) {
  return createBilling({
    db: database.db,
    platform_db: database.platform_db,
    sweep_db: database.sweeper_db,
    now: () => clock.now,
    log: { warn: () => {} },
    provider: createStripeBilling({ secret_key: 'sk_test_1', webhook_secret: WEBHOOK_SECRET, api_url: stripe.url }),
    prices: PRICES,
    app_url: 'https://app.example.com',
    onFinding: () => {},
    ...parts,
  });
}

/** Billing with its own database and a fake of Stripe. Queued events wait until the test runs them. */
export async function setUpBilling() {
  const under = await setUpOrgs();
  const { database, orgs, audit, clock } = under;
  const stripe = await startStripeServer(() => clock.now);
  const queued: { org_id: string; id: string }[] = [];
  const warnings: string[] = [];
  const findings: string[] = [];

  const billing = makeBilling({
    ...{ database, orgs, audit, clock, stripe },
    log: { warn: (_fields: unknown, message?: string) => void warnings.push(message ?? '') },
    onFinding: (finding) => void findings.push(finding),
    enqueue: async (_trx, event) => void queued.push(event),
  });

  /** Delivers an event with a valid signature. */
  async function deliver(event: unknown, at = clock.now): Promise<void> {
    const body = JSON.stringify(event);
    await billing.receiver.open(signEvent(body, at))(Buffer.from(body));
  }

  async function runQueued(): Promise<void> {
    for (const event of queued.splice(0)) await billing.apply.run(event);
  }

  return {
    ...under,
    stripe,
    billing,
    queued,
    warnings,
    findings,
    deliver,
    runQueued,
    /** An organization with a customer, as after its first checkout. */
    async makeCustomer(plan: 'free' | 'team' | 'enterprise' = 'free') {
      const org_id = await makeOrg(database.admin_db, { plan });
      const { url } = await billing.sessions.checkout(org_id, undefined);
      const row = await database.admin_db('billing_accounts').where({ org_id }).first();
      return { org_id, customer_id: row.customer_id as string, session_id: url.split('/').at(-1) ?? '' };
    },
    async findPlan(org_id: string): Promise<string> {
      return (await database.admin_db('orgs').where({ id: org_id }).first('plan')).plan;
    },
    account: (org_id: string) => database.admin_db('billing_accounts').where({ org_id }).first(),
    actions: (org_id: string) => audit.selectEvents(org_id).map(({ action }) => action),
    async close() {
      await stripe.close();
      await database.close();
    },
  };
}

export type BillingUnderTest = Awaited<ReturnType<typeof setUpBilling>>;
