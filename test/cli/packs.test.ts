/** `dpa packs` and `dpa audit verify --pack`, with a pack that a service has built. */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ZipArchive } from 'archiver';
import { Command } from 'commander';
import fc from 'fast-check';
import { fromBufferPromise } from 'yauzl';
import { type ProveOptions, proveFromDump } from '../../cli/src/commands/audit-proof.ts';
import { type AuditVerifyOptions, verifyAudit } from '../../cli/src/commands/audit-verify.ts';
import { verifyPack } from '../../cli/src/commands/pack-verify.ts';
import { declarePacks } from '../../cli/src/commands/packs-arguments.ts';
import { signDevToken } from '../../server/adapters/oidc/index.ts';
import { dumpAuditLog } from '../../server/domains/audit/index.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

const signing_key = generateKeyPairSync('ed25519').privateKey;
const NAMES = ['DPA_URL', 'DPA_ORG', 'DPA_TOKEN'] as const;

let service: TestService;
let folder: string;
let org_id: string;
const printed: string[] = [];
const before = NAMES.map((name) => [name, process.env[name]] as const);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packs-cli-'));
  service = await startTestService({
    PACK_PDF: 'false',
    API_URL: 'https://dpa.example.com',
    CHECKPOINT_ORIGIN: 'dpa.example.com/audit',
    CHECKPOINT_SIGNING_KEY: signing_key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  });
  const owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  await service.admin_db('orgs').where({ id: org_id }).update({ plan: 'enterprise' });
  const who = { email: 'owner@example.com', name: 'owner' };
  const token = await signDevToken({ data_dir: service.data_dir, ...who, production: false });
  Object.assign(process.env, { DPA_URL: service.url, DPA_ORG: org_id, DPA_TOKEN: token });
});
beforeEach(() => {
  printed.length = 0;
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = undefined;
});
afterAll(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await service.close();
  await rm(folder, { recursive: true });
});

/** Runs `dpa packs` with these words, and returns what it prints. */
async function packs(...words: string[]): Promise<string> {
  printed.length = 0;
  const program = new Command('dpa').exitOverride();
  declarePacks(program);
  await program.parseAsync(['packs', ...words], { from: 'user' });
  return printed.join('');
}

async function verify(dump: string | undefined, options: Omit<AuditVerifyOptions, 'format'>) {
  printed.length = 0;
  process.exitCode = undefined;
  await verifyAudit(dump, { ...options, format: 'json' });
  return { ...JSON.parse(printed.join('')), exit_code: process.exitCode ?? 0 };
}

interface Altered {
  entry: { action: string };
  path: string[];
  tree_size: number;
}

const zip = join(tmpdir(), `dpa-pack-${process.pid}.zip`);
const path = () => join(folder, 'pack.zip');
let sha256: string;
let dump: string;

test('a pack is requested, awaited, listed and downloaded with its checksum', async () => {
  expect(await packs('list')).toBe('no Compliance Packs; run `dpa packs create` to request one\n');
  const created = await packs('create', '2026-01-01', '2026-01-08', '--wait', '--format', 'json');
  const [pack] = JSON.parse(created).packs;
  expect(pack).toMatchObject({ status: 'done', period_start: '2026-01-01T00:00:00.000Z' });

  expect(await packs('list')).toMatch(
    /^STATUS +ID +FROM +TO +REQUESTED BY +BYTES +NOTE\ndone +\S+ +2026-01-01 00:00 +2026-01-08 00:00 +owner@example.com +\d+\n$/,
  );
  expect(await packs('get', pack.id)).toContain(pack.id);
  const downloaded = JSON.parse(await packs('download', pack.id, '--output', path(), '--format', 'json'));
  sha256 = downloaded.sha256;
  expect(downloaded).toEqual({ path: path(), bytes: pack.artifact_bytes, sha256: pack.artifact_sha256 });
  await expect(packs('download', pack.id, '--output', path())).rejects.toThrow(/exists: give another name/);
});

