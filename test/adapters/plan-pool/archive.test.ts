import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planHash } from '../../../engine/index.ts';
import { openArchive } from '../../../server/adapters/plan-pool/archive.ts';
import { unpack } from '../../../server/adapters/plan-pool/intake.ts';
import type { ArchiveOptions } from '../../../server/adapters/plan-pool/tasks.ts';
import { centralHeader, createZip, ending, type RawEntry, rawZip } from '../../fakes/zip.ts';

const MIB = 1_048_576;
const DEFAULTS: ArchiveOptions = { name: 'tfplan', patterns: null, max_plans: 20, max_bytes: 50 * MIB };
const PLAN = readFileSync(new URL('../../fixtures/plans/every-action.json', import.meta.url));
const SMALL = Buffer.from('{"format_version":"1.2","resource_changes":[]}');

function open(zip: Uint8Array, options: Partial<ArchiveOptions> = {}) {
  return openArchive({ task: 'archive', zip, options: { ...DEFAULTS, ...options } });
}

function openRaw(entries: RawEntry[], options: Partial<ArchiveOptions> = {}) {
  return open(rawZip(entries), options);
}

/** Path and error of each result; `ok` for a plan. */
async function rows(opened: ReturnType<typeof open>) {
  return (await opened).plans.map(({ path, error }) => [path, error ?? 'ok']);
}

describe('an archive of plans', () => {
  test('each plan is pruned, compressed and hashed; other JSON is skipped', async () => {
    const files = { 'net/tfplan.json': PLAN, 'package.json': '{"name":"x"}', 'list.json': '[1]', 'notes.txt': 'plan' };
    const opened = await open(await createZip(files));

    expect(opened).toMatchObject({ skipped: 2, refused: null });
    expect(opened.plans.map(({ path }) => path)).toEqual(['net/tfplan.json']);
    const { payload, plan_hash } = opened.plans[0]!;
    const text = Buffer.from(unpack(payload!));
    expect(JSON.parse(text.toString())).toHaveProperty('resource_changes');
    expect(text.includes('prior_state')).toBe(false);
    expect(plan_hash).toBe(planHash(text));
  });

  test.each<[string, (files: Record<string, Buffer>) => Promise<Buffer>]>([
    ['zip64', (files) => createZip(files, { forceZip64Format: true })],
    ['unpacked files', (files) => createZip(files, { compress: false })],
    ['bytes before its beginning, with adjusted offsets', async (files) => moved(await createZip(files), 100)],
  ])('an archive with %s is read', async (_, pack) => {
    expect(await rows(open(await pack({ 'ü/プラン.json': PLAN })))).toEqual([['ü/プラン.json', 'ok']]);
  });

  test('a single uncompressed file is accepted as an archive', async () => {
    expect(await rows(open(PLAN))).toEqual([['', 'ok']]);
    expect(await open(Buffer.from('{"name":"x"}'))).toMatchObject({ plans: [], skipped: 1, refused: null });
    expect((await open(PLAN, { max_bytes: 100 })).refused).toContain('larger than 100 bytes');
  });

  test('only files that match the globs are read', async () => {
    const zip = await createZip({
      'a/tfplan.json': PLAN,
      'b/tfplan.json': PLAN,
      'a/b/c.JSON': PLAN,
      '.x/tfplan.json': PLAN,
    });
    const paths = async (patterns: string[]) => (await rows(open(zip, { patterns }))).map(([path]) => path);

    expect(await paths(['tfplan/a/tfplan.json'])).toEqual(['a/tfplan.json']);
    expect(await paths(['tf*/*/tfplan.json'])).toEqual(['a/tfplan.json', 'b/tfplan.json', '.x/tfplan.json']);
    expect(await paths(['**/c.JSON', 'other/**'])).toEqual(['a/b/c.JSON']);
  });
});

/** The same archive after other bytes. */
function moved(zip: Buffer, by: number): Buffer {
  const out = Buffer.concat([Buffer.alloc(by, 0x2a), zip]);
  const end = out.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  out.writeUInt32LE(out.readUInt32LE(end + 16) + by, end + 16);
  let at = out.readUInt32LE(end + 16);
  while (out.readUInt32LE(at) === 0x02014b50) {
    out.writeUInt32LE(out.readUInt32LE(at + 42) + by, at + 42);
    at += 46 + out.readUInt16LE(at + 28) + out.readUInt16LE(at + 30) + out.readUInt16LE(at + 32);
  }
  return out;
}

