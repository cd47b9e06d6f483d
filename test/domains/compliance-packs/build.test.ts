import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fromBufferPromise } from 'yauzl';
import { auditDetailText } from '../../../engine/index.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { HOSTILE, insertEvidence, PERIOD } from './evidence.ts';
import { startPacksProcess } from './process.ts';
import { computeTables } from './summary-numbers.ts';

const CHILD = 'test/domains/compliance-packs/build-child.ts';
const STUCK_CHILD = 'test/domains/compliance-packs/stuck-child.ts';
const RULE_ID = '019b7a10-0000-7000-8000-0000000000a1';
const IGNORE_RULE_ID = '019b7a10-0000-7000-8000-0000000000a2';
const NO_SIGNAL = new AbortController().signal;

let database: TestDatabase;
let folder: string;
let packs: ReturnType<typeof startPacksProcess>;
let user: Principal;
let org_id: string;
let pack_id: string;
let zip: Buffer;
let files: Map<string, Buffer>;

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'packs-test-'));
  packs = startPacksProcess({ url: database.url, blob_root: join(folder, 'blobs') });
  user = await makeUser(database.admin_db, 'ana@example.com');
  org_id = await makeOrg(database.admin_db, { owner: user, plan: 'enterprise' });
  await insertEvidence(database.admin_db, org_id, user);
  await database.platform_db.raw(
    `select audit_append(array[gen_random_uuid()], array[?::uuid], array['ana@example.com'], array['org.created'],
       array['{}'], array[now()])`,
    [org_id],
  );
  await appendDecisions();
  pack_id = (await request()).id;
  await packs.run({ org_id, id: pack_id }, NO_SIGNAL);
  expect([packs.warnings, packs.ended]).toEqual([[], [pack_id]]);
  const { artifact_key } = await packs.requests.get(org_id, pack_id);
  zip = (await packs.blobs.get(artifact_key ?? 'none')) ?? Buffer.alloc(0);
  files = await unzip(zip);
});

afterAll(async () => {
  await packs.close();
  await database.close();
  await rm(folder, { recursive: true });
});

/** Entries of the audit log before, in and after the period. */
async function appendDecisions(): Promise<void> {
  const entries: [created_at: string, actor_email: string, action: string, detail: object][] = [
    ['2025-12-20T00:00:00Z', 'ana@example.com', 'custom_rule.created', { name: 'No public buckets', rule_id: RULE_ID }],
    ['2026-01-03T00:00:00Z', 'bo@example.com', 'custom_rule.deleted', { rule_id: RULE_ID }],
    ['2026-01-03T00:00:00Z', 'ana@example.com', 'plan_noise.suppressed', { suppression_ids: ['s-1', 's-2'] }],
    ['2026-01-03T01:00:00Z', 'cy@example.com', 'drift_ignore_rule.created', { rule_id: IGNORE_RULE_ID }],
    ['2026-01-04T00:00:00Z', 'bo@example.com', 'drift_ignore_rule.deleted', { rule_id: IGNORE_RULE_ID }],
    ['2026-01-05T00:00:00Z', 'ana@example.com', 'policy.updated', { rule_count: 1, version: 2 }],
    ['2026-02-01T00:00:00Z', 'ana@example.com', 'custom_rule.updated', { rule_id: RULE_ID }],
  ];
  for (const [created_at, actor_email, action, detail] of entries) {
    await database.platform_db.raw(
      `select audit_append(array[gen_random_uuid()], array[?::uuid], array[?], array[?], array[?], array[?::timestamptz])`,
      [org_id, actor_email, action, auditDetailText(detail), created_at],
    );
  }
  await database.admin_db('drift_items').where({ org_id, suppressed: true }).update({ ignore_rule_id: IGNORE_RULE_ID });
}

const request = () =>
  packs.requests.create(
    user,
    org_id,
    { period_start: PERIOD.period_start.toISOString(), period_end: PERIOD.period_end.toISOString() },
    async () => {},
  );

