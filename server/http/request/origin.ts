import type { Request } from 'express';

/**
 * The address that a request was sent to, without a path. Behind trusted proxies it is what the nearest of them says
 * (`X-Forwarded-Proto`, `X-Forwarded-Host`), else the header `Host`; where that is no host, the socket's own address.
 */
export function resolveOrigin(req: Request): string {
  const named = `${req.protocol}://${req.host}`;
  if (URL.canParse(named) && new URL(named).host !== '') return new URL(named).origin;
  const { localAddress = '127.0.0.1', localPort } = req.socket;
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `${req.protocol}://${host}:${localPort}`;
}
