import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { AuditChainRow } from '../../engine/index.ts';
import { aChain, ORG, OTHER_ORG, rehashed } from '../engine/audit/builders.ts';
import { VECTORS } from '../engine/audit/vectors.ts';
import { type RunResult, runCli } from './run.ts';

const VERIFIER = fileURLToPath(new URL('../../docs/verify_audit_log.py', import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'dpa-audit-'));
const forged = 'f'.repeat(64);

afterAll(() => rmSync(folder, { recursive: true }));

function toDump(rows: object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function saveFile(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function runPython(args: string[], input: string): Promise<RunResult> {
  const child = spawn('python3', ['-I', VERIFIER, ...args], { stdio: 'pipe', env: { PATH: process.env.PATH } });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }));
  });
}

/** The output of the command, which must match the output of the independent Python verifier. */
async function verify(args: string[], input = ''): Promise<RunResult> {
  const [ours, theirs] = await Promise.all([
    runCli(['audit', 'verify', ...args], { input }),
    hasPython ? runPython(args, input) : undefined,
  ]);
  if (theirs !== undefined) {
    const stderr = theirs.stderr.replace(/^verify_audit_log:/m, 'dpa:');
    expect({ ...theirs, stderr }).toEqual(ours);
  }
  return ours;
}

const rows = aChain(ORG, 9);
const others = aChain(OTHER_ORG, 4);
const platform = aChain(null, 2);
const intact = toDump([...platform, ...rows, ...others]);
const buildAnchors = (...chains: AuditChainRow[][]) => ({
  taken_at: '2026-01-03T00:00:00.000Z',
  heads: chains.map((chain) => {
    const { org_id, seq, hash } = chain.at(-1)!;
    return { org_id, head_seq: seq, head_hash: hash };
  }),
});

describe('dpa audit verify', () => {
  test('prints one line per chain with its head, and exits with 0 if all chains are intact', async () => {
    expect(await verify(['-'], intact)).toEqual({
      code: 0,
      stdout:
        `ok      platform                              head 2:${platform[1]!.hash}, no anchor\n` +
        `ok      ${ORG}  head 9:${rows[8]!.hash}, no anchor\n` +
        `ok      ${OTHER_ORG}  head 4:${others[3]!.hash}, no anchor\n` +
        'chains: 3, rows: 15, all intact\n',
      stderr: '',
    });
  });

  test('accepts the frozen rows', async () => {
    const { code, stdout } = await verify(['-'], toDump(VECTORS.map(({ row }) => row)));

    expect(code).toBe(0);
    expect(stdout).toContain('chains: 2, rows: 4, all intact');
  });

  test('reads a file with interleaved chains, Windows line endings, blank lines and no final line feed', async () => {
    const interleaved = [
      rows[0]!,
      others[0]!,
      rows[1]!,
      platform[0]!,
      { ...others[1]!, canon_version: 1, added_later: [] },
    ];
    const path = saveFile('interleaved.ndjson', `\r\n${toDump(interleaved).replaceAll('\n', '\r\n\n').trimEnd()}`);

    expect(await verify([path])).toMatchObject({ code: 0, stdout: expect.stringContaining('chains: 3, rows: 5,') });
  });

  test('prints the same report as JSON', async () => {
    const { code, stdout } = await verify(['-', '--format', 'json'], toDump([...platform, rows[1]!]));

    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      status: 'broken',
      chains: [
        {
          org_id: null,
          checked: 2,
          head_seq: 2,
          head_hash: platform[1]!.hash,
          status: 'ok',
          broken_at_seq: null,
          reason: null,
          anchored_seq: 0,
        },
        {
          org_id: ORG,
          checked: 1,
          head_seq: 0,
          head_hash: '',
          status: 'broken',
          broken_at_seq: 1,
          reason: 'seq_gap',
          anchored_seq: 0,
        },
      ],
    });
  });

  test('accepts a detail of 100 kB', async () => {
    const row = rehashed({ ...rows[0]!, detail: JSON.stringify({ text: '\u0001é"'.repeat(15_000) }) });

    expect(await verify(['-'], toDump([row]))).toMatchObject({ code: 0 });
  });

  test('--help explains the exit codes', async () => {
    const { stdout } = await runCli(['audit', 'verify', '--help']);

    expect(stdout).toContain(
      'Exits with 0 if all is intact, 2 if a chain, the pack or a proof is not, and 1 if it could not be verified.',
    );
  });
});

