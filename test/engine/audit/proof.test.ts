import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import {
  checkProof,
  createEntryProver,
  parseAttestation,
  parseProof,
  type StoredAuditRow,
} from '../../../engine/index.ts';
import { aChain, ORG, OTHER_ORG } from './builders.ts';
import { VECTORS } from './vectors.ts';

const rows: StoredAuditRow[] = aChain(ORG, 13).map((row) => ({ ...row, canon_version: 1 }));

function prove(seq: number, of = rows, tree_size?: number) {
  const prover = createEntryProver(seq, tree_size);
  for (const row of of) prover.add(row);
  return prover.prove();
}

const attest = (size: number, root: string, org_id = ORG) =>
  parseAttestation(
    JSON.stringify({
      ...{ org_id, head_seq: size, head_hash_hex: rows[size - 1]?.hash, status: 'ok' },
      ...{ canonical_version: 'v1', tree_root_hex: root },
    }),
  );

test('the test vector in docs/audit-log.md is what the program computes', async () => {
  const vectors = VECTORS.map(({ row }) => ({ ...row, canon_version: 1 })).filter(({ org_id }) => org_id === ORG);
  const { proof, root } = prove(2, vectors);
  const page = await readFile('docs/audit-log.md', 'utf8');

  expect([vectors.length, page.includes(`\n\`${root}\`.`)]).toEqual([3, true]);
  expect(page).toContain(`\n\`\`\`\n${proof.path.join('\n')}\n\`\`\`\n`);
});

describe('a proof', () => {
  test('of each entry is accepted for the log of each size', () => {
    for (let size = 1; size <= rows.length; size += 1) {
      for (let seq = 1; seq <= size; seq += 1) {
        const { proof, root } = prove(seq, rows, size);
        expect(checkProof(parseProof(JSON.stringify(proof)), attest(size, root))).toBeNull();
      }
    }
  });

  test('is refused for another log, another number of entries, and a pack without a tree', () => {
    const { proof, root } = prove(3);

    expect(checkProof(proof, attest(13, root, OTHER_ORG))).toBe('other_log');
    expect(checkProof(proof, attest(12, root))).toBe('other_log');
    expect(checkProof(proof, attest(13, ''))).toBe('other_log');
    expect(checkProof(proof, attest(13, 'a'.repeat(64)))).toBe('not_in_log');
  });

  test('is not made from a broken or a shorter chain', () => {
    const changed = rows.map((row) => (row.seq === 5 ? { ...row, action: 'x' } : row));

    expect(() => prove(3, changed)).toThrow('the chain is broken at seq 5: hash_mismatch');
    expect(() => prove(3, rows, 20)).toThrow('the chain has 13 rows, but 20 are attested');
    expect(() => prove(14)).toThrow('no entry has seq 14');
  });

  test.each([
    ['x', 'is not JSON'],
    ['[]', 'is not a proof of version v1'],
    ['{"version":"v1","tree_size":1,"path":["A"]}', 'tree_size or path is invalid'],
    ['{"version":"v1","tree_size":1.5,"path":[]}', 'tree_size or path is invalid'],
    ['{"version":"v1","tree_size":1,"path":[],"entry":1}', 'must be a JSON object'],
  ])('%s is none', (text, message) => {
    expect(() => parseProof(text)).toThrow(message);
  });
});

describe('an attestation', () => {
  test.each([
    ['{"head_seq":0}', 'does not name an entry'],
    [JSON.stringify({ org_id: ORG, head_seq: 1, head_hash_hex: '' }), 'does not name an entry'],
    [
      JSON.stringify({ org_id: ORG, head_seq: 0, head_hash_hex: '', canonical_version: 'v2' }),
      'unknown canonical_version',
    ],
    ['null', 'must be a JSON object'],
    ['{', 'is not JSON'],
  ])('%s is none', (text, message) => {
    expect(() => parseAttestation(text)).toThrow(message);
  });

  test('of a pack of an earlier version has no tree', () => {
    const { tree_root } = parseAttestation(
      JSON.stringify({ org_id: ORG, head_seq: 0, head_hash_hex: '', status: 'ok', canonical_version: 'v1' }),
    );
    expect(tree_root).toBeNull();
  });
});