describe('files in another plan format', () => {
  const state = '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"x","resources":[]}';
  const deep = `{"format_version":"1.2","planned_values":${'['.repeat(300)}${']'.repeat(300)}}`;

  test.each([
    ['a truncated plan', 'x.json', PLAN.subarray(0, 3000), 'truncated'],
    [
      'a plan of a future version',
      'x.json',
      '{"format_version":"9.0","resource_changes":[]}',
      '"9.0" is not supported',
    ],
    ['a plan nested too deeply', 'x.json', deep, 'deep'],
    ['a state file', 'x.json', state, 'a state file'],
    [
      'the human-readable output',
      'plan.json',
      'Terraform will perform the following actions:',
      'human-readable output of',
    ],
    ['a binary plan with another name', 'tfplan.json', 'PK\x03\x04', 'binary plan file'],
    [
      'a truncated plan in UTF-16',
      'x.json',
      Buffer.from(`\ufeff${PLAN.toString().slice(0, 3000)}`, 'utf16le'),
      'truncated',
    ],
  ])('%s is reported with a reason', async (_, path, content, reason) => {
    expect(await rows(open(await createZip({ [path]: content })))).toEqual([[path, expect.stringContaining(reason)]]);
  });

  test('a JSON plan is requested if only another format is present', async () => {
    const opened = open(
      await createZip({ 'a/tfplan': 'PK\x03\x04', 'b.tfplan': '{"format_version":"1.2"}', 'plan.tar.gz': 'x' }),
    );

    expect(await rows(opened)).toEqual([
      ['a/tfplan', expect.stringContaining('`terraform show -json tfplan > tfplan.json`')],
      ['b.tfplan', expect.stringContaining('ends in .json')],
      ['plan.tar.gz', expect.stringContaining('is not opened')],
    ]);
    expect(await rows(open(await createZip({ tfplan: 'PK\x03\x04', 'tfplan.json': PLAN })))).toEqual([
      ['tfplan.json', 'ok'],
    ]);
    expect(await rows(open(await createZip({ 'tfplan.txt': 'Terraform will', planning: 'x' })))).toEqual([]);
  });
});

describe('skipped files', () => {
  test.each([
    ['points outside the archive', '../tfplan.json'],
    ['does so in the middle', 'a/../../tfplan.json'],
    ['is absolute', '/etc/tfplan.json'],
    ['names a drive', 'C:tfplan.json'],
    ['contains a backslash', 'a\\tfplan.json'],
    ['contains a NUL', 'a\0/tfplan.json'],
    ['is too long', `${'a'.repeat(500)}.json`],
  ])('a file whose name %s is skipped', async (_, name) => {
    const opened = await openRaw([
      { name, data: SMALL },
      { name: 'ok.json', data: SMALL },
    ]);

    expect(opened.plans.map(({ path, error }) => [path, error ?? 'ok'])).toEqual([
      ['ok.json', 'ok'],
      ['', expect.stringContaining('1 *.json file was not read because of a name that is absolute')],
    ]);
  });

  test.each<[string, RawEntry[], string, string]>([
    ['a link', [{ name: 'a.json', data: SMALL, mode: 0o120777 }], '', 'a file type that is a link or not regular'],
    ['an encrypted file', [{ name: 'a.json', data: SMALL, flags: 0x801 }], 'a.json', 'encrypted'],
    ['an unknown method', [{ name: 'a.json', data: SMALL, method: 12 }], 'a.json', 'unsupported compression method'],
    ['a wrong checksum', [{ name: 'a.json', data: SMALL, crc: 1 }], 'a.json', 'damaged'],
    ['a wrong size', [{ name: 'a.json', data: SMALL, size: 9 }], 'a.json', 'damaged'],
    ['damaged data', [{ name: 'a.json', data: SMALL, method: 8 }], 'a.json', 'damaged'],
    ['a wrong offset', [{ name: 'a.json', data: SMALL, offset: 9 }], 'a.json', 'damaged'],
    ['data beyond the end', [{ name: 'a.json', data: SMALL, packed_size: 9e8 }], 'a.json', 'damaged'],
  ])('%s is skipped', async (_, entries, path, reason) => {
    expect(await rows(openRaw(entries))).toEqual([[path, expect.stringContaining(reason)]]);
  });

  test('a second file with the same name is skipped', async () => {
    const twice = [1, 2].map((serial) => ({
      name: 'a.json',
      data: Buffer.from(`{"planned_values":{},"s":${serial}}`),
    }));

    expect(await rows(openRaw(twice))).toEqual([
      ['a.json', 'ok'],
      ['', expect.stringContaining('1 *.json file')],
    ]);
  });

  test('an archive with overlapping files, a truncated one and a non-archive are skipped', async () => {
    const overlapping = [
      { name: 'a.json', data: SMALL },
      { name: 'b.json', data: SMALL, offset: 0 },
    ];
    const whole = await createZip({ 'a.json': PLAN });

    expect((await openRaw(overlapping)).refused).toContain('overlap');
    expect((await open(whole.subarray(0, -30))).refused).toContain('damaged, or not a ZIP file');
    for (const bytes of ['', 'PK', 'hello'])
      expect((await open(Buffer.from(bytes))).refused).toContain('not a ZIP file');
  });
});

