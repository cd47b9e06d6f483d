import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditChainRow } from '../../engine/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { aChain, ORG } from '../engine/audit/builders.ts';
import { VECTORS } from '../engine/audit/vectors.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { runCli } from './run.ts';

const readDoc = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

describe('docs/dump_audit_log.sql', () => {
  // The database writes the file itself, and it may run as another user.
  const folder = mkdtempSync(join(tmpdir(), 'dpa-audit-dump-'));
  const path = join(folder, 'dump.ndjson');
  let database: TestDatabase;

  beforeAll(async () => {
    chmodSync(folder, 0o777);
    database = await openTestDatabase();
  });

  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  test('writes rows that verify, whatever text they contain', async () => {
    const statement = readDoc('dump_audit_log.sql').replace('to stdout', `to '${path}'`);

    await database.admin(`${buildScratchTable([...aChain(ORG, 40), ...aChain(null, 3)])} ${statement}`);

    expect(await runCli(['audit', 'verify', path])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('chains: 2, rows: 43, all intact'),
    });
  });
});

test('dpa audit dump prints the log of the service, and dpa audit verify accepts it', async () => {
  const database = await openTestDatabase();
  const ids = Array.from({ length: 2_500 }, () => newId());
  await database.platform_db.raw(
    `select count(*) from audit_append(?::uuid[], array_fill(null::uuid, array[2500]), array_fill('zoë@example.com'::text,
       array[2500]), array_fill('domain.added'::text, array[2500]), array_fill('{"domain":"a\\"b"}'::text, array[2500]),
       array_fill(now()::timestamptz, array[2500]), 1000, null)`,
    [ids],
  );

  const dump = await runCli(['audit', 'dump'], { env: { DATABASE_URL: database.url, LOG_LEVEL: 'warn' } });
  const verdict = await runCli(['audit', 'verify', '-'], { input: dump.stdout });

  expect(dump).toMatchObject({ code: 0, stderr: '2500 rows\n' });
  expect(verdict).toMatchObject({ code: 0, stdout: expect.stringContaining('chains: 1, rows: 2500, all intact') });
  await database.close();
});

/** A table with the columns of the log, without its triggers and constraints. */
function buildScratchTable(rows: AuditChainRow[]): string {
  const json = JSON.stringify(rows).replaceAll("'", "''");
  return `
    create temporary table audit_log (
      id uuid, org_id uuid, seq bigint, actor_email text, action text, detail json, created_at timestamptz(3),
      prev_hash text, hash text, canon_version smallint default 1
    );
    insert into audit_log
      select id, org_id, seq, actor_email, action, detail::json, created_at, prev_hash, hash
      from json_to_recordset('${json}') as row (
        id uuid, org_id uuid, seq bigint, actor_email text, action text, detail text, created_at timestamptz,
        prev_hash text, hash text
      );`;
}

test.each(VECTORS)('docs/audit-log.md contains the frozen text and hash of $name', ({ row, text, bytes }) => {
  const page = readDoc('audit-log.md');

  expect(page).toContain(`\n${text}\n`);
  expect(page).toContain(`, ${bytes} bytes, \`${row.hash}\``);
});
