import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { dumpAuditLog } from '../../../server/domains/audit/index.ts';
import { newId } from '../../../server/lib/ids.ts';
import { runCli } from '../../cli/run.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeAudit, type TestAudit } from './chains.ts';

/** The first, a middle and the last row of every chain. */
const ROWS = [1, 2, 3] as const;
const DETAIL = '{"name":"café","rules":[1,2],"size":7}';
const VERIFIER = fileURLToPath(new URL('../../../docs/verify_audit_log.py', import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** By column, the SQL of each new value that a superuser can write after removing constraints and triggers. */
const EDITS: Record<string, readonly string[]> = {
  id: ['gen_random_uuid()', 'null'],
  org_id: ["'3f1c2b9e-6a54-4f0e-9d0b-0c8a5b7e1d11'", 'null'],
  seq: ['seq + 100', '9223372036854775807', 'null'],
  actor_email: [
    "'eve@example.com'",
    "''",
    'null',
    "'null'",
    "actor_email || ' '",
    "' ' || actor_email",
    'upper(actor_email)',
    "'NaN'",
    "replace(actor_email, 'a', 'а')", // CYRILLIC SMALL LETTER A
    'normalize(actor_email, NFD)',
    "actor_email || U&'\\200B'",
  ],
  action: ["'org.updated'", "''", 'null', "action || ' '", 'action || chr(10)', "replace(action, 'o', 'о')"],
  detail: [
    `'{"name":"café","rules":[1,2],"size":8}'`,
    `'{"size":7,"name":"café","rules":[1,2]}'`,
    `'{"name":"café","rules":[2,1],"size":7}'`,
    `'{"name":"café","rules":[1,2],"size":7,"size":7}'`,
    `'{"name":"café","name":"café","rules":[1,2],"size":7}'`,
    `'{"name":"café","rules":[1,2],"size":7.0}'`,
    `'{"name":"café","rules":[1,2],"size":7e0}'`,
    `'{"name":"café","rules":[1,2],"size":"7"}'`,
    `'{"name":"caf\\u00e9","rules":[1,2],"size":7}'`,
    `'{"name":"cafe\u0301","rules":[1,2],"size":7}'`,
    `'{"name":"café","rules":[1,2],"size":1e400}'`,
    `'{"name":"\\ud800"}'`,
    `'{"name":"\\u0000"}'`,
    `'{"__proto__":{"a":1}}'`,
    'detail::jsonb::json',
    "(detail::text || ' ')::json",
    `'{}'`,
    `'[]'`,
    `'null'`,
    `'"NaN"'`,
    `(repeat('[', 6000) || repeat(']', 6000))::json`,
    `(repeat('{"a":', 5000) || '1' || repeat('}', 5000))::json`,
    'null',
  ],
  created_at: [
    "created_at + interval '1 millisecond'",
    "created_at + interval '1 microsecond'",
    "created_at - interval '1 microsecond'",
    "created_at + interval '1 hour'",
    "(to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') || '+00 BC')::timestamptz",
    "created_at + interval '10000 years'",
    "'4713-01-01 00:00:00+00 BC'",
    "'0001-12-31 23:59:59.999+00 BC'",
    "'294276-12-31 23:59:59.999999+00'",
    "'10000-01-01 00:00:00+00'",
    "'infinity'",
    "'-infinity'",
    "'epoch'",
    'null',
  ],
  prev_hash: ["repeat('f', 64)", "''", 'null', 'upper(prev_hash)', "prev_hash || ' '"],
  hash: ["repeat('0', 64)", "''", 'null', 'upper(hash)', "hash || ' '"],
  canon_version: ['0', '-1', 'null'],
};

interface Case {
  what: string;
  org_id: string;
  seq: number;
  edit: string;
}

const cases: Case[] = Object.entries(EDITS)
  .flatMap(([column, values]) =>
    values.flatMap((value) =>
      ROWS.map((seq) => ({
        what: `${column} of row ${seq} := ${value}`,
        org_id: newId(),
        seq,
        edit: `update audit_log set ${column} = ${value} where org_id = ? and seq = ${seq}`,
      })),
    ),
  )
  .filter(
    ({ what }) =>
      what !== 'prev_hash of row 1 := null' &&
      what !== 'prev_hash of row 1 := upper(prev_hash)' &&
      what !== "prev_hash of row 1 := prev_hash || ' '",
  );

const moves: Case[] = (
  [
    ['two rows swapped', 2, 'update audit_log set seq = 5 - seq where org_id = ? and seq in (2, 3)'],
    ['the first row deleted', 1, 'delete from audit_log where org_id = ? and seq = 1'],
    ['a row in the middle deleted', 2, 'delete from audit_log where org_id = ? and seq = 2'],
    [
      'a row duplicated',
      3,
      `insert into audit_log select gen_random_uuid(), org_id, seq, actor_email, action, detail, created_at, prev_hash,
         hash, canon_version from audit_log where org_id = ? and seq = 2`,
    ],
    ['the chain truncated', 3, 'delete from audit_log where org_id = ? and seq = 3'],
    ['the last row renumbered below the first', 1, 'update audit_log set seq = -1 where org_id = ? and seq = 3'],
    ['every row deleted', 1, 'delete from audit_log where org_id = ?'],
  ] as const
).map(([what, seq, edit]) => ({ what, org_id: newId(), seq, edit }));

/** The same values in another form: nothing that is hashed changes. */
const harmless: Case[] = [
  "created_at = (to_char(created_at at time zone '+14', 'YYYY-MM-DD HH24:MI:SS.MS') || '-14')::timestamptz",
  "created_at = (to_char(created_at at time zone '-14', 'YYYY-MM-DD HH24:MI:SS.MS') || '+14')::timestamptz",
  'id = upper(id::text)::uuid',
  `actor_email = normalize(actor_email, NFC)`,
  'detail = detail::text::json',
].map((edit) => ({
  what: edit,
  org_id: newId(),
  seq: 0,
  edit: `update audit_log set ${edit} where org_id = ?`,
}));

let database: TestDatabase;
let audit: TestAudit;
let dump = '';
const folder = mkdtempSync(join(tmpdir(), 'dpa-tampering-'));
const dumpPath = join(folder, 'dump.ndjson');
const anchorsPath = join(folder, 'anchors.json');

beforeAll(async () => {
  database = await openTestDatabase();
  audit = makeAudit(database);
  await makeChains([...cases, ...moves, ...harmless].map(({ org_id }) => org_id));
  await audit.writeAnchors();
  const [anchors = new Uint8Array()] = audit.blobs.values();
  writeFileSync(anchorsPath, anchors);
  await dropGuards();
  await database.admin_db.transaction(async (trx) => {
    for (const { edit, org_id } of [...cases, ...moves, ...harmless]) await trx.raw(edit, [org_id]);
  });
  await dumpAuditLog(database.platform_db, async (lines) => {
    dump += lines;
  });
  writeFileSync(dumpPath, dump);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await audit.end();
  await database.close();
});

async function makeChains(org_ids: string[]): Promise<void> {
  const { admin_db } = database;
  await admin_db.raw(
    `insert into orgs (id, slug, display_name, noise_key_ct)
     select id, 'org-' || right(id::text, 12), 'x', '\\x00' from unnest(?::uuid[]) id`,
    [org_ids],
  );
  for (const _seq of ROWS) {
    await database.platform_db.raw(
      `select count(*) from audit_append(array(select gen_random_uuid() from unnest(?::uuid[])), ?::uuid[],
         array_fill(?::text, array[?::int]), array_fill('custom_rule.created'::text, array[?::int]),
         array_fill(?::text, array[?::int]), array_fill('2026-02-03T04:05:06.789Z'::timestamptz, array[?::int]))`,
      [
        org_ids,
        org_ids,
        'zoë@example.com',
        org_ids.length,
        org_ids.length,
        DETAIL,
        org_ids.length,
        org_ids.length,
      ] as Knex.RawBinding[],
    );
  }
}

/** The constraints and triggers that protect the log. */
async function dropGuards(): Promise<void> {
  await database.admin(`
    drop trigger audit_log_is_final on audit_log;
    alter table audit_log drop constraint audit_log_pkey, drop constraint audit_log_org_id_seq_key,
      drop constraint audit_log_seq_check, drop constraint audit_log_detail_check,
      drop constraint audit_log_canon_version_check, drop constraint audit_log_created_at_check,
      alter id drop not null, alter seq drop not null, alter actor_email drop not null, alter action drop not null,
      alter detail drop not null, alter created_at drop not null, alter hash drop not null,
      alter canon_version drop not null, alter created_at type timestamptz(6)`);
}

/** The lines of an output that name a chain, by its organization; each organization is in one line. */
function verdicts(output: string): Map<string, string> {
  return new Map(output.split('\n').map((line) => [line.slice(8, 44).trim(), line] as const));
}

describe('every edit by a superuser', () => {
  test('the API reports the position of the edit', async () => {
    const found = await Promise.all(
      cases.map(async ({ what, org_id, seq }) => {
        const { status, broken_at_seq } = await audit.verifyAny(org_id);
        return { what, status, at: broken_at_seq === seq };
      }),
    );

    expect(found).toEqual(cases.map(({ what }) => ({ what, status: 'broken', at: true })));
  });

  test('dpa audit verify and the Python verifier report the same position', async () => {
    const ours = await runCli(['audit', 'verify', dumpPath, '--anchors', anchorsPath]);

    expect(ours).toMatchObject({ code: 2, stderr: '' });
    const lines = verdicts(ours.stdout);
    for (const { org_id, seq } of [...cases, ...moves])
      expect(lines.get(org_id)).toMatch(new RegExp(`^broken  ${org_id}  at seq ${seq}: `));
    for (const { org_id } of harmless) expect(lines.get(org_id)).toMatch(/^ok .*, anchored at seq 3$/);
    if (!hasPython) return;
    const theirs = spawnSync('python3', ['-I', VERIFIER, dumpPath, '--anchors', anchorsPath], { encoding: 'utf8' });
    expect({ code: theirs.status, stdout: theirs.stdout }).toEqual({ code: ours.code, stdout: ours.stdout });
  });

  test('edited rows are still listed as valid entries', async () => {
    const shown = [];
    for (let offset = 0; ; offset += 200) {
      const { entries } = await audit.list({}, { limit: 200, offset });
      shown.push(...entries);
      if (entries.length === 0) break;
    }

    expect(shown.length).toBeGreaterThan(3 * cases.length - 200);
    for (const { id, created_at, detail, action, actor_email } of shown) {
      expect([typeof id, typeof action, typeof actor_email]).toEqual(['string', 'string', 'string']);
      expect(created_at.toISOString()).toMatch(/^\d{4}-/);
      expect(JSON.parse(JSON.stringify(detail))).toEqual(expect.any(Object));
    }
  });
});

test.each(moves)('the API detects $what', async ({ org_id, seq }) => {
  expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'broken', broken_at_seq: seq });
});

test.each(harmless)('the API accepts the change $what', async ({ org_id }) => {
  expect(await audit.verifyAny(org_id)).toMatchObject({ status: 'ok', head_seq: 3 });
});

test('a row of an unknown canonical form is reported, not verified', async () => {
  const [line = ''] = dump.split('\n').filter((one) => one.includes(harmless[0]?.org_id ?? ''));
  const input = JSON.stringify({ ...JSON.parse(line), canon_version: 2 });

  expect(await runCli(['audit', 'verify', '-'], { input })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('line 1: canon_version is 2'),
  });
  await database.admin_db('audit_log').where({ org_id: harmless[0]?.org_id, seq: 3 }).update({ canon_version: 2 });
  expect(await audit.verifyAny(harmless[0]?.org_id ?? '')).toMatchObject({ status: 'broken', broken_at_seq: 3 });
});
