import type { ColumnSealer, SealedColumn } from '../../db/index.ts';
import type { StoredCredentials } from './types.ts';

/** Bound to its row: the credentials of one account cannot be decrypted as those of another. */
export const SEALED_CLOUD_CREDENTIALS: SealedColumn = {
  table: 'cloud_accounts',
  column: 'credentials_ct',
  org_column: 'org_id',
  key: 'id',
  reads: [],
  aad: ({ org_id = '', id = '' }) => `cloud_accounts.credentials_ct|${org_id}|${id}`,
};

/** Encrypts and decrypts the credentials of one account. */
export function credentialSeals(sealer: ColumnSealer, org_id: string, id: string) {
  return {
    seal: (credentials: StoredCredentials): Buffer =>
      sealer.seal(SEALED_CLOUD_CREDENTIALS, { org_id, id }, Buffer.from(JSON.stringify(credentials))),
    /** @throws SealError */
    open: (sealed: Uint8Array): StoredCredentials =>
      JSON.parse(sealer.open(SEALED_CLOUD_CREDENTIALS, { org_id, id }, sealed).toString()),
  };
}
