import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toEventRow } from '../../../server/domains/audit/event-row.ts';
import type { AuditEvent } from '../../../server/domains/audit/index.ts';
import { appendInTime } from '../../../server/domains/audit/store.ts';
import { newId } from '../../../server/lib/ids.ts';
import { withRequestId } from '../../../server/lib/request-context.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeAudit, makeBareOrg, someEvent, type TestAudit } from './chains.ts';

let database: TestDatabase;
const opened: TestAudit[] = [];
const open = (options?: Parameters<typeof makeAudit>[1]) => {
  const audit = makeAudit(database, options);
  opened.push(audit);
  return audit;
};

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await Promise.all(opened.map((audit) => audit.end()));
  await database.close();
});

const newOrgs = (count: number) => Promise.all(Array.from({ length: count }, () => makeBareOrg(database.admin_db)));
async function listSlugs(org_id: string): Promise<string[]> {
  const rows = await database.admin_db('audit_log').where({ org_id }).orderBy('seq').select('detail');
  return rows.map(({ detail }) => detail.slug);
}

async function losses(audit: TestAudit): Promise<number> {
  const { values } = await audit.metrics.audit_write_failures.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

/** Locks the chain of an organization like another writer, until released. */
async function holdChain(org_id: string): Promise<() => Promise<unknown>> {
  const trx = await database.admin_db.transaction();
  await trx('audit_heads').where({ org_id }).forUpdate().select('seq');
  return () => trx.rollback();
}

describe('writing audit events from requests', () => {
  test.each([
    ['one chain', 1],
    ['64 chains', 64],
  ])(
    '64 writers in three processes on %s leave no gap, and each acknowledged event is stored once',
    async (_, chains) => {
      const orgs = await newOrgs(chains);
      const processes = [open(), open(), open()];
      const expected = new Map(orgs.map((org_id) => [org_id, [] as string[]]));

      const writers = Array.from({ length: 64 }, async (_unused, writer) => {
        for (let n = 0; n < 20; n++) {
          const org_id = orgs[writer % chains] as string;
          await processes[writer % 3]?.record(someEvent(org_id, `w${writer}-${n}`));
          expected.get(org_id)?.push(`w${writer}-${n}`);
        }
      });
      await Promise.all(writers);

      for (const [org_id, slugs] of expected) {
        expect(await processes[0]?.verifyAny(org_id)).toMatchObject({ status: 'ok', checked: slugs.length });
        expect((await listSlugs(org_id)).sort()).toEqual(slugs.sort());
      }
      expect(await Promise.all(processes.map(losses))).toEqual([0, 0, 0]);
    },
  );

  test('a chain keeps the order of its events', async () => {
    const [org_id = ''] = await newOrgs(1);
    const audit = open();
    const names = Array.from({ length: 600 }, (_, n) => `e${n}`);

    await Promise.all(names.map((name) => audit.record(someEvent(org_id, name))));

    expect(await listSlugs(org_id)).toEqual(names);
  });

  test('an event of a locked chain is dropped and reported at its deadline; events of other chains are written', async () => {
    const [held = '', free = ''] = await newOrgs(2);
    const audit = open({ deadline_ms: 1_200 });
    await audit.record(someEvent(held, 'before'));
    const letGo = await holdChain(held);

    const lost = withRequestId('req-1', () =>
      Promise.all(Array.from({ length: 20 }, (_, n) => audit.record(someEvent(held, `lost-${n}`)))),
    );
    for (let n = 0; n < 10; n++) await audit.record(someEvent(free, `free-${n}`));
    await lost;
    await letGo();
    await audit.record(someEvent(held, 'after'));

    expect(await listSlugs(held)).toEqual(['before', 'after']);
    expect(await listSlugs(free)).toHaveLength(10);
    expect(await losses(audit)).toBe(20);
    const lines = audit.lines().filter((line) => line['msg'] === 'audit log write failed');
    expect(lines).toHaveLength(20);
    expect(lines[0]).toMatchObject({ level: 'error', action: 'org.created', request_id: 'req-1', org_id: held });
  });

  test('events of a temporarily locked chain are written after it is unlocked', async () => {
    const [org_id = ''] = await newOrgs(1);
    const audit = open();
    await audit.record(someEvent(org_id, 'before'));
    const letGo = await holdChain(org_id);

    const written = Promise.all(['a', 'b', 'c'].map((name) => audit.record(someEvent(org_id, name))));
    await wait(700);
    await letGo();
    await written;

    expect(await listSlugs(org_id)).toEqual(['before', 'a', 'b', 'c']);
    expect(await losses(audit)).toBe(0);
  });

  test('events survive lost connections and are written once each', async () => {
    const [org_id = ''] = await newOrgs(1);
    const audit = open({ deadline_ms: 60_000 });
    const names = Array.from({ length: 300 }, (_, n) => `k${n}`);
    const { pid } = (await audit.audit_db.raw('select pg_backend_pid() as pid')).rows[0];
    let acknowledged = 0;
    let going = true;
    // One cut for each event that got through at most, so that a slow machine is not cut off for good.
    const cutting = (async () => {
      let seen = -1;
      while (going) {
        if (acknowledged > seen) {
          const { rows } = await database.admin_db.raw(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and query like '%audit_append(%' and pid <> pg_backend_pid()`,
          );
          if (rows.length > 0) seen = acknowledged;
        }
        await wait(30);
      }
    })();

    const record = async (name: string) => {
      await audit.record(someEvent(org_id, name));
      acknowledged += 1;
    };
    for (let from = 0; from < names.length; from += 5) {
      await Promise.all(names.slice(from, from + 5).map(record));
    }
    going = false;
    await cutting;
    expect((await audit.audit_db.raw('select pg_backend_pid() as pid')).rows[0].pid).not.toBe(pid);

    expect(await listSlugs(org_id)).toEqual(names);
    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'ok', checked: names.length });
    expect(await losses(audit)).toBe(0);
  });

  test('an event that the database rejects does not affect other events of its batch', async () => {
    const [org_id = ''] = await newOrgs(1);
    const audit = open();
    const nowhere = '00000000-0000-7000-8000-000000000000';

    await Promise.all([
      audit.record(someEvent(org_id, 'one')),
      audit.record(someEvent(nowhere, 'bad')),
      audit.record(someEvent(org_id, 'two')),
    ]);

    expect(await listSlugs(org_id)).toEqual(['one', 'two']);
    expect(await losses(audit)).toBe(1);
    expect(audit.lines()).toContainEqual(expect.objectContaining({ msg: 'audit log write failed', org_id: nowhere }));
  });

  test.each([
    ['a NUL', { slug: 'a\0b' }],
    ['an unpaired surrogate', { slug: '\ud800' }],
    ['a float', { slug: 1.5 }],
    ['a value without a JSON form', { slug: 10n }],
  ])('an event with %s is dropped and logged', async (_, detail) => {
    const [org_id = ''] = await newOrgs(1);
    const audit = open();

    await audit.record({ action: 'org.created', org_id, actor_email: '', detail } as unknown as AuditEvent);

    expect(await listSlugs(org_id)).toEqual([]);
    expect(await losses(audit)).toBe(1);
    expect(audit.lines()).toContainEqual(expect.objectContaining({ msg: 'audit log write failed', org_id }));
  });

  test('an action that the deployment does not record is not written', async () => {
    const [org_id = ''] = await newOrgs(1);
    const audit = open({ isKept: (action) => action === 'org.created' });

    await audit.record({ action: 'org.updated', org_id, actor_email: '', detail: { display_name: 'New' } });
    await audit.record(someEvent(org_id, 'listed'));
    await database.db.inOrg(org_id, (trx) =>
      audit.recordIn(trx, { action: 'org.settings_updated', org_id, actor_email: '', detail: { keys: [] } }),
    );

    expect(await listSlugs(org_id)).toEqual(['listed']);
  });

  test('events that would reach the database too late are not sent', async () => {
    const [org_id = ''] = await newOrgs(1);
    const row = toEventRow(someEvent(org_id, 'late'), { id: newId(), now: new Date() });
    const late = appendInTime(database.platform_db, [row], 500, { left_ms: () => 0, return_ms: 30 });

    await expect(late).rejects.toThrow('not reached in time');
    expect(await listSlugs(org_id)).toEqual([]);
  });

  test('closing waits for all recorded events', async () => {
    const [org_id = ''] = await newOrgs(1);
    const audit = open();
    void audit.record(someEvent(org_id, 'last'));

    await audit.close();

    expect(await listSlugs(org_id)).toEqual(['last']);
  });
});

describe('writing audit events within a transaction', () => {
  test('the row is committed and rolled back with the transaction', async () => {
    const [org_id = ''] = await newOrgs(1);
    const audit = open();
    const inOrg = (name: string, fail: boolean) =>
      database.db.inOrg(org_id, async (trx) => {
        await audit.recordIn(trx, someEvent(org_id, name));
        if (fail) throw new Error('changed my mind');
      });

    await inOrg('kept', false);
    await expect(inOrg('gone', true)).rejects.toThrow('changed my mind');
    await inOrg('also kept', false);

    expect(await listSlugs(org_id)).toEqual(['kept', 'also kept']);
    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'ok', checked: 2 });
  });

  test('a transaction that locks the organization row does not block the audit log, and vice versa', async () => {
    const [org_id = ''] = await newOrgs(1);
    const audit = open();
    await audit.record(someEvent(org_id, 'first'));

    await database.db.inOrg(org_id, async (trx) => {
      await trx('orgs').where({ id: org_id }).forUpdate().select('id');
      await audit.record(someEvent(org_id, 'beside'));
      await audit.recordIn(trx, someEvent(org_id, 'within'));
    });

    expect(await listSlugs(org_id)).toEqual(['first', 'beside', 'within']);
  });
});
