import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { newId } from '../../../server/lib/ids.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeAudit, makeBareOrg, someEvent, type TestAudit } from './chains.ts';

const ROWS = 9;
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let audit: TestAudit;
let now = new Date();
let org_id: string;

beforeAll(async () => {
  database = await openTestDatabase();
  audit = makeAudit(database, { now: () => now });
  // Only a user with all permissions on the database can do this.
  await database.admin(
    'alter table audit_log drop constraint audit_log_org_id_seq_key, drop constraint audit_log_canon_version_check',
  );
});
beforeEach(async () => {
  now = new Date();
  org_id = await makeBareOrg(database.admin_db);
  for (let n = 1; n <= ROWS; n++) void audit.record(someEvent(org_id, `row-${n}`));
  await audit.close();
});
afterAll(async () => {
  await audit.end();
  await database.close();
});

/** Changes the log past its triggers, as a superuser can. */
async function tamper(work: (trx: Knex.Transaction) => Promise<unknown>): Promise<void> {
  await database.admin_db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    await work(trx);
  });
}
const rowAt = (trx: Knex, seq: number) => trx('audit_log').where({ org_id, seq });

test('an unaltered chain is intact, and its head is its last row', async () => {
  const last = await rowAt(database.admin_db, ROWS).first('hash');

  expect(await audit.verifyAny(org_id)).toEqual({
    checked: ROWS,
    head_seq: ROWS,
    head_hash: last.hash,
    status: 'ok',
    broken_at_seq: null,
    reason: null,
    verified_at: now,
  });
});

test('an empty chain is intact', async () => {
  const empty = await makeBareOrg(database.admin_db);

  expect(await audit.verifyAny(empty)).toMatchObject({ checked: 0, head_seq: 0, head_hash: '', status: 'ok' });
});

describe('every change of a row is reported at its position', () => {
  const other = newId();
  const changes: Record<string, unknown> = {
    id: other,
    org_id: null,
    seq: 1_000,
    actor_email: 'eve@example.com',
    action: 'org.updated',
    detail: '{"slug":"forged"}',
    created_at: '2020-01-01T00:00:00.000Z',
    prev_hash: 'f'.repeat(64),
    hash: '0'.repeat(64),
    canon_version: 2,
  };
  const table = Object.keys(changes).flatMap((column) => [1, 5, ROWS].map((seq) => [column, seq] as const));

  test.each(table)('a changed %s of row %i is detected', async (column, seq) => {
    await tamper((trx) => rowAt(trx, seq).update({ [column]: column === 'id' ? newId() : changes[column] }));

    const found = await audit.verifyAny(org_id);

    expect(found).toMatchObject({ status: 'broken', broken_at_seq: seq });
    expect(found.checked).toBeLessThanOrEqual(seq);
  });

  test('a different spelling of the same detail is detected', async () => {
    await tamper((trx) => rowAt(trx, 5).update({ detail: '{ "slug":"row-5"}' }));

    expect(await audit.verifyAny(org_id)).toMatchObject({ broken_at_seq: 5, reason: 'hash_mismatch', checked: 5 });
  });
});

describe('every change of the order is detected', () => {
  const copied = ['actor_email', 'action', 'detail', 'created_at', 'prev_hash', 'hash'];
  const columns = copied.join(', ');

  test.each([
    ['the first row deleted', 1],
    ['a row in the middle deleted', 5],
  ])('%s', async (_, seq) => {
    await tamper((trx) => rowAt(trx, seq).delete());

    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'broken', broken_at_seq: seq, reason: 'seq_gap' });
  });

  test('two swapped rows are detected', async () => {
    await tamper((trx) => trx.raw('update audit_log set seq = 9 - seq where org_id = ? and seq in (4, 5)', [org_id]));

    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'broken', broken_at_seq: 4 });
  });

  test('an inserted forged row is detected', async () => {
    await tamper(async (trx) => {
      await trx.raw('update audit_log set seq = seq + 1 where org_id = ? and seq >= 5', [org_id]);
      await trx.raw(
        `insert into audit_log (id, org_id, seq, ${columns})
         select gen_random_uuid(), org_id, 5, ${columns} from audit_log where org_id = ? and seq = 4`,
        [org_id],
      );
    });

    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'broken', broken_at_seq: 5 });
  });

  test('a row moved to another organization is detected', async () => {
    const target = await makeBareOrg(database.admin_db);
    await tamper((trx) => rowAt(trx, 1).update({ org_id: target }));

    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'broken', broken_at_seq: 1 });
    expect(await audit.verifyAny(target)).toMatchObject({ status: 'broken', broken_at_seq: 1 });
  });

  test('a duplicated row is detected', async () => {
    await tamper((trx) =>
      trx.raw(
        `insert into audit_log (id, org_id, seq, ${columns})
         select gen_random_uuid(), org_id, seq, ${columns} from audit_log where org_id = ? and seq = 5`,
        [org_id],
      ),
    );

    const found = await audit.verifyAny(org_id);

    expect(found.status).toBe('broken');
    // Which of the duplicates comes first is undefined.
    expect([5, 6]).toContain(found.broken_at_seq);
  });

  test('a row appended without audit_append is detected', async () => {
    await tamper((trx) =>
      trx('audit_heads')
        .where({ org_id })
        .update({ seq: ROWS - 1, hash: 'a' }),
    );

    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'broken', broken_at_seq: ROWS, reason: 'seq_gap' });
  });

  test('a truncated chain is detected although the remaining rows are intact', async () => {
    await tamper((trx) => rowAt(trx, ROWS).delete());

    expect(await audit.verifyAny(org_id)).toMatchObject({
      status: 'broken',
      checked: ROWS - 1,
      broken_at_seq: ROWS,
      reason: 'seq_gap',
    });
  });

  test('the deletion of all rows is detected', async () => {
    await tamper((trx) => trx('audit_log').where({ org_id }).delete());

    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'broken', checked: 0, broken_at_seq: 1 });
  });

  test.each([
    ['a tail', ROWS],
    ['all rows', 1],
  ])('%s truncated together with its head is detected by expected_min_seq', async (_, from) => {
    await tamper(async (trx) => {
      await trx('audit_log').where({ org_id }).where('seq', '>=', from).delete();
      const last = await rowAt(trx, from - 1).first('hash');
      await trx('audit_heads')
        .where({ org_id })
        .update({ seq: from - 1, hash: last?.hash ?? null });
    });

    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'ok', head_seq: from - 1 });
    await expect(audit.verifyAny(org_id, ROWS)).rejects.toMatchObject({
      status: 409,
      error_class: 'chain_head_below_anchor',
      extra: {
        reason: `head_seq ${from - 1} is below expected_min_seq ${ROWS}`,
        body: { head_seq: from - 1, expected_min_seq: ROWS },
      },
    });
  });
});

