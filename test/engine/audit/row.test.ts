import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AuditChainRow, auditDetailText, canonicalAuditText, hashAuditRow } from '../../../engine/index.ts';
import { canonicalJson } from '../../../engine/lib/canonical-json.ts';
import { VECTORS } from './vectors.ts';

const text = fc.string({ unit: 'binary' });

const anyRow: fc.Arbitrary<AuditChainRow> = fc.record({
  id: fc.uuid(),
  org_id: fc.option(fc.uuid()),
  seq: fc.nat(),
  actor_email: text,
  action: text,
  detail: fc.dictionary(text, fc.integer()).map((detail) => canonicalJson(detail)),
  created_at: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  prev_hash: fc.option(text),
  hash: fc.constant(''),
});

describe.each(VECTORS)('$name', ({ row, text, bytes }) => {
  test('has the frozen canonical text', () => {
    expect(canonicalAuditText(row)).toBe(text);
    expect(Buffer.byteLength(`v1\n${canonicalAuditText(row)}`)).toBe(bytes);
  });

  test('has the frozen hash', () => {
    expect(hashAuditRow(row)).toBe(row.hash);
  });

  test('has a detail that the writer produces', () => {
    expect(auditDetailText(JSON.parse(row.detail))).toBe(row.detail);
  });
});

test('the canonical text is the canonical JSON of all columns except the hash', () => {
  fc.assert(
    fc.property(anyRow, ({ hash: _hash, ...row }) => {
      expect(canonicalAuditText(row)).toBe(canonicalJson({ ...row, detail: JSON.parse(row.detail) }));
    }),
    { numRuns: 2_000 },
  );
});

test('the hash is SHA-256 of the tagged text in UTF-8', () => {
  fc.assert(
    fc.property(anyRow, (row) => {
      const expected = createHash('sha256')
        .update(Buffer.from(`v1\n${canonicalAuditText(row)}`, 'utf8'))
        .digest('hex');

      expect(hashAuditRow(row)).toBe(expected);
    }),
  );
});

test('different columns never produce the same canonical text', () => {
  const row = VECTORS[0]!.row;
  const shifted = { ...row, created_at: `${row.created_at}","detail":{},"x":"`, detail: '{"slug":"acme"}' };

  expect(hashAuditRow(shifted)).not.toBe(hashAuditRow({ ...row, detail: `{},"x":"","detail":${row.detail}` }));
});
