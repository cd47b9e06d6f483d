import type { SealedColumn } from '../../db/index.ts';
import type { Sealer } from '../../lib/seal.ts';

/** Binds the sealed API key to its row: elsewhere it does not open. */
function keyAad(orgId: string, id: string): string {
  return `scm_installations.api_key_ct|${orgId}|${id}`;
}

/** Seals and opens the API key of one installation. */
export function keySeals(sealer: Sealer, orgId: string, id: string) {
  return {
    seal: (token: string): Buffer => sealer.seal(Buffer.from(token), keyAad(orgId, id)),
    open: (sealed: Buffer): string => sealer.open(sealed, keyAad(orgId, id)).toString(),
  };
}

export const SEALED_INSTALLATION_KEYS: SealedColumn = {
  table: 'scm_installations',
  column: 'api_key_ct',
  org_column: 'org_id',
  key: 'id',
  reads: [],
  aad: ({ org_id = '', id = '' }) => keyAad(org_id, id),
};
