import type { SealedColumn } from '../../db/index.ts';
import type { Sealer } from '../../lib/seal.ts';

const SECRET_COLUMNS = ['secret_ct', 'prev_secret_ct', 'api_token_ct', 'api_key_ct', 'target_ct'] as const;
type SecretColumn = (typeof SECRET_COLUMNS)[number];

/** Binds a sealed text to its column and row: elsewhere it does not open. */
function configAad(column: SecretColumn, orgId: string, id: string): string {
  return `webhook_configs.${column}|${orgId}|${id}`;
}

/** Binds the sealed body of a delivery to its row. */
export function payloadAad(orgId: string, id: string): string {
  return `webhook_deliveries.payload_ct|${orgId}|${id}`;
}

/** Seals and opens the secrets of one configuration. */
export function configSeals(sealer: Sealer, orgId: string, id: string) {
  return {
    seal: (column: SecretColumn, text: string): Buffer => sealer.seal(Buffer.from(text), configAad(column, orgId, id)),
    open: (column: SecretColumn, sealed: Buffer): string =>
      sealer.open(sealed, configAad(column, orgId, id)).toString(),
  };
}

const ROWS = { org_column: 'org_id', key: 'id', reads: [] } as const;

export const SEALED_WEBHOOKS: readonly SealedColumn[] = [
  ...SECRET_COLUMNS.map((column) => ({
    table: 'webhook_configs',
    column,
    ...ROWS,
    aad: ({ org_id = '', id = '' }: Record<string, string>) => configAad(column, org_id, id),
  })),
  {
    table: 'webhook_deliveries',
    column: 'payload_ct',
    ...ROWS,
    aad: ({ org_id = '', id = '' }) => payloadAad(org_id, id),
  },
];