/** A chain of nine rows in its own organization, so that one dump can contain all attacks. */
let orgs = 0;
function attackNewOrg(attack: (chain: AuditChainRow[]) => AuditChainRow[]): { org_id: string; rows: AuditChainRow[] } {
  orgs += 1;
  const org_id = `00000000-0000-4000-9000-${String(orgs).padStart(12, '0')}`;
  return { org_id, rows: attack(aChain(org_id, 9)) };
}

type Edit = (row: AuditChainRow) => AuditChainRow;
const EDITS: Record<keyof AuditChainRow, [Edit, string]> = {
  id: [(row) => ({ ...row, id: '00000000-0000-4000-8000-00000000beef' }), 'hash_mismatch'],
  // The row is then alone in the chain of the other organization, and missing from its own.
  org_id: [(row) => ({ ...row, org_id: row.org_id!.replace(/^0/, 'e') }), 'seq_gap'],
  seq: [(row) => ({ ...row, seq: row.seq + 100 }), 'seq_gap'],
  actor_email: [(row) => ({ ...row, actor_email: 'eve@example.com' }), 'hash_mismatch'],
  action: [(row) => ({ ...row, action: 'custom_rule.updated' }), 'hash_mismatch'],
  detail: [(row) => ({ ...row, detail: row.detail.replace('null', 'true') }), 'hash_mismatch'],
  created_at: [(row) => ({ ...row, created_at: row.created_at.replace('2026', '2025') }), 'hash_mismatch'],
  prev_hash: [(row) => ({ ...row, prev_hash: forged }), 'prev_hash_mismatch'],
  hash: [(row) => ({ ...row, hash: forged }), 'hash_mismatch'],
};

describe('tampering is detected', () => {
  const attacks: [string, (chain: AuditChainRow[]) => AuditChainRow[], number, string][] = [
    ...Object.entries(EDITS)
      .flatMap(([column, [edit, reason]]) => [1, 5, 9].map((seq) => ({ column, edit, reason, seq })))
      // Removing the last row truncates the chain, which only an anchor detects.
      .filter(({ column, seq }) => column !== 'org_id' || seq !== 9)
      .map(({ column, edit, reason, seq }): (typeof attacks)[number] => [
        `${column} of row ${seq}`,
        (chain) => chain.map((row) => (row.seq === seq ? edit(row) : row)),
        seq,
        reason,
      ]),
    ['delete the first row', (chain) => chain.slice(1), 1, 'seq_gap'],
    ['delete row 5', (chain) => chain.filter(({ seq }) => seq !== 5), 5, 'seq_gap'],
    ['swap two rows', ([a, b, c, ...rest]) => [a!, c!, b!, ...rest], 2, 'seq_gap'],
    ['swap two numbers', ([a, b, c]) => [a!, { ...c!, seq: 2 }, { ...b!, seq: 3 }], 2, 'prev_hash_mismatch'],
    [
      'forge a row',
      ([a, b, c]) => [a!, rehashed({ ...b!, action: 'x' }), { ...b!, seq: 3 }, c!],
      3,
      'prev_hash_mismatch',
    ],
    ['double a row', ([a, b, ...rest]) => [a!, b!, b!, ...rest], 3, 'seq_gap'],
  ];
  const cases = attacks.map(([what, attack, seq, reason]) => ({ what, seq, reason, ...attackNewOrg(attack) }));
  const last = attackNewOrg((chain) => chain.map((row) => (row.seq === 9 ? EDITS.org_id[0](row) : row)));

  test('tampering is detected in each column of the first, a middle and the last row, and in the order of rows', async () => {
    const { code, stdout } = await verify(['-'], toDump(cases.flatMap((one) => one.rows)));

    expect(code).toBe(2);
    expect(cases).toHaveLength(32);
    for (const { org_id, seq, reason } of cases)
      expect(stdout).toContain(`broken  ${org_id}  at seq ${seq}: ${reason},`);
  });

  test('the last row moved to another organization is detected', async () => {
    const { code, stdout } = await verify(['-'], toDump(last.rows));

    expect(code).toBe(2);
    expect(stdout).toContain(`broken  ${last.org_id.replace(/^0/, 'e')}  at seq 1: seq_gap,`);
  });

  test('a row moved to the end of another chain is detected', async () => {
    const moved = { ...rows[4]!, org_id: OTHER_ORG };
    const { stdout } = await verify(['-'], toDump([...others, moved, ...rows.filter((row) => row !== rows[4])]));

    expect(stdout).toContain(`broken  ${OTHER_ORG}  at seq 5: prev_hash_mismatch,`);
    expect(stdout).toContain(`broken  ${ORG}  at seq 5: seq_gap,`);
  });
});