/** The files of a ZIP, in its order. */
async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const archive = await fromBufferPromise(bytes, { lazyEntries: true });
  const found = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    found.set(entry.fileName, await collect(await archive.openReadStreamPromise(entry)));
  }
  return found;
}

const text = (name: string) => files.get(name)?.toString() ?? '';
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const json = (name: string) => JSON.parse(text(name));

describe('the files of a pack', () => {
  test('are those of the specification, in the order of their names', () => {
    expect([...files.keys()]).toEqual([
      'AUDIT_LOG_VERIFY.md',
      'MANIFEST.txt',
      'chain-attestation.json',
      'coverage_monthly.csv',
      'custom_rules.csv',
      'data.json',
      'findings.csv',
      'remediation_sla.csv',
      'scans.csv',
      'state_sources.csv',
      'summary.pdf',
    ]);
  });

  test('match a manifest that lists every other file', () => {
    const expected = [...files]
      .filter(([name]) => name !== 'MANIFEST.txt')
      .map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`);

    expect(text('MANIFEST.txt')).toBe(expected.join(''));
  });

  test('pass the check of coreutils', async () => {
    const unpacked = await mkdtemp(join(folder, 'unpacked-'));
    for (const [name, bytes] of files) await writeFile(join(unpacked, name), bytes);

    const { status, stdout } = spawnSync('sha256sum', ['--check', '--strict', 'MANIFEST.txt'], { cwd: unpacked });

    expect([status, stdout.toString().match(/: OK/g)?.length]).toEqual([0, files.size - 1]);
  });

  test('contain no encrypted configuration and no row of the audit log', () => {
    const all = [...files.values()].map((bytes) => bytes.toString('latin1')).join('\n');

    expect(all).not.toContain('config-canary');
    expect(all).not.toContain('org.created');
  });

  test('attest the end of the audit log', async () => {
    const head = await database.admin_db('audit_heads').where({ org_id }).first('seq', 'hash');

    expect(json('chain-attestation.json')).toMatchObject({
      org_id,
      head_seq: Number(head.seq),
      head_hash_hex: head.hash,
      tree_root_hex: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: 'ok',
      checked: Number(head.seq),
      canonical_version: 'v1',
    });
    expect(text('AUDIT_LOG_VERIFY.md')).toContain(`--expect ${org_id}=${head.seq}:${head.hash}`);
  });

  test('have the date of the end of the period', () => {
    // MS-DOS format: 2026-02-01, 00:00.
    expect(zip.readUInt32LE(10)).toBe(((46 << 25) | (2 << 21) | (1 << 16)) >>> 0);
  });
});

describe('the evidence', () => {
  test('has a finding from its first detection to the first comparison without it', () => {
    const findings = json('data.json').findings.map((one: Record<string, unknown>) => [
      one['resource_address'],
      one['status'],
      one['first_detected_at'],
      one['resolved_at'],
      one['rule_ids'],
    ]);

    const rules = ['R-A', 'R-B'];
    const first = '2026-01-02T00:00:00.000Z';
    const later = '2026-01-03T06:00:00.000Z';
    expect(findings.sort()).toEqual([
      ['aws_s3_bucket.accepted', 'suppressed', later, null, rules],
      ['aws_s3_bucket.fixed', 'resolved', first, later, rules],
      ['aws_s3_bucket.late', 'resolved', first, '2026-01-20T00:00:00.000Z', rules],
      ['aws_s3_bucket.open', 'open', first, null, rules],
    ]);
  });

  test('counts how fast findings were resolved', () => {
    expect(text('remediation_sla.csv').split('\r\n')).toEqual([
      'risk_level,target_days,opened,resolved,resolved_in_target,breached,open_breached,median_hours',
      'critical,1,1,1,0,1,0,30',
      'high,7,1,1,0,1,0,432',
      'medium,30,1,0,0,0,0,',
      'low,90,0,0,0,0,0,',
      '',
    ]);
  });

  test('has the coverage of each account and month', () => {
    const [row] = json('data.json').coverage_monthly;

    expect(json('data.json').coverage_monthly).toHaveLength(1);
    expect(row).toMatchObject({
      month: '2026-01',
      snapshots: 3,
      avg_coverage_pct: 84.2,
      min_coverage_pct: 80,
      last_coverage_pct: 90,
      undeclared_count: 2,
    });
  });

  test('has only the scans of the period', () => {
    expect(json('data.json').scans.map((one: Record<string, unknown>) => one['status_kind'])).toEqual([
      'ok',
      'ok',
      'failed',
      'ok',
    ]);
  });

  test('names who made decisions', () => {
    expect(json('data.json')).toMatchObject({
      disabled_rules: [{ builtin_rule_id: 'N-1', reason: '@reviewed', disabled_by: 'ana@example.com' }],
      risk_policy_versions: [{ version: 1, rule_count: 0, updated_by: 'ana@example.com' }],
      custom_rules: [{ name: HOSTILE.slice(0, 60), created_by: 'ana@example.com' }],
    });
  });

  test('names changes of rules in the period, also of rules that were deleted since', () => {
    const changes = json('data.json').rule_changes.map((one: Record<string, unknown>) => [
      one['audit_seq'],
      one['action'],
      one['changed_by'],
      one['subject_ids'],
      one['name'],
    ]);

    expect(changes).toEqual([
      [3, 'custom_rule.deleted', 'bo@example.com', [RULE_ID], 'No public buckets'],
      [4, 'plan_noise.suppressed', 'ana@example.com', ['s-1', 's-2'], null],
      [5, 'drift_ignore_rule.created', 'cy@example.com', [IGNORE_RULE_ID], null],
      [6, 'drift_ignore_rule.deleted', 'bo@example.com', [IGNORE_RULE_ID], null],
      [7, 'policy.updated', 'ana@example.com', ['2'], null],
    ]);
  });

  test('names who accepted a finding, although the ignore rule was deleted', () => {
    const accepted = json('data.json').findings.filter(({ status }: { status: string }) => status === 'suppressed');

    expect(accepted.map((one: Record<string, unknown>) => [one['ignore_rule_id'], one['accepted_by']])).toEqual([
      [IGNORE_RULE_ID, 'cy@example.com'],
    ]);
  });

  test('has no cell that a spreadsheet runs as a formula', () => {
    expect(text('state_sources.csv')).toContain(",'-1+1,s3,");
    expect(text('custom_rules.csv')).toContain(`,"'=HYPERLINK(""http://x"",""a""),\r\n""Größe""`);
  });
});

