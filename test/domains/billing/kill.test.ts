/** A process that ends after any statement while it receives or applies an event, and the process that is started after it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { openDatabase } from '../../../server/db/index.ts';
import { createAuditWriter } from '../../../server/domains/audit/write-service.ts';
import { enqueue } from '../../../server/queue/index.ts';
import { signEvent } from '../../fakes/stripe-server.ts';
import { makeBilling, setUpBilling } from './setup.ts';

type Under = Awaited<ReturnType<typeof setUpBilling>>;
type Answer = (error: Error | null, result?: unknown) => void;

/** The parts of a connection of the driver that are used here. */
interface Connection {
  query(statement: unknown, answer: Answer): void;
  connection: { stream: { destroy(): void } };
}

let under: Under;
/** A process that is never killed: it comes after the killed ones. */
let survivor: ReturnType<typeof startProcess>;
beforeAll(async () => {
  under = await setUpBilling();
  survivor = startProcess(null);
});
afterAll(async () => {
  await survivor.close();
  await under.close();
});

/**
 * Billing as one process of the service has it, with the real outbox and audit log. When it ends, its connections are
 * closed at once, as the kernel does after `kill -9`, and it does nothing more.
 *
 * @param last_statement the statement after which it ends, such as 3 for the third; null: it does not end
 */
function startProcess(last_statement: number | null) {
  const { database, clock, stripe, orgs } = under;
  const log = pino({ level: 'silent' });
  const { db, close } = openDatabase({ url: database.url, max: 4, log });
  const life = watch(db, last_statement);
  const metrics = { audit_write_failures: { inc: () => {} } } as never;
  const audit = createAuditWriter({ audit_db: db, log, metrics, now: () => clock.now, isKept: () => true });
  const billing = makeBilling({
    database: { ...database, platform_db: db, sweeper_db: db },
    ...{ orgs, audit, clock, stripe },
    enqueue: (trx, event) => enqueue(trx, 'billing', event),
  });

  return {
    life,
    billing,
    async deliver(event: unknown): Promise<void> {
      const body = JSON.stringify(event);
      await billing.receiver.open(signEvent(body, clock.now))(Buffer.from(body));
    },
    /** Takes the jobs that wait, as Redis would have them, and runs them: a job is lost with the process. */
    async work(): Promise<void> {
      const jobs = await database.admin_db('outbox').where({ topic: 'billing' }).delete('payload');
      for (const { payload } of jobs) await billing.apply.run(payload);
    },
    close,
  };
}

function watch(db: Knex, last_statement: number | null) {
  const life = { statements: 0, has_ended: false };
  const connections: Connection[] = [];
  const { client } = db as unknown as { client: { acquireRawConnection(): Promise<Connection> } };
  const acquire = client.acquireRawConnection.bind(client);

  function die(): void {
    life.has_ended = true;
    for (const { connection } of connections) connection.stream.destroy();
  }

  client.acquireRawConnection = async () => {
    const made = await acquire();
    connections.push(made);
    const send = made.query.bind(made);
    made.query = (statement, answer) => {
      const fail = () => setImmediate(answer, new Error('the process has ended'));
      if (life.has_ended) return fail();
      life.statements += 1;
      if (life.statements !== last_statement) return send(statement, answer);
      // Done by the database, and not known to the process.
      return send(statement, () => {
        die();
        fail();
      });
    };
    return made;
  };
  return life;
}

/** An event of a new organization, and what must be true once it is applied. */
interface Case {
  org_id: string;
  event: unknown;
  plan: string;
  actions: string[];
}

async function subscribe() {
  const { org_id, session_id } = await under.makeCustomer();
  const { id } = under.stripe.completeCheckout(session_id);
  return { org_id, id, created: under.stripe.events.at(-1) };
}

async function makeCreated(): Promise<Case> {
  const { org_id, created } = await subscribe();
  return { org_id, event: created, plan: 'team', actions: ['billing.subscription_created'] };
}

/** With an earlier event that is applied. */
async function makeLater(change: (id: string) => void, plan: string, action: string): Promise<Case> {
  const { org_id, id, created } = await subscribe();
  await live(survivor, created);
  change(id);
  return { org_id, event: under.stripe.events.at(-1), plan, actions: ['billing.subscription_created', action] };
}

const CASES: [string, () => Promise<Case>][] = [
  ['a subscription is bought', makeCreated],
  [
    'a subscription is canceled',
    () => makeLater((id) => under.stripe.change(id, { status: 'canceled' }), 'free', 'billing.subscription_cancelled'),
  ],
  ['a payment fails', () => makeLater((id) => under.stripe.failPayment(id), 'team', 'billing.payment_failed')],
];

async function live(process: ReturnType<typeof startProcess>, event: unknown): Promise<void> {
  await process.deliver(event);
  await process.work();
}

/** Stripe repeats what was not answered; the sweep queues again what the queue has lost. */
async function restart(event: unknown): Promise<void> {
  await live(survivor, event);
  under.clock.now = new Date(under.clock.now.getTime() + 11 * 60_000);
  await survivor.billing.maintenance.requeue();
  await survivor.work();
}

async function readState(org_id: string) {
  const { admin_db } = under.database;
  const events = await admin_db('billing_events').where({ org_id }).pluck('status');
  const actions: string[] = await admin_db('audit_log').where({ org_id }).orderBy('seq').pluck('action');
  const { seq } = (await admin_db('audit_heads').where({ org_id }).first('seq')) ?? { seq: 0 };
  return { plan: await under.findPlan(org_id), events, actions, seq: Number(seq) };
}

test.each(CASES)('when %s, a process killed after any statement leaves an exact result', async (_title, make) => {
  const { event: first } = await make();
  const whole = startProcess(null);
  await live(whole, first);
  await whole.close();
  expect(whole.life.statements).toBeGreaterThan(12);

  for (let last = 1; last <= whole.life.statements; last += 1) {
    const { org_id, event, plan, actions } = await make();
    const killed = startProcess(last);
    await expect(live(killed, event)).rejects.toThrow();
    expect(killed.life.has_ended).toBe(true);
    await restart(event);
    await killed.close();

    const events = actions.map(() => 'applied');
    expect({ last, ...(await readState(org_id)) }).toEqual({ last, plan, events, actions, seq: actions.length });
  }
});
