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

/** The properties that a listing shows, bound to their resource. */
export const SEALED_LISTINGS: SealedColumn = {
  table: 'live_resources',
  column: 'listed_ct',
  org_column: 'org_id',
  key: 'id',
  reads: [],
  aad: ({ org_id = '', id = '' }) => `live_resources.listed_ct|${org_id}|${id}`,
};

/** @param properties as JSON */
export function sealListed(sealer: ColumnSealer, row: { org_id: string; id: string }, properties: Uint8Array): Buffer {
  return sealer.seal(SEALED_LISTINGS, { ...row }, properties);
}

/** The properties as JSON. @throws SealError */
export function openListed(
  sealer: ColumnSealer,
  { listed_ct, ...row }: { org_id: string; id: string; listed_ct: Uint8Array },
): Buffer {
  return sealer.open(SEALED_LISTINGS, { ...row }, listed_ct);
}
