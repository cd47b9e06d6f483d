import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AuditChainRow, type ChainWalkResult, createChainWalk } from '../../../engine/index.ts';
import { aChain, ORG, OTHER_ORG, rehashed } from './builders.ts';
import { VECTORS } from './vectors.ts';

const chain = aChain(ORG, 9);

function walked(rows: AuditChainRow[]): ChainWalkResult {
  const walk = createChainWalk();
  for (const row of rows) walk.add({ ...row, canon_version: 1 });
  expect(walk.broken).toBe(walk.result().status === 'broken');
  return walk.result();
}

/** The chain with the row of that `seq` replaced. */
function edited(seq: number, change: (row: AuditChainRow) => AuditChainRow): AuditChainRow[] {
  return chain.map((row) => (row.seq === seq ? change(row) : row));
}

describe('the walk', () => {
  test('over no rows is ok', () => {
    expect(walked([])).toEqual({
      checked: 0,
      head_seq: 0,
      head_hash: '',
      status: 'ok',
      broken_at_seq: null,
      reason: null,
    });
  });

  test.each([ORG, null])('over an intact chain (%s) is ok and returns its head', (org_id) => {
    const rows = aChain(org_id, 9);

    expect(walked(rows)).toEqual({
      checked: 9,
      head_seq: 9,
      head_hash: rows[8]!.hash,
      status: 'ok',
      broken_at_seq: null,
      reason: null,
    });
  });

  test('that begins after a verified row is ok only if the next row follows it', () => {
    const from = (position: { seq: number; hash: string; org_id?: string }) => {
      const walk = createChainWalk({ org_id: ORG, ...position });
      for (const row of chain.slice(4)) walk.add({ ...row, canon_version: 1 });
      return walk.result();
    };
    const hash = chain[3]!.hash;

    expect(from({ seq: 4, hash })).toMatchObject({ checked: 5, head_seq: 9, head_hash: chain[8]!.hash, status: 'ok' });
    expect(from({ seq: 4, hash: chain[2]!.hash }).reason).toBe('prev_hash_mismatch');
    expect(from({ seq: 3, hash }).reason).toBe('seq_gap');
    expect(from({ seq: 4, hash, org_id: OTHER_ORG }).reason).toBe('hash_mismatch');
  });

  test('over the frozen rows is ok', () => {
    expect(walked(VECTORS.slice(0, 3).map(({ row }) => row))).toMatchObject({ checked: 3, status: 'ok' });
    expect(walked([VECTORS[3]!.row])).toMatchObject({ checked: 1, status: 'ok' });
  });

  test('ignores rows after a deviation', () => {
    const result = walked(edited(4, (row) => ({ ...row, action: 'x' })));

    expect(result).toEqual({
      checked: 4,
      head_seq: 3,
      head_hash: chain[2]!.hash,
      status: 'broken',
      broken_at_seq: 4,
      reason: 'hash_mismatch',
    });
  });
});

const forged = 'f'.repeat(64);
const EDITS: [keyof AuditChainRow, (row: AuditChainRow) => AuditChainRow, string][] = [
  ['id', (row) => ({ ...row, id: row.id.replace('4000', '4001') }), 'hash_mismatch'],
  ['org_id', (row) => ({ ...row, org_id: OTHER_ORG }), 'hash_mismatch'],
  ['seq', (row) => ({ ...row, seq: row.seq + 20 }), 'seq_gap'],
  ['actor_email', (row) => ({ ...row, actor_email: 'eve@example.com' }), 'hash_mismatch'],
  ['action', (row) => ({ ...row, action: 'custom_rule.updated' }), 'hash_mismatch'],
  ['detail', (row) => ({ ...row, detail: row.detail.replace('null', 'true') }), 'hash_mismatch'],
  ['created_at', (row) => ({ ...row, created_at: row.created_at.replace('2026', '2025') }), 'hash_mismatch'],
  ['prev_hash', (row) => ({ ...row, prev_hash: forged }), 'prev_hash_mismatch'],
  ['hash', (row) => ({ ...row, hash: forged }), 'hash_mismatch'],
];
const PLACES = [1, 5, 9];

describe.each(EDITS)('an edited %s', (_column, change, reason) => {
  test.each(PLACES)('is detected in row %d of 9', (seq) => {
    expect(walked(edited(seq, change))).toMatchObject({ status: 'broken', broken_at_seq: seq, checked: seq, reason });
  });
});

describe('an edit with a recomputed hash is detected', () => {
  test.each([1, 5])('in the row after row %d', (seq) => {
    const rows = edited(seq, (row) => rehashed({ ...row, action: 'x' }));

    expect(walked(rows)).toMatchObject({ broken_at_seq: seq + 1, checked: seq + 1, reason: 'prev_hash_mismatch' });
  });

  test('if it moves a row to this organization', () => {
    const rows = edited(9, (row) => rehashed({ ...row, org_id: OTHER_ORG }));

    expect(walked(rows)).toMatchObject({ broken_at_seq: 9, reason: 'hash_mismatch' });
  });
});

describe('the walk detects', () => {
  const [first, second, third] = chain as [AuditChainRow, AuditChainRow, AuditChainRow];
  const insert = rehashed({ ...second, id: first.id.replace('4000', '4001'), action: 'x' });

  test.each<[string, AuditChainRow[], number, string]>([
    ['a missing first row', chain.slice(1), 1, 'seq_gap'],
    ['a missing row in the middle', chain.filter(({ seq }) => seq !== 5), 5, 'seq_gap'],
    ['a pair of swapped rows', [first, third, second], 2, 'seq_gap'],
    ['a pair with swapped numbers', [first, { ...third, seq: 2 }, { ...second, seq: 3 }], 2, 'prev_hash_mismatch'],
    ['a forged row next to the real one', [first, insert, ...chain.slice(1)], 3, 'seq_gap'],
    ['a forged row with the rest renumbered', [first, insert, { ...second, seq: 3 }], 3, 'prev_hash_mismatch'],
    ['a duplicated row', [first, second, second, third], 3, 'seq_gap'],
    ['a duplicated first row', [first, first, second], 2, 'seq_gap'],
    ['a row of another org', [first, aChain(OTHER_ORG, 2)[1]!], 2, 'prev_hash_mismatch'],
    ['a chain that starts in the middle, renumbered', [{ ...second, seq: 1 }], 1, 'prev_hash_mismatch'],
  ])('%s', (_what, rows, broken_at_seq, reason) => {
    expect(walked(rows)).toMatchObject({ status: 'broken', broken_at_seq, checked: broken_at_seq, reason });
  });

  test('any change of any character in any text', () => {
    const columns = ['id', 'actor_email', 'action', 'detail', 'created_at', 'hash'] as const;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.constantFrom(...columns), fc.nat(), (seq, column, at) => {
        const rows = edited(seq, (row) => {
          const index = at % (row[column].length + 1);
          return { ...row, [column]: `${row[column].slice(0, index)}~${row[column].slice(index + 1)}` };
        });

        expect(walked(rows).broken_at_seq).toBe(seq);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('a removed tail leaves an intact chain and only changes its head', () => {
  expect(walked(chain.slice(0, 5))).toMatchObject({ status: 'ok', head_seq: 5 });
});
