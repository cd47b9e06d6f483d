import { pino } from 'pino';
import type { Declarations } from '../../../server/contract/domain-parts.ts';
import { createColumnSealer, type Db } from '../../../server/db/index.ts';
import type { AuditAction, AuditEvent, AuditWriter } from '../../../server/domains/audit/index.ts';
import { createOrgs, type Orgs, SEALED_NOISE_KEYS } from '../../../server/domains/orgs/index.ts';
import { type AuthzBus, createAuthzBus } from '../../../server/lib/authz-bus.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { labelSealer } from '../../helpers/people.ts';
import { declared } from './declared.ts';

/** Records events; those written in a transaction are recorded with the organization of that transaction. */
export interface CollectingAudit extends AuditWriter {
  events: AuditEvent[];
  in_transaction: { event: AuditEvent; works_in: string }[];
  selectEvents(org_id: string, action?: AuditAction): AuditEvent[];
}

function collectingAudit(): CollectingAudit {
  const events: AuditEvent[] = [];
  const in_transaction: CollectingAudit['in_transaction'] = [];
  return {
    events,
    in_transaction,
    selectEvents: (org_id, action) =>
      events.filter((event) => event.org_id === org_id && (action === undefined || event.action === action)),
    async record(event) {
      events.push(event);
    },
    async recordIn(trx: Db, event) {
      if (!trx.isTransaction) throw new Error('recordIn was given a pool');
      const { rows } = await trx.raw(`select current_setting('app.org_id', true) as org`);
      events.push(event);
      in_transaction.push({ event, works_in: rows[0].org });
    },
  };
}

/** One instance of the organizations domain. */
export interface Instance {
  orgs: Orgs;
  authz: AuthzBus;
  audit: CollectingAudit;
}

export interface OrgsUnderTest extends Instance {
  database: TestDatabase;
  /** Fixed until a test moves it. */
  clock: { now: Date };
  /** Domains whose users can sign in; all while it is empty. */
  domains: Set<string>;
  /** Another process on the same database, which receives no broadcasts. */
  another(): Instance;
}

/** @param usage counts of limited resources, in addition to those of seats and API keys */
export async function setUpOrgs(usage: Declarations['usage'] = {}): Promise<OrgsUnderTest> {
  const database = await openTestDatabase();
  const clock = { now: new Date('2026-05-01T12:00:00.000Z') };
  const domains = new Set<string>();

  function another(): Instance {
    const audit = collectingAudit();
    const authz = createAuthzBus(() => {});
    const orgs = createOrgs({
      onInvited: async () => {},
      resolveChannel: async (_org, channel) => channel,
      db: database.db,
      platform_db: database.platform_db,
      sweep_db: database.sweeper_db,
      sealer: createColumnSealer(labelSealer, [SEALED_NOISE_KEYS]),
      declared: { ...declared, usage: { ...declared.usage, ...usage } },
      audit,
      authz,
      maySignIn: async ({ email, issuer }) =>
        issuer === 'urn:test' && (domains.size === 0 || domains.has(email.split('@')[1] ?? '')),
      onLimitsChanged: async () => {},
      log: pino({ level: 'silent' }),
      now: () => clock.now,
    });
    return { orgs, authz, audit };
  }

  return { ...another(), database, clock, domains, another };
}

export function minutesLater(from: Date, minutes: number): Date {
  return new Date(from.getTime() + minutes * 60_000);
}

/** Counts outcomes: `ok`, or the error class. */
export async function outcomes(attempts: Promise<unknown>[]): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const settled of await Promise.allSettled(attempts)) {
    const name = settled.status === 'fulfilled' ? 'ok' : (settled.reason.error_class ?? String(settled.reason));
    counted[name] = (counted[name] ?? 0) + 1;
  }
  return counted;
}