describe('data.json', () => {
  test('matches its published schema', async () => {
    const schema = JSON.parse(await readFile('docs/compliance-pack-data.schema.json', 'utf8'));
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);

    expect([validate(json('data.json')), validate.errors]).toEqual([true, null]);
  });

  test('has the rows of every CSV file', () => {
    for (const name of ['coverage_monthly', 'findings', 'scans', 'remediation_sla', 'custom_rules', 'state_sources']) {
      const without_texts = text(`${name}.csv`).replace(/"(?:[^"]|"")*"/g, '');
      const lines = without_texts.trimEnd().split('\r\n');

      expect([name, lines.length - 1]).toEqual([name, json('data.json')[name].length]);
    }
  });
});

describe('summary.pdf', () => {
  test('has only numbers that follow from data.json and chain-attestation.json', () => {
    const [document] = packs.documents;
    const blocks = document?.blocks ?? [];
    const tables = blocks.flatMap((block) => (block.kind === 'table' ? [[block.title, block.rows] as const] : []));
    const { head_seq, head_hash_hex, checked } = json('chain-attestation.json');
    const texts = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
    const read_at = json('data.json').generated_at.slice(0, 16).replace('T', ' ');

    expect(Object.fromEntries(tables)).toEqual(computeTables(json('data.json')));
    // All texts with digits.
    expect(texts.filter((one) => /\d/.test(one))).toEqual([
      expect.stringContaining(`The data was read on ${read_at} UTC.`),
      `The audit log of the organization was intact: ${checked} entries were verified.`,
      `Last verified entry: ${head_seq}. Its hash: ${head_hash_hex}`,
    ]);
  });

  const can_read = spawnSync('pdftotext', ['-v']).status === 0;
  (can_read ? test : test.skip)('shows every number of its tables', async () => {
    await writeFile(join(folder, 'summary.pdf'), files.get('summary.pdf') ?? '');
    const { stdout } = spawnSync('pdftotext', ['-layout', join(folder, 'summary.pdf'), '-'], { encoding: 'utf8' });

    for (const rows of Object.values(computeTables(json('data.json')))) {
      for (const [name = '', ...cells] of rows) {
        const lines = stdout.split('\n').filter((line) => line.trimStart().startsWith(name.slice(0, 12)));
        const numbers = cells.filter((cell) => /^[\d,.%]+$/.test(cell)).join(' ');
        expect(lines.map((line) => (line.match(/(?<= )[\d,.%]+(?= |$)/g) ?? []).join(' '))).toContainEqual(
          expect.stringContaining(numbers),
        );
      }
    }
  });
});