test('a period that is no time is refused before the service is asked', async () => {
  await expect(packs('create', 'January', '2026-02-01')).rejects.toThrow('"January" is no time');
});

describe('the verification of a pack', () => {
  beforeAll(async () => {
    const lines: string[] = [];
    await dumpAuditLog(service.admin_db, async (text) => void lines.push(text));
    dump = join(folder, 'dump.ndjson');
    writeFileSync(dump, lines.join(''));
  });

  test('confirms the files, the checksum, and the entry of the log that the pack names', async () => {
    const report = await verify(dump, { pack: path(), checksum: sha256 });

    expect(report).toMatchObject({
      exit_code: 0,
      status: 'ok',
      pack: { status: 'ok', sha256, checksum_given: true, matching_files: 9, problems: [] },
    });
    const chain = report.chains.find((one: { org_id: string }) => one.org_id === org_id);
    expect(chain).toMatchObject({ status: 'ok', anchored_seq: report.pack.attestation.head_seq });
  });

  test('says as text what was not compared', async () => {
    await verifyAudit(undefined, { pack: path(), format: 'text' });

    expect(printed.join('')).toMatch(
      /^ok {6}9 files match MANIFEST\.txt\nsha256 {2}[0-9a-f]{64}, not compared with a checksum: use --checksum\nattests \S+ {2}head \d+:[0-9a-f]{64}, the log was intact, not compared with the log: give a dump of it, or use --live\n$/,
    );
  });

  test('finds that the log was rewritten or cut since', async () => {
    const lines = readFileSync(dump, 'utf8').split('\n');
    const { pack } = await verify(undefined, { pack: path() });
    const { head_seq } = pack.attestation;
    const is_head = (line: string) =>
      line !== '' && JSON.parse(line).org_id === org_id && JSON.parse(line).seq >= head_seq;
    writeFileSync(join(folder, 'cut.ndjson'), lines.filter((line) => !is_head(line)).join('\n'));
    const report = await verify(join(folder, 'cut.ndjson'), { pack: path() });

    const chain = report.chains.find((one: { org_id: string }) => one.org_id === org_id);
    expect([report.exit_code, chain.reason]).toEqual([2, 'chain_head_below_anchor']);
  });

  test('names another checksum, and refuses one that is none', async () => {
    const report = await verify(undefined, { pack: path(), checksum: '0'.repeat(64) });

    expect(report).toMatchObject({ exit_code: 2, pack: { problems: [{ problem: 'checksum_mismatch', file: null }] } });
    await expect(verify(undefined, { pack: path(), checksum: 'abc' })).rejects.toThrow('give the 64 hex digits');
  });

  test.each([
    [
      'a changed file',
      (files: Map<string, Buffer>) => void files.set('scans.csv', Buffer.from('x')),
      'file_changed',
      'scans.csv',
    ],
    ['a removed file', (files: Map<string, Buffer>) => void files.delete('scans.csv'), 'file_missing', 'scans.csv'],
    [
      'an added file',
      (files: Map<string, Buffer>) => void files.set('x.csv', Buffer.from('x')),
      'file_not_listed',
      'x.csv',
    ],
    [
      'no manifest',
      (files: Map<string, Buffer>) => void files.delete('MANIFEST.txt'),
      'manifest_invalid',
      'MANIFEST.txt',
    ],
    [
      'a changed attestation',
      (files: Map<string, Buffer>) => void files.set('chain-attestation.json', Buffer.from('{}')),
      'attestation_invalid',
      'chain-attestation.json',
    ],
  ])('finds %s', async (_, change, problem, file) => {
    const files = await unzip(readFileSync(path()));
    change(files);
    writeFileSync(zip, await toZip(files));
    const report = await verify(undefined, { pack: zip });
    await rm(zip);

    expect(report.exit_code).toBe(2);
    expect(report.pack.problems).toContainEqual({ problem, file });
  });

  test('finds that a file is no whole ZIP file', async () => {
    writeFileSync(zip, readFileSync(path()).subarray(0, 2_000));
    const report = await verify(undefined, { pack: zip });
    await rm(zip);

    expect(report.pack.problems).toContainEqual({ problem: 'unreadable', file: null });
  });

  // PACK_TAMPERS=1000 for the whole run.
  const tampers = Number(process.env['PACK_TAMPERS'] ?? 200);

  test('finds a change of any byte of the ZIP file; without its checksum, every one that changes a file', async () => {
    const original = readFileSync(path());
    const files = await unzip(original);
    const missed: string[] = [];
    for (const { place, difference } of samplePlaces(tampers, original.length)) {
      const changed = Buffer.from(original);
      changed.writeUInt8(changed.readUInt8(place) ^ difference, place);
      writeFileSync(zip, changed);
      if ((await verifyPack(zip, sha256)).status !== 'broken') missed.push(`${place} with the checksum`);
      const { status } = await verifyPack(zip, undefined);
      if (status !== 'broken' && !isSame(files, await unzip(changed))) missed.push(`${place}`);
    }
    await rm(zip);

    expect(missed).toEqual([]);
  });

  test('finds a change of any byte of any file by the manifest alone', async () => {
    const files = await unzip(readFileSync(path()));
    const all = [...files].flatMap(([name, bytes]) => Array.from(bytes, (_, place) => ({ name, place })));
    const missed: string[] = [];
    for (const { place: at, difference } of samplePlaces(tampers, all.length)) {
      const { name, place } = all[at]!;
      const changed = Buffer.from(files.get(name)!);
      changed.writeUInt8(changed.readUInt8(place) ^ difference, place);
      writeFileSync(zip, await toZip(new Map([...files, [name, changed]])));
      if ((await verifyPack(zip, undefined)).status !== 'broken') missed.push(`${name} at ${place}`);
    }
    await rm(zip);

    expect(missed).toEqual([]);
  });
});

