import type { ColumnSealer, SealedColumn } from '../../db/index.ts';

const SECRET_COLUMNS = ['secret_ct', 'prev_secret_ct', 'api_token_ct', 'api_key_ct', 'target_ct'] as const;
type SecretColumn = (typeof SECRET_COLUMNS)[number];

const SECRETS = Object.fromEntries(
  SECRET_COLUMNS.map((column) => [column, sealedColumn('webhook_configs', column)]),
) as Record<SecretColumn, SealedColumn>;

/** The encrypted body of a delivery. */
export const PAYLOAD_COLUMN = sealedColumn('webhook_deliveries', 'payload_ct');

export const SEALED_WEBHOOKS: readonly SealedColumn[] = [...Object.values(SECRETS), PAYLOAD_COLUMN];

/** Encrypts and decrypts the secrets of one configuration. */
export function configSeals(sealer: ColumnSealer, org_id: string, id: string) {
  return {
    seal: (column: SecretColumn, text: string): Buffer =>
      sealer.seal(SECRETS[column], { org_id, id }, Buffer.from(text)),
    open: (column: SecretColumn, sealed: Buffer): string =>
      sealer.open(SECRETS[column], { org_id, id }, sealed).toString(),
  };
}

/** Each record is bound to its column and row: it cannot be decrypted elsewhere. */
function sealedColumn(table: string, column: string): SealedColumn {
  const aad = ({ org_id = '', id = '' }: Record<string, string>) => `${table}.${column}|${org_id}|${id}`;
  return { table, column, org_column: 'org_id', key: 'id', reads: [], aad };
}
