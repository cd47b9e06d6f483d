import type { DomainParts } from '../../contract/domain-parts.ts';
import { ssoBodyReaders, ssoRoutes } from './routes.ts';
import type { Sso } from './service.ts';

export function ssoParts(sso: Sso) {
  return { domain: 'sso', handlers: ssoRoutes(sso), body_readers: ssoBodyReaders(sso) } satisfies DomainParts;
}