/** The same places in each run. */
function samplePlaces(count: number, length: number): { place: number; difference: number }[] {
  const arbitrary = fc.record({ place: fc.nat(length - 1), difference: fc.integer({ min: 1, max: 255 }) });
  return fc.sample(arbitrary, { numRuns: count, seed: 20 });
}

function isSame(a: ReadonlyMap<string, Buffer>, b: ReadonlyMap<string, Buffer>): boolean {
  return a.size === b.size && [...a].every(([name, bytes]) => b.get(name)?.equals(bytes) === true);
}

describe('the proof of one entry', () => {
  const proof_path = () => join(folder, 'proof.json');

  /** Saves a proof, which `change` can alter. */
  async function prove(seq: number, change: (proof: Altered) => void = () => {}) {
    printed.length = 0;
    await proveFromDump(dump, { entry: `${org_id}=${seq}`, pack: path() });
    const proof = JSON.parse(printed.join(''));
    change(proof);
    writeFileSync(proof_path(), JSON.stringify(proof));
    return proof;
  }

  test('is accepted for each entry, and has no other entry', async () => {
    const { pack } = await verify(undefined, { pack: path() });
    for (let seq = 1; seq <= pack.attestation.head_seq; seq += 1) {
      const proof = await prove(seq);
      const report = await verify(undefined, { pack: path(), proof: proof_path() });

      expect(Object.keys(proof)).toEqual(['version', 'entry', 'tree_size', 'path']);
      expect([report.exit_code, report.proof]).toEqual([0, { org_id, seq, problem: null }]);
    }
  });

  test.each([
    ['a changed entry', ({ entry }: Altered) => void Object.assign(entry, { action: 'org.deleted' }), 'entry_changed'],
    ['an entry at another place', ({ path }: Altered) => void path.push('a'.repeat(64)), 'not_in_log'],
    ['another size of the log', (proof: Altered) => void Object.assign(proof, { tree_size: 999 }), 'other_log'],
  ])('with %s is refused', async (_, change, problem) => {
    await prove(1, change);
    const report = await verify(undefined, { pack: path(), proof: proof_path() });

    expect([report.exit_code, report.status, report.proof.problem]).toEqual([2, 'broken', problem]);
  });

  test('says as text what it proves', async () => {
    await prove(1);
    printed.length = 0;
    await verifyAudit(undefined, { pack: path(), proof: proof_path(), format: 'text' });

    expect(printed.join('')).toContain(`proven  entry 1 of ${org_id} is in the attested log\n`);
  });

  test('is not made for an entry that the log does not have, or from another log', async () => {
    await expect(prove(999)).rejects.toThrow('no entry has seq 999');
    const other = { entry: `${org_id.replace(/^./, (first) => (first === '0' ? '1' : '0'))}=1`, pack: path() };
    await expect(proveFromDump(dump, other)).rejects.toThrow('it is of organization');
    await expect(proveFromDump(dump, { entry: '1', pack: path() })).rejects.toThrow('use <org id>=<seq>');
    await expect(proveFromDump(join(folder, 'cut.ndjson'), { entry: `${org_id}=1`, pack: path() })).rejects.toThrow(
      /the chain has \d+ rows, but \d+ are attested/,
    );
  });

  test('needs a pack, and a file that is a proof', async () => {
    const options = { proof: proof_path(), format: 'json' as const };
    await expect(verifyAudit(dump, options)).rejects.toThrow('add --pack');
    writeFileSync(proof_path(), '{"version":"v2"}');
    await expect(verify(undefined, { pack: path(), proof: proof_path() })).rejects.toThrow('not a proof of version v1');
  });
});

