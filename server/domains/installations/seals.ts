import type { ColumnSealer, SealedColumn } from '../../db/index.ts';

/** Bound to its row: elsewhere it cannot be decrypted. */
export const SEALED_INSTALLATION_KEYS: SealedColumn = {
  table: 'scm_installations',
  column: 'api_key_ct',
  org_column: 'org_id',
  key: 'id',
  reads: [],
  aad: ({ org_id = '', id = '' }) => `scm_installations.api_key_ct|${org_id}|${id}`,
};

/** Encrypts and decrypts the API key of one installation. */
export function keySeals(sealer: ColumnSealer, org_id: string, id: string) {
  return {
    seal: (token: string): Buffer => sealer.seal(SEALED_INSTALLATION_KEYS, { org_id, id }, Buffer.from(token)),
    open: (sealed: Buffer): string => sealer.open(SEALED_INSTALLATION_KEYS, { org_id, id }, sealed).toString(),
  };
}
