import type { ColumnSealer, SealedColumn } from '../../db/index.ts';

/** Bound to its row: the key of one destination cannot be decrypted as that of another. */
export const SEALED_BUCKET_KEYS: SealedColumn = {
  table: 'audit_checkpoint_destinations',
  column: 'secret_access_key_ct',
  org_column: 'org_id',
  key: 'id',
  reads: [],
  aad: ({ org_id = '', id = '' }) => `audit_checkpoint_destinations.secret_access_key_ct|${org_id}|${id}`,
};

/** Encrypts and decrypts the secret key of one destination. */
export function bucketKeySeals(sealer: ColumnSealer, org_id: string, id: string) {
  return {
    seal: (secret: string): Buffer => sealer.seal(SEALED_BUCKET_KEYS, { org_id, id }, Buffer.from(secret)),
    /** @throws SealError */
    open: (sealed: Uint8Array): string => sealer.open(SEALED_BUCKET_KEYS, { org_id, id }, sealed).toString(),
  };
}
