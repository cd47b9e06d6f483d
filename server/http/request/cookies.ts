import type { Request } from 'express';
import type { Operation } from '../contract/operations.ts';

/** The declared cookies of an operation among the received ones; the first of each name. @see RFC 6265, section 5.4 */
export function declaredCookies(req: Request, { cookie_names }: Operation): Record<string, string> {
  if (cookie_names.length === 0) return {};
  const found = new Map<string, string>();
  for (const pair of (req.headers.cookie ?? '').split(';')) {
    const end = pair.indexOf('=');
    const name = pair.slice(0, Math.max(end, 0)).trim();
    if (cookie_names.includes(name) && !found.has(name)) found.set(name, pair.slice(end + 1).trim());
  }
  return Object.fromEntries(found);
}
