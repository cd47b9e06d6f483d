import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditRoutes } from '../../../server/domains/audit/routes.ts';
import { newId } from '../../../server/lib/ids.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeAudit, makeBareOrg, someEvent, type TestAudit } from './chains.ts';

const MINUTE_MS = 60_000;
const BEGIN = Date.parse('2026-05-01T12:00:00.000Z');
const MANY = 2_500;

describe('the list of audit entries', () => {
  let database: TestDatabase;
  let audit: TestAudit;
  let now = new Date(BEGIN);
  let [ana, bob] = ['', ''];

  beforeAll(async () => {
    database = await openTestDatabase();
    audit = makeAudit(database, { now: () => now });
    [ana, bob] = [await makeBareOrg(database.admin_db), await makeBareOrg(database.admin_db)];
    for (const [minute, org_id] of [ana, bob, null, ana].entries()) {
      now = new Date(BEGIN + minute * MINUTE_MS);
      await audit.record(someEvent(org_id, `n${minute}`));
    }
    now = new Date(BEGIN + 4 * MINUTE_MS);
    await audit.record({
      action: 'org.updated',
      org_id: ana,
      actor_email: 'ana@example.com',
      detail: { display_name: 'n4' },
    });
  });
  afterAll(async () => {
    await audit.end();
    await database.close();
  });

  const all = { limit: 50, offset: 0 };
  async function names(filter: Parameters<TestAudit['list']>[0], page = all): Promise<[string[], number]> {
    const { entries, total } = await audit.list(filter, page);
    return [entries.map(({ detail }) => String(Object.values(detail)[0])), total];
  }
  const at = (minute: number) => new Date(BEGIN + minute * MINUTE_MS);

  test('the list is newest first across all chains', async () => {
    expect(await names({})).toEqual([['n4', 'n3', 'n2', 'n1', 'n0'], 5]);
  });

  test('an entry shows what was recorded', async () => {
    const { entries } = await audit.list({ org_id: bob }, all);

    expect(entries).toEqual([
      {
        id: expect.any(String),
        actor_email: 'ana@example.com',
        org_id: bob,
        action: 'org.created',
        detail: { slug: 'n1' },
        created_at: at(1),
      },
    ]);
  });

  test('filters combine; since is inclusive and until is exclusive', async () => {
    expect(await names({ org_id: ana })).toEqual([['n4', 'n3', 'n0'], 3]);
    expect(await names({ action: 'org.created' })).toEqual([['n3', 'n1', 'n0'], 3]);
    expect(await names({ org_id: ana, action: 'org.created' })).toEqual([['n3', 'n0'], 2]);
    expect(await names({ since: at(1), until: at(3) })).toEqual([['n2', 'n1'], 2]);
    expect(await names({ org_id: ana, since: at(1) })).toEqual([['n4', 'n3'], 2]);
    expect(await names({ action: 'no.such' })).toEqual([[], 0]);
    expect(await names({ org_id: newId() })).toEqual([[], 0]);
    expect(await names({ org_id: null })).toEqual([['n2'], 1]);
  });

  test('entries are paged, and platform entries have an empty organization', async () => {
    const { listAuditLog } = auditRoutes(audit);
    const query = { limit: 1, offset: 2, since: at(0).toISOString() };

    expect(await listAuditLog({ query } as Parameters<typeof listAuditLog>[0])).toEqual({
      status: 200,
      body: [
        {
          id: expect.any(String),
          actor_email: 'root@example.com',
          org_id: '',
          action: 'domain.added',
          detail: { domain: 'n2' },
          created_at: at(2).toISOString(),
        },
      ],
      page: { total: 5, limit: 1, offset: 2 },
    });
  });

  test('every page of a long list is contiguous, from either end', async () => {
    const org_id = await makeBareOrg(database.admin_db);
    await database.platform_db.raw(
      `select count(*) from audit_append(
         array(select gen_random_uuid() from generate_series(1, ${MANY})), array_fill('${org_id}'::uuid, array[${MANY}]),
         array_fill(''::text, array[${MANY}]), array_fill('org.created'::text, array[${MANY}]),
         array(select json_build_object('slug', i::text)::text from generate_series(1, ${MANY}) i),
         array(select now() + i / 3 * interval '1 ms' from generate_series(1, ${MANY}) i))`,
    );

    const seen: string[] = [];
    for (let offset = 0; offset < MANY + 200; offset += 170) {
      const [page, total] = await names({ org_id }, { limit: 170, offset });
      expect(total).toBe(MANY);
      seen.push(...page);
    }

    expect(seen).toEqual(Array.from({ length: MANY }, (_, n) => String(MANY - n)));
  });
});