test('a chain that reaches expected_min_seq gets the usual response', async () => {
  expect(await audit.verifyAny(org_id, ROWS)).toMatchObject({ status: 'ok', head_seq: ROWS });
});

test('rows appended during a verification cause no false alarm', async () => {
  const writer = makeAudit(database);
  await database.platform_db.raw(
    `select count(*) from audit_append(
       array(select gen_random_uuid() from generate_series(1, 6000)), array_fill(?::uuid, array[6000]),
       array_fill(''::text, array[6000]), array_fill('org.created'::text, array[6000]),
       array_fill('{}'::text, array[6000]), array_fill(now(), array[6000]))`,
    [org_id],
  );
  let going = true;
  const writing = (async () => {
    while (going) await Promise.all([1, 2, 3].map((n) => writer.record(someEvent(org_id, `more-${n}`))));
  })();

  const found = [];
  for (let n = 0; n < 6; n++) found.push(await audit.verifyAny(org_id));
  going = false;
  await writing;

  expect(new Set(found.map((one) => one.status))).toEqual(new Set(['ok']));
  expect(found.at(-1)?.head_seq).toBeGreaterThan(found[0]?.head_seq ?? 0);
  await writer.end();
});

test('an organization that does not exist has no chain', async () => {
  await expect(audit.verifyAny(newId())).rejects.toMatchObject({ status: 404 });
});

describe('the verification limit of an organization', () => {
  test('ten verifications an hour are allowed, including those that end with 409', async () => {
    const begun = now;
    for (let n = 0; n < 10; n++) {
      now = new Date(begun.getTime() + n * 60_000);
      const asked = audit.verifyOrg(org_id, n % 2 === 0 ? 0 : 1_000);
      if (n % 2 === 0) expect(await asked).toMatchObject({ status: 'ok' });
      else await expect(asked).rejects.toMatchObject({ status: 409 });
    }
    now = new Date(begun.getTime() + 10 * 60_000);

    await expect(audit.verifyOrg(org_id)).rejects.toMatchObject({
      status: 429,
      error_class: 'verify_rate_limited',
      extra: { retry_after: 50 * 60 },
    });
    expect(await audit.verifyOrg(await makeBareOrg(database.admin_db))).toMatchObject({ status: 'ok' });
    expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'ok' });
    now = new Date(begun.getTime() + HOUR_MS);
    expect(await audit.verifyOrg(org_id)).toMatchObject({ status: 'ok' });
  });

  test('ten of twenty concurrent verifications are allowed', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => audit.verifyOrg(org_id)));

    expect(asked.filter((one) => one.status === 'fulfilled')).toHaveLength(10);
  });

  test('verifications older than an hour are deleted', async () => {
    await audit.verifyOrg(org_id);
    const count = async () => (await database.admin_db('audit_verifications').where({ org_id })).length;

    await audit.deleteOldCounts();
    expect(await count()).toBe(1);
    now = new Date(now.getTime() + HOUR_MS + 1);
    await audit.deleteOldCounts();
    expect(await count()).toBe(0);
  });
});

describe('audit anchors', () => {
  test('anchors contain the head of every chain, in blob storage and in the log', async () => {
    await audit.writeAnchors();

    const [[key, bytes] = ['', new Uint8Array()]] = [...audit.blobs].slice(-1);
    const anchor = JSON.parse(Buffer.from(bytes).toString());
    const { head_hash } = await audit.verifyAny(org_id);
    expect(key).toBe(`audit-anchors/${now.toISOString().replaceAll(':', '-')}.json`);
    expect(anchor.taken_at).toBe(now.toISOString());
    expect(anchor.heads).toContainEqual({ org_id, head_seq: ROWS, head_hash });
    expect(audit.lines()).toContainEqual(
      expect.objectContaining({ msg: 'audit chain heads', key, chain_count: anchor.heads.length }),
    );
  });

  test('a chain that does not end at its head is reported', async () => {
    await tamper((trx) => rowAt(trx, ROWS).delete());

    await audit.writeAnchors();

    expect(audit.lines()).toContainEqual(expect.objectContaining({ level: 'error', org_id, head_seq: ROWS }));
  });
});
