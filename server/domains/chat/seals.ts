import type { ColumnSealer, SealedColumn } from '../../db/index.ts';
import type { SlackBody } from '../../lib/slack-request.ts';

const TOKENS = sealedColumn('chat_installations', 'token_ct');
/** What a person wrote or pressed in Slack. */
const BODIES = sealedColumn('chat_requests', 'body_ct');

export const SEALED_CHAT: readonly SealedColumn[] = [TOKENS, BODIES];

interface Row extends Record<string, string> {
  org_id: string;
  id: string;
}

/** The credentials of one installation. */
export interface StoredTokens {
  access_token: string;
  refresh_token: string | null;
}

export function sealTokens(sealer: ColumnSealer, row: Row, { access_token, refresh_token }: StoredTokens): Buffer {
  return sealer.seal(TOKENS, row, Buffer.from(JSON.stringify({ access_token, refresh_token })));
}

/** @throws SealError */
export function openTokens(sealer: ColumnSealer, row: Row, sealed: Buffer): StoredTokens {
  return JSON.parse(sealer.open(TOKENS, row, sealed).toString());
}

export function sealBody(sealer: ColumnSealer, row: Row, body: SlackBody): Buffer {
  return sealer.seal(BODIES, row, Buffer.from(JSON.stringify(body)));
}

/** @throws SealError */
export function openBody(sealer: ColumnSealer, row: Row, sealed: Buffer): SlackBody {
  return JSON.parse(sealer.open(BODIES, row, sealed).toString());
}

/** Each record is bound to its column and row: it cannot be decrypted elsewhere. */
function sealedColumn(table: string, column: string): SealedColumn {
  const aad = ({ org_id = '', id = '' }: Record<string, string>) => `${table}.${column}|${org_id}|${id}`;
  return { table, column, org_column: 'org_id', key: 'id', reads: [], aad };
}
