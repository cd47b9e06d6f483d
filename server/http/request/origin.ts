import type { Request } from 'express';
import { parseUrl } from '../../lib/parse-url.ts';

/**
 * The origin that a request was sent to. Behind trusted proxies, it comes from the nearest one (`X-Forwarded-Proto`,
 * `X-Forwarded-Host`), otherwise from the header `Host`; if that is not a valid host, it is the socket's address.
 */
export function resolveOrigin(req: Request): string {
  const named = `${req.protocol}://${req.host}`;
  const url = parseUrl(named);
  if (url !== undefined && url.host !== '') return url.origin;
  const { localAddress = '127.0.0.1', localPort } = req.socket;
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `${req.protocol}://${host}:${localPort}`;
}