describe('archive limits', () => {
  test('plans beyond the limit are counted but not read', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 23 }, (_, i) => [`m${String(i).padStart(2, '0')}.json`, SMALL]),
    );
    const found = await rows(open(await createZip({ 'package.json': '{}', ...files })));

    expect(found).toHaveLength(21);
    expect(found.at(-1)).toEqual(['', '3 more plans not read; the limit is 20.']);
  });

  test('a zip bomb stops at the limit whatever its header says, and likely plans are read first', async () => {
    const bomb = deflateRawSync(Buffer.alloc(60 * MIB, 0x20));
    const entries = [
      { name: 'bomb.json', data: bomb, method: 8, size: 10 },
      { name: 'plan.json', data: SMALL },
    ];

    const opened = await openRaw([...entries, { name: 'c.json', data: SMALL }]);

    expect(opened.plans.map(({ path, error }) => [path, error ?? 'ok'])).toEqual([
      ['plan.json', 'ok'],
      ['', 'bomb.json and 1 more *.json file were not read: at most 50 MiB of an archive are unpacked.'],
    ]);
    expect(opened.unpacked_bytes).toBe(50 * MIB);
  });

  test('damaged files count toward the limit with the bytes they produced', async () => {
    const data = deflateRawSync(Buffer.alloc(4 * MIB, 0x20)).subarray(0, -20);
    const entries = Array.from({ length: 5 }, (_, i) => ({ name: `${i}.json`, data, method: 8 }));

    const opened = await openRaw(entries, { max_bytes: 10 * MIB });

    expect(opened.unpacked_bytes).toBe(10 * MIB);
    expect(opened.plans.at(-1)!.error).toContain('2.json and 2 more *.json files were not read');
  });

  test('an archive of a million files is read in part, and a larger one not at all', async () => {
    const million = crowded(1_000_000);
    const [cut] = (await open(million)).plans;

    expect(cut!.error).toBe(
      'The archive lists 1000000 files, of which only the first 10000 were checked: upload the plans separately.',
    );
    expect((await open(rawZip([]))).refused).toBeNull();
    expect((await open(Buffer.concat([Buffer.alloc(99), ending(1_000_001, 99, 0)]))).refused).toContain(
      '1000001 files',
    );
  });
});

/** A central directory of many empty files that refer to bytes before it. */
function crowded(count: number): Buffer {
  const name = Buffer.from('x');
  const entry = centralHeader({ name }, name, 0);
  const size = entry.length + 1;
  const directory = Buffer.alloc(count * size, Buffer.concat([entry, name]));
  for (let i = 0; i < count; i += 1) directory.writeUInt32LE(i * 31, i * size + 42);
  return Buffer.concat([directory, ending(count, directory.length, 0)]);
}

describe('arbitrary bytes', () => {
  test('random bytes get a result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(await open(bytes)).toHaveProperty('plans');
      }),
      { numRuns: 100 },
    );
  });

  test('archives with changed, removed or inserted bytes get a result', async () => {
    const zips = [
      await createZip({ 'a/tfplan.json': SMALL, 'b.json': PLAN, tfplan: 'PK' }),
      await createZip({ 'tfplan.json': SMALL }, { forceZip64Format: true }),
      rawZip([
        { name: 'a.json', data: SMALL },
        { name: 'b.json', data: SMALL },
      ]),
    ];
    const edit = fc.record({
      at: fc.nat(),
      bytes: fc.uint8Array({ maxLength: 8 }),
      drop: fc.nat(8),
      from_end: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...zips), fc.array(edit, { minLength: 1, maxLength: 4 }), async (zip, edits) => {
        let bytes = zip;
        for (const { at, bytes: put, drop, from_end } of edits) {
          const place = from_end ? bytes.length - (at % Math.min(bytes.length, 200)) : at % bytes.length;
          bytes = Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + drop)]);
          if (bytes.length === 0) return;
        }
        const { plans, refused } = await open(bytes);
        expect(plans.length === 0 || refused === null).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
