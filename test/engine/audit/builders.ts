import { type AuditChainRow, auditDetailText, hashAuditRow } from '../../../engine/index.ts';

export const ORG = '3f1c2b9e-6a54-4f0e-9d0b-0c8a5b7e1d11';
export const OTHER_ORG = '3f1c2b9e-6a54-4f0e-9d0b-0c8a5b7e1d22';

/** `row` with its correct hash, as a person with write access to the table could store it. */
export function rehashed(row: AuditChainRow): AuditChainRow {
  return { ...row, hash: hashAuditRow(row) };
}

/** An intact chain of `length` rows with unusual texts. */
export function aChain(org_id: string | null, length: number, action = 'custom_rule.created'): AuditChainRow[] {
  const rows: AuditChainRow[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    rows.push(
      rehashed({
        id: `00000000-0000-4000-8000-${org_id?.slice(-1) ?? 'f'}${String(seq).padStart(11, '0')}`,
        org_id,
        seq,
        actor_email: seq % 3 === 0 ? '' : `zoë+${seq}@example.com`,
        action,
        detail: auditDetailText({ name: `a "b"\\n\u2028 \u0001 \ud83d\ude00 ${seq}`, rule_id: null, size: seq }),
        created_at: new Date(Date.UTC(2026, 0, 2) + seq).toISOString(),
        prev_hash: rows.at(-1)?.hash ?? null,
        hash: '',
      }),
    );
  }
  return rows;
}
