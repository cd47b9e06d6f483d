import { isIP } from 'node:net';
import { parseUrl } from '../../lib/parse-url.ts';
import { isPublicAddress } from './addresses.ts';
import type { IsAllowed } from './allowed-hosts.ts';
import { isPublicName } from './names.ts';

const MAX_LENGTH = 2_000;
/** Common https ports. Other ports usually belong to internal services. */
const PORTS = new Set(['', '8443']);
const NOT_HTTPS = 'must be a URL that begins with https://';

/**
 * Why a URL must not be called, as the end of a sentence that starts with its field name; undefined if it can be
 * called. An allowed URL can use http and be private.
 */
export function describeRefusal(text: string, isAllowed: IsAllowed, max_length = MAX_LENGTH): string | undefined {
  if (text.length > max_length) return `must have at most ${max_length} characters`;
  // `URL` removes line breaks and reads a backslash as a slash; other parsers read them differently.
  if (/[\s\\\p{Cc}]/u.test(text)) return 'must not contain spaces, control characters or backslashes';
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  const url = parseUrl(text);
  if (authority === undefined || url === undefined) return NOT_HTTPS;
  if (authority.includes('@')) return 'must not contain a user name or password';
  return isAllowed(url) ? undefined : describePublicRefusal(url);
}

function describePublicRefusal({ protocol, hostname, port }: URL): string | undefined {
  if (protocol !== 'https:') return NOT_HTTPS;
  if (!PORTS.has(port)) return 'must use port 443 or 8443';
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const is_public = isIP(literal) === 0 ? isPublicName(hostname) : isPublicAddress(literal);
  return is_public ? undefined : `must name a server on the public internet, not "${hostname.slice(0, 100)}"`;
}
