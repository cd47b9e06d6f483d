import type { ColumnSealer, SealedColumn } from '../../db/index.ts';

/** The URL of a Teams workflow, which is a secret: whoever knows it can post. */
const URLS = sealedColumn('notification_targets', 'url_ct');
/** An email that contains a secret link. */
const MAILS = sealedColumn('notification_deliveries', 'mail_ct');

export const SEALED_NOTIFICATIONS: readonly SealedColumn[] = [URLS, MAILS];

interface Row extends Record<string, string> {
  org_id: string;
  id: string;
}

/** An email with its recipient. */
export interface PreparedMail {
  to: string;
  subject: string;
  text: string;
}

export function sealUrl(sealer: ColumnSealer, row: Row, url: string): Buffer {
  return sealer.seal(URLS, row, Buffer.from(url));
}

/** @throws SealError */
export function openUrl(sealer: ColumnSealer, row: Row, sealed: Buffer): string {
  return sealer.open(URLS, row, sealed).toString();
}

export function sealMail(sealer: ColumnSealer, row: Row, mail: PreparedMail): Buffer {
  return sealer.seal(MAILS, row, Buffer.from(JSON.stringify(mail)));
}

/** @throws SealError */
export function openMail(sealer: ColumnSealer, row: Row, sealed: Buffer): PreparedMail {
  return JSON.parse(sealer.open(MAILS, row, sealed).toString());
}

/** Each record is bound to its column and row: it cannot be decrypted elsewhere. */
function sealedColumn(table: string, column: string): SealedColumn {
  const aad = ({ org_id = '', id = '' }: Record<string, string>) => `${table}.${column}|${org_id}|${id}`;
  return { table, column, org_column: 'org_id', key: 'id', reads: [], aad };
}