describe('the same data', () => {
  test('gives the same bytes in every time zone and locale, and on every attempt', async () => {
    const zones = ['UTC', 'Asia/Tokyo', 'America/New_York'];
    const first = sha256(zip);
    const built: { offset: number; artifact_sha256: string }[] = [];
    for (const locale of ['de_DE.UTF-8', 'tr_TR.UTF-8']) {
      const task = { url: database.url, blob_root: join(folder, 'blobs'), pack: { org_id, id: pack_id }, zones };
      built.push(...(await runChild(task, { LC_ALL: locale, LANG: locale })));
    }

    expect(built.map(({ offset }) => offset)).toEqual([0, -540, 300, 0, -540, 300]);
    expect(built.map(({ artifact_sha256 }) => artifact_sha256)).toEqual(Array(6).fill(first));
  });

  test('gives other bytes after a change of the data', async () => {
    await database.admin_db('custom_rules').where({ org_id }).update({ enabled: false });
    await packs.reopen({ org_id, id: pack_id });
    await packs.run({ org_id, id: pack_id }, NO_SIGNAL);

    const { status, artifact_sha256 } = await packs.requests.get(org_id, pack_id);
    expect(status).toBe('done');
    expect(artifact_sha256).not.toBe(sha256(zip));
  });
});

// PACK_KILLS=50 for the whole run.
const KILLS = Number(process.env['PACK_KILLS'] ?? 12);
const KILLS_TIMEOUT_MS = KILLS * 30_000;
/** More builds at once need more connections than the database has. */
const KILLED_AT_ONCE = 12;