describe('with an anchor', () => {
  const anchors = saveFile('anchors.json', JSON.stringify(buildAnchors(rows.slice(0, 7), platform)));
  const rewritten: AuditChainRow[] = [];
  for (const row of rows) {
    const actor_email = row.seq === 3 ? 'eve@example.com' : row.actor_email;
    rewritten.push(rehashed({ ...row, actor_email, prev_hash: rewritten.at(-1)?.hash ?? null }));
  }

  test('an intact chain matches its anchor', async () => {
    const { code, stdout } = await verify(['-', '--anchors', anchors, '--expect', `${OTHER_ORG}=4`], intact);

    expect(code).toBe(0);
    expect(stdout).toMatch(/platform .*, anchored at seq 2\n.*, anchored at seq 7\n.*, anchored at seq 4\n/);
  });

  test.each<[string, string, string[], string[]]>([
    [
      'a cut tail is found',
      toDump(rows.slice(0, 6)),
      ['--expect', `${ORG}=7`],
      [`broken  ${ORG}  at seq 7: chain_head_below_anchor,`],
    ],
    [
      'a chain without any row is found',
      toDump(others),
      ['--anchors', anchors],
      [
        `broken  platform                              at seq 1: chain_head_below`,
        `broken  ${ORG}  at seq 1: chain_head`,
      ],
    ],
    [
      'a log without any row is found',
      '',
      ['--expect', 'PLATFORM=2', '--expect', `${ORG.toUpperCase()}=1`],
      ['chains: 2, rows: 0, 2 broken'],
    ],
    [
      'a rewritten chain is found',
      toDump(rewritten),
      ['--expect', `${ORG}=9`, '--expect', `${ORG}=8:${rows[7]!.hash}`, '--expect', `${ORG}=2:${rows[1]!.hash}`],
      [`broken  ${ORG}  at seq 8: anchor_hash_mismatch,`],
    ],
    [
      'an anchor that differs is reported before a later changed row',
      toDump(rewritten.slice(0, 8).map((row) => (row.seq === 5 ? { ...row, action: 'x' } : row))),
      ['--expect', `${ORG}=3:${rows[2]!.hash}`, '--expect', `${ORG}=9`],
      [`broken  ${ORG}  at seq 3: anchor_hash_mismatch,`],
    ],
    [
      'a changed row is reported before a later anchor',
      toDump(rows.map((row) => (row.seq === 5 ? { ...row, action: 'x' } : row))),
      ['--anchors', anchors],
      [`broken  ${ORG}  at seq 5: hash_mismatch,`],
    ],
  ])('%s', async (_what, dump, args, lines) => {
    const { code, stdout } = await verify(['-', ...args], dump);

    expect(code).toBe(2);
    for (const line of lines) expect(stdout).toContain(line);
    expect((await verify(['-', '--format', 'json', ...args], dump)).code).toBe(2);
  });

  test.each<[string, string, string[]]>([
    ['a cut tail is not found', toDump(rows.slice(0, 6)), []],
    ['nor is one after the anchor', toDump(rows.slice(0, 6)), ['--expect', `${ORG}=6:${rows[5]!.hash}`]],
    ['nor is a rewritten chain', toDump(rewritten), ['--expect', `${ORG}=9`]],
    ['a head of 0 agrees with any chain', toDump(rows), ['--expect', 'platform=0']],
  ])('the same result without an anchor: %s', async (_what, dump, args) => {
    expect((await verify(['-', ...args], dump)).code).toBe(0);
  });
});

