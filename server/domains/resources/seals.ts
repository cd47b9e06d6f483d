import type { ColumnSealer, SealedColumn } from '../../db/index.ts';

/** Bound to its row: the properties of one resource cannot be decrypted as those of another. */
export const SEALED_PROPERTIES: SealedColumn = {
  table: 'live_resources',
  column: 'properties_ct',
  org_column: 'org_id',
  key: 'id',
  reads: [],
  aad: ({ org_id = '', id = '' }) => `live_resources.properties_ct|${org_id}|${id}`,
};

/** Encrypts and decrypts the properties of one resource. */
export function propertySeals(sealer: ColumnSealer, org_id: string, id: string) {
  return {
    seal: (properties: Readonly<Record<string, unknown>>): Buffer =>
      sealer.seal(SEALED_PROPERTIES, { org_id, id }, Buffer.from(JSON.stringify(properties))),
    /** @throws SealError */
    open: (sealed: Uint8Array): Record<string, unknown> =>
      JSON.parse(sealer.open(SEALED_PROPERTIES, { org_id, id }, sealed).toString()),
  };
}