describe('a worker that is killed while it builds', () => {
  test(
    'leaves packs that cannot be downloaded, whatever the moment, and that the next attempt finishes',
    async () => {
      const blob_root = join(folder, 'killed');
      await mkdir(blob_root);
      let clock = new Date();
      let steps = 0;
      const other = startPacksProcess({
        url: database.url,
        blob_root,
        now: () => clock,
        onStep() {
          steps += 1;
        },
      });
      try {
        const whole = await requestFreely();
        await other.run({ org_id, id: whole }, NO_SIGNAL);
        const stops = Array.from({ length: KILLS }, (_, n) => 1 + Math.round((n * (steps - 1)) / (KILLS - 1)));
        for (let from = 0; from < KILLS; from += KILLED_AT_ONCE) {
          const builds = [];
          for (const stop_at of stops.slice(from, from + KILLED_AT_ONCE))
            builds.push({ id: await requestFreely(), stop_at });
          expect(await killWhenStopped({ url: database.url, blob_root, org_id, builds })).toBe('SIGKILL');

          clock = new Date(Date.now() + 16 * 60_000);
          for (const { id } of builds) await assertNothingToDownload(other, id);
          await other.maintenance.reconcile();
          for (const { id } of builds) await assertFinishes(other, id);
          clock = new Date();
        }
        clock = new Date(Date.now() + 2 * 3_600_000);
        await other.maintenance.deleteLeftovers();
        expect(await countObjects(other)).toBe(1 + KILLS);
      } finally {
        await other.close();
      }
    },
    KILLS_TIMEOUT_MS,
  );

  async function assertNothingToDownload(from: typeof packs, id: string): Promise<void> {
    const pack = await from.requests.get(org_id, id);
    expect(pack).toMatchObject({ status: 'running', artifact_key: null, artifact_sha256: null });
    await expect(from.download(user, pack)).rejects.toMatchObject({ error_class: 'export_not_ready' });
  }

  async function assertFinishes(from: typeof packs, id: string): Promise<void> {
    await from.run({ org_id, id }, NO_SIGNAL);
    const { status, artifact_key, artifact_sha256 } = await from.requests.get(org_id, id);
    expect(status).toBe('done');
    expect(sha256((await from.blobs.get(artifact_key ?? 'none')) ?? Buffer.alloc(0))).toBe(artifact_sha256);
  }

  /** Regardless of the limit. */
  async function requestFreely(): Promise<string> {
    await database.admin_db('audit_export_requests').delete();
    return (await request()).id;
  }
});

function startChild(script: string, task: object, env: Record<string, string> = {}) {
  const argument = Buffer.from(JSON.stringify(task)).toString('base64');
  return spawn(process.execPath, ['--import', 'tsx', script, argument], { env: { ...process.env, ...env } });
}

async function runChild(task: object, env: Record<string, string>) {
  const child = startChild(CHILD, task, env);
  const [stdout, stderr, code] = await Promise.all([
    collect(child.stdout),
    collect(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  if (code !== 0) throw new Error(stderr.toString());
  const lines = stdout.toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @returns the signal that ended the process */
async function killWhenStopped(task: object): Promise<unknown> {
  const child = startChild(STUCK_CHILD, task);
  const ended = new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)));
  child.stdout.once('data', () => child.kill('SIGKILL'));
  return ended;
}

async function countObjects({ blobs }: typeof packs): Promise<number> {
  let count = 0;
  for await (const _ of blobs.list('packs/')) count += 1;
  return count;
}

test('the summary of an organization without evidence is still a pack', async () => {
  const empty = await makeOrg(database.admin_db, { owner: user, plan: 'enterprise' });
  const plain = startPacksProcess({ url: database.url, blob_root: join(folder, 'blobs'), pdf: false });
  try {
    const { id } = await plain.requests.create(
      user,
      empty,
      { period_start: '2026-01-01T00:00:00Z', period_end: '2026-01-01T00:00:01Z' },
      async () => {},
    );
    await plain.run({ org_id: empty, id }, NO_SIGNAL);
    const { status, artifact_key } = await plain.requests.get(empty, id);
    const found = await unzip((await readArtifact(artifact_key)) ?? Buffer.alloc(0));

    expect(status).toBe('done');
    expect(found.has('summary.pdf')).toBe(false);
    expect(found.get('findings.csv')?.toString().split('\r\n')).toHaveLength(2);
    expect(JSON.parse(found.get('chain-attestation.json')?.toString() ?? '')).toMatchObject({
      head_seq: 0,
      head_hash_hex: '',
    });
  } finally {
    await plain.close();
  }

  async function readArtifact(key: string | null): Promise<Buffer> {
    return readFile(join(folder, 'blobs', ...(key ?? '').split('/')));
  }
});