describe('dpa audit verify exits with 1, with advice and without a stack trace', () => {
  const row = rows[0]!;
  const { hash: _hash, ...hashless } = row;

  test.each<[string, string, RegExp]>([
    ['on an empty dump', '\n', /^dpa: standard input: contains no rows, so nothing was verified$/m],
    ['on a line that is no JSON', `${toDump([row])}\n{"id":`, /standard input: line 3: is not JSON/],
    ['on a line that is no object', '[]', /line 1: must be a JSON object/],
    ['on NaN', toDump([row]).replace('"seq":1', '"seq":NaN'), /line 1: is not JSON/],
    ['on a missing member', toDump([hashless]), /line 1: hash must be a string/],
    [
      'on a detail that is no text',
      toDump([{ ...row, detail: {} }]),
      /line 1: detail must be the stored text .*detail::text/,
    ],
    ['on a number in a text', toDump([{ ...row, seq: '1' }]), /line 1: seq must be an integer/],
    ['on a fraction', toDump([{ ...row, seq: 1.5 }]), /line 1: seq must be an integer/],
    ['on a name that is no org', toDump([{ ...row, org_id: 'platform' }]), /line 1: org_id must be a lowercase UUID/],
    ['on half a character', toDump([{ ...row, action: '\ud83d' }]), /line 1: action must be a string without lone/],
    [
      'on a later canonical form',
      toDump([{ ...row, canon_version: 2 }]),
      /line 1: canon_version is 2, but this release supports only version 1/,
    ],
  ])('%s', async (_when, dump, message) => {
    const { code, stdout, stderr } = await verify(['-'], dump);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ {4}at |Traceback/m);
  });

  test('a line of more than 1 MiB is rejected, and a line of 1 MiB is accepted', async () => {
    const line = toDump([row]).trimEnd();
    const longest = `${line}${' '.repeat(1_048_576 - Buffer.byteLength(line))}`;

    expect((await verify(['-'], `${longest}\n`)).code).toBe(0);
    expect(await verify(['-'], `${longest} \n`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/line 1 is longer/),
    });
  });

  test('bytes that are not UTF-8 are rejected', async () => {
    const path = saveFile('latin1.ndjson', Buffer.from(intact, 'latin1'));

    expect(await verify([path])).toMatchObject({ code: 1, stderr: expect.stringMatching(/line 1 is no UTF-8/) });
  });

  test.each<[string, string, RegExp]>([
    ['on anchors that are no JSON', 'x', /bad\.json: is not JSON/],
    ['on anchors without heads', '{}', /bad\.json: heads must be an array/],
    ['on a head that is none', '{"heads":[1]}', /bad\.json: heads\[0\] must be an object/],
    ['on a hash that is none', '{"heads":[{"org_id":null,"head_seq":1,"head_hash":"x"}]}', /head_hash must be 64/],
  ])('%s', async (_when, anchors, message) => {
    const { code, stderr } = await verify(['-', '--anchors', saveFile('bad.json', anchors)], intact);

    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  test.each(['acme=1', `${ORG}`, 'platform=x', 'platform=1:abc'])('--expect %s is rejected', async (expected) => {
    const { code, stderr } = await verify(['-', '--expect', expected], intact);

    expect(code).toBe(1);
    expect(stderr).toContain(`--expect ${expected}: use <org id>=<seq> or platform=<seq>`);
  });

  test('a missing file and a folder are rejected', async () => {
    expect((await runCli(['audit', 'verify', join(folder, 'none')])).stderr).toContain('none: the file does not exist');
    expect((await runCli(['audit', 'verify', folder])).stderr).toContain('pass the file with the dump');
  });
});
