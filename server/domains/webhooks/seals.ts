import type { Sealer } from '../../lib/seal.ts';

type SecretColumn = 'secret_ct' | 'prev_secret_ct' | 'api_token_ct' | 'api_key_ct';

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