test('a pack is deleted', async () => {
  const [pack] = JSON.parse(await packs('list', '--format', 'json')).packs;

  expect(await packs('delete', pack.id)).toBe(`${pack.id} is deleted\n`);
  expect(JSON.parse(await packs('list', '--format', 'json')).packs).toEqual([]);
});

async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const archive = await fromBufferPromise(bytes, { lazyEntries: true });
  const found = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    found.set(entry.fileName, Buffer.concat(chunks));
  }
  return found;
}

async function toZip(files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const archive = new ZipArchive({ zlib: { level: 1 } });
  for (const [name, bytes] of files) archive.append(bytes, { name });
  void archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe('a checkpoint of the log', () => {
  let key: string;
  const [earlier, later, proof] = ['earlier.txt', 'later.txt', 'checkpoint-proof.json'].map(
    (name) => () => join(folder, name),
  );

  /** Prints a proof, and saves it. */
  async function prove(options: ProveOptions): Promise<void> {
    printed.length = 0;
    await proveFromDump(dump, { key, ...options });
    writeFileSync(proof!(), printed.join(''));
  }

  beforeAll(async () => {
    const owner = await service.signIn('owner');
    const settings = { public: true, webhook_config_id: null };
    const put = await owner.send('PUT', `/api/v2/orgs/${org_id}/audit-log/checkpoint-settings`, settings);
    const { signing, public_url } = put.body;
    key = signing.verifier_keys[0];
    const address = public_url.replace('https://dpa.example.com', '');
    const note = await service.anonymous.get(address);
    expect([note.status, note.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect((await service.anonymous.get(`${address}/key`)).body).toBe(`${key}\n`);
    writeFileSync(earlier!(), note.body);
    // The settings were audited, so the next pack has a longer log.
    await packs('create', '2026-01-01', '2026-01-02', '--wait');
    writeFileSync(later!(), (await service.anonymous.get(address)).body);
    const lines: string[] = [];
    await dumpAuditLog(service.admin_db, async (text) => void lines.push(text));
    writeFileSync(dump, lines.join(''));
  });

  test('is signed when a pack is built, and is that of the log which the pack attests', async () => {
    const report = await verify(dump, { pack: path(), checkpoint: earlier!(), key });

    expect([report.exit_code, report.checkpoint]).toEqual([
      0,
      expect.objectContaining({ org_id, problem: null, compared: ['dump', 'pack'] }),
    ]);
    expect(report.checkpoint.size).toBe(report.pack.attestation.head_seq);
  });

  test('proves one entry without a pack', async () => {
    await prove({ entry: `${org_id}=1`, checkpoint: later!() });
    const report = await verify(undefined, { checkpoint: later!(), key, proof: proof!() });

    expect([report.exit_code, report.proof]).toEqual([0, { org_id, seq: 1, problem: null }]);
    expect((await verify(undefined, { checkpoint: earlier!(), key, proof: proof!() })).exit_code).toBe(2);
  });

  test('is proven to only append entries to an earlier one', async () => {
    await prove({ since: earlier!(), checkpoint: later!() });
    const options = { checkpoint: later!(), since: earlier!(), key, proof: proof!() };

    expect(await verify(undefined, options)).toMatchObject({ exit_code: 0, checkpoint: { problem: null } });
    printed.length = 0;
    await verifyAudit(undefined, { ...options, format: 'text' });
    expect(printed.join('')).toMatch(
      /^signed {2}.*\nproven {2}\d+ entries were appended since \d+, none was changed\n$/,
    );
    const changed = JSON.parse(readFileSync(proof!(), 'utf8'));
    writeFileSync(proof!(), JSON.stringify({ ...changed, path: changed.path.map(() => '0'.repeat(64)) }));
    expect(await verify(undefined, options)).toMatchObject({
      exit_code: 2,
      checkpoint: { problem: 'history_changed' },
    });
  });

  test('finds another log, a shorter log, and another pack', async () => {
    const rows = readFileSync(dump, 'utf8').trimEnd().split('\n');
    const shorter = join(folder, 'shorter.ndjson');
    writeFileSync(
      shorter,
      rows.filter((row) => JSON.parse(row).org_id !== org_id || JSON.parse(row).seq < 2).join('\n'),
    );
    const tampered = join(folder, 'tampered.ndjson');
    writeFileSync(
      tampered,
      rows.map((row) => row.replace(/"hash" : "[0-9a-f]{64}"/, `"hash" : "${'0'.repeat(64)}"`)).join('\n'),
    );

    const found = async (file: string) => (await verify(file, { checkpoint: later!(), key })).checkpoint.problem;
    expect([await found(shorter), await found(tampered)]).toEqual(['log_too_short', 'log_differs']);
  });

  test('is refused without a key, with a key of another log, and after a change', async () => {
    const changed = join(folder, 'changed.txt');
    writeFileSync(changed, readFileSync(later!(), 'utf8').replace(/\n\d+\n/, '\n1\n'));
    const foreign = key.replace(org_id, org_id.replace(/^./, 'f'));

    await expect(verify(undefined, { checkpoint: later!() })).rejects.toThrow('--key');
    await expect(verify(undefined, { checkpoint: later!(), key: foreign })).rejects.toThrow('is not a verifier key');
    await expect(verify(undefined, { checkpoint: changed, key })).rejects.toThrow('the note was changed');
    await expect(verify(undefined, { checkpoint: path(), key })).rejects.toThrow('pack.zip: ');
  });
});

describe('the comparison with the service', () => {
  const live = () => verify(undefined, { pack: path(), live: true });

  test('confirms that the log still has the number of entries that the pack names', async () => {
    expect(await live()).toMatchObject({ exit_code: 0, status: 'ok', live: { problem: null, hash_compared: false } });
  });

  test('finds that entries were removed from the end, or changed', async () => {
    const { pack } = await live();
    const { head_seq } = pack.attestation;
    await service.admin_db.raw('alter table audit_log disable trigger all');
    const rows = () => service.admin_db('audit_log').where({ org_id });
    await rows().where('seq', head_seq).update({ action: 'x' });
    expect(await live()).toMatchObject({ exit_code: 2, live: { problem: 'log_broken' } });
    await rows().where('seq', '>=', head_seq).delete();
    expect(await live()).toMatchObject({ exit_code: 2, live: { problem: 'log_too_short' } });
    await service.admin_db.raw('alter table audit_log enable trigger all');
  });
});
