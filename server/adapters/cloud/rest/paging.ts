import type { CloudFault, FoundResource, ScanPage } from '../types.ts';
import { createCloudError, toFault } from './fault.ts';

/** More restarts mean that the part cannot be read before its page tokens expire. */
const MAX_RESTARTS = 2;

/** What a cloud returned for one page token. */
export interface TokenPage {
  resources: readonly FoundResource[];
  next_token: string | null;
  faults: readonly CloudFault[];
}

/** Thrown if the cloud no longer accepts a page token. */
export class ExpiredPageToken extends Error {
  override readonly name = 'ExpiredPageToken';
}

/**
 * Reads one page. If the page token of the cursor has expired, the part is read again from its start: resources are
 * stored by ID, so reading some of them twice does no harm.
 *
 * @param cursor null, or the `next_cursor` of an earlier page: number of restarts, a colon, and the cloud's token
 * @throws CloudError `truncated` if the tokens expired again and again; errors of `read`
 */
export async function readTokenPage(
  cursor: string | null,
  read: (token: string | null) => Promise<TokenPage>,
  service: string,
): Promise<ScanPage> {
  const { restarts, token } = parseCursor(cursor);
  try {
    return toScanPage(await read(token), { restarts, token, service });
  } catch (error) {
    if (!(error instanceof ExpiredPageToken)) throw error;
    if (token === null || restarts >= MAX_RESTARTS) throw tooManyRestarts(service);
    const page = await read(null);
    return { ...toScanPage(page, { restarts: restarts + 1, token: null, service }), restarted: true };
  }
}

interface Position {
  restarts: number;
  token: string | null;
}

function parseCursor(cursor: string | null): Position {
  if (cursor === null) return { restarts: 0, token: null };
  const colon = cursor.indexOf(':');
  return { restarts: Number(cursor.slice(0, colon)) || 0, token: cursor.slice(colon + 1) };
}

function toScanPage(page: TokenPage, from: Position & { service: string }): ScanPage {
  const { resources, next_token, faults } = page;
  // The same token again would never end.
  if (next_token !== null && next_token === from.token) {
    const message = `The page token of ${from.service} did not change. The rest of this part was not read. Scan again later.`;
    const fault = toFault({ code: 'truncated', message, service: from.service, retryable: true });
    return { resources, next_cursor: null, faults: [...faults, fault] };
  }
  return { resources, next_cursor: next_token === null ? null : `${from.restarts}:${next_token}`, faults };
}

function tooManyRestarts(service: string) {
  const message = `The page tokens of ${service} expired before this part was read to its end, ${MAX_RESTARTS + 1} times. Only a part of it was read. Scan again when fewer scans run.`;
  return createCloudError({ code: 'truncated', message, service, retryable: true });
}
