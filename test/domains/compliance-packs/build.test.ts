import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fromBufferPromise } from 'yauzl';
import type { Principal } from '../../../server/lib/principal.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { HOSTILE, insertEvidence, PERIOD } from './evidence.ts';
import { startPacksProcess } from './process.ts';
import { computeTables } from './summary-numbers.ts';

const CHILD = 'test/domains/compliance-packs/build-child.ts';
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
      tree_root_hex: sha256(Buffer.from(`00${head.hash}`, 'hex')),
      status: 'ok',
      checked: 1,
      canonical_version: 'v1',
    });
    expect(text('AUDIT_LOG_VERIFY.md')).toContain(`--expect ${org_id}=1:${head.hash}`);
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

describe('a changed pack', () => {
  test('does not match its manifest or its checksum, whichever byte of a file was changed', async () => {
    const manifest = new Map(
      text('MANIFEST.txt')
        .split('\n')
        .map((line) => [line.slice(66), line.slice(0, 64)]),
    );
    const checksum = sha256(zip);
    const missed: number[] = [];
    const step = Math.max(1, Math.floor(zip.length / 300));
    for (let place = 0; place < zip.length; place += step) {
      const changed = Buffer.from(zip);
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
      if (sha256(changed) === checksum) missed.push(place);
    }
    for (const [name, bytes] of files) {
      if (name === 'MANIFEST.txt') continue;
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
      if (sha256(changed) === manifest.get(name)) missed.push(-1);
    }

    expect(missed).toEqual([]);
  });
});

describe('a worker that is killed while it builds', () => {
  test('leaves a pack that cannot be downloaded, and that the next attempt finishes', async () => {
    const blob_root = join(folder, 'killed');
    await mkdir(blob_root);
    const other = startPacksProcess({ url: database.url, blob_root, now: () => clock });
    let clock = new Date();
    try {
      for (const kill_at of ['open findings.csv', 'finish', 'put', 'read back']) {
        await database.admin_db('audit_export_requests').delete();
        const pack = { org_id, id: (await request()).id };
        expect(await runToKill({ url: database.url, blob_root, pack, zones: ['UTC'], kill_at })).toBe('SIGKILL');

        const after_kill = await other.requests.get(org_id, pack.id);
        expect(after_kill).toMatchObject({ status: 'running', artifact_key: null, artifact_sha256: null });
        clock = new Date(Date.now() + 16 * 60_000);
        await other.maintenance.reconcile();
        await other.run(pack, NO_SIGNAL);
        const { status, artifact_key, artifact_sha256 } = await other.requests.get(org_id, pack.id);
        expect(status).toBe('done');
        await assertWhole(other, artifact_key, artifact_sha256);
      }
      clock = new Date(Date.now() + 2 * 3_600_000);
      await other.maintenance.deleteLeftovers();
      expect(await countObjects(other)).toBe(4);
    } finally {
      await other.close();
    }
  });

  async function assertWhole(from: typeof packs, key: string | null, expected: string | null): Promise<void> {
    expect(sha256((await from.blobs.get(key ?? 'none')) ?? Buffer.alloc(0))).toBe(expected);
  }
});

function startChild(task: object, env: Record<string, string> = {}) {
  const argument = Buffer.from(JSON.stringify(task)).toString('base64');
  return spawn(process.execPath, ['--import', 'tsx', CHILD, argument], { env: { ...process.env, ...env } });
}

async function runChild(task: object, env: Record<string, string>) {
  const child = startChild(task, env);
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
function runToKill(task: object): Promise<unknown> {
  const child = startChild(task);
  return new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)));
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
