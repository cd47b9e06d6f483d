/**
 * `npm run check:packs [-- <node>…]`: builds the same Compliance Pack with this version of Node and the given ones, in three
 * time zones and two locales, and compares the bytes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { createLogger } from '../../server/log.ts';

const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York'];
const LOCALES = ['de_DE.UTF-8', 'tr_TR.UTF-8'];
const SCRIPT = fileURLToPath(new URL('./pack-build.js', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'dpa-check-packs-'));
const database = await openEmbeddedDatabase({ data_dir: folder, log: createLogger({ log_level: 'error' }) });
try {
  const org_id = await insertEvidence(database.owner_url);
  const found = new Map<string, string>();
  for (const node of [process.execPath, ...process.argv.slice(2)]) {
    for (const locale of LOCALES) {
      for (const [place, sha256] of buildWith(node, locale, org_id).entries()) {
        found.set(sha256, `${node}, ${locale}, ${ZONES[place]}`);
      }
    }
  }
  if (found.size !== 1) throw new Error(`packs of the same data differ: ${JSON.stringify([...found])}`);
  console.log(`packs are equal: ${[...found.keys()]} on ${process.argv.length - 1} versions of Node`);
} finally {
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}

/** @returns the SHA-256 of the pack in each time zone */
function buildWith(node: string, locale: string, org_id: string): string[] {
  const env = { ...process.env, LC_ALL: locale, LANG: locale };
  const { status, stdout, stderr } = spawnSync(node, [SCRIPT, database.url, org_id, ...ZONES], {
    env,
    encoding: 'utf8',
  });
  const hashes = stdout.trim().split('\n');
  if (status !== 0 || hashes.length !== ZONES.length) throw new Error(`${node} has built no packs: ${stderr}`);
  return hashes;
}

async function insertEvidence(owner_url: string): Promise<string> {
  const owner = new Client({ connectionString: owner_url });
  await owner.connect();
  const id = newId();
  try {
    for (const table of ['orgs', 'scan_runs']) await owner.query(`alter table ${table} no force row level security`);
    await owner.query(
      `insert into orgs (id, slug, display_name, plan, noise_key_ct)
       values ($1::uuid, 'acme', 'Ağaç & Größe ıİ', 'enterprise', '\\x00')`,
      [id],
    );
    await owner.query(
      `insert into scan_runs (id, org_id, kind, scan_type, commit_sha, pr_number, status, created_at, finished_at)
       select md5(n::text)::uuid, $1, 'analysis', 'webhook', md5(n::text), n, 'error',
         timestamptz '2026-01-01 00:00Z' + n * interval '1 hour', timestamptz '2026-01-01 00:00Z' + n * interval '1 hour'
       from generate_series(1, 500) n`,
      [id],
    );
  } finally {
    await owner.end();
  }
  return id;
}
