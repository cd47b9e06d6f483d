import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { HtmlPage } from '../../contract/html-page.ts';

type Directives = Record<string, string[]>;

/** Responses are data: they must not load, frame or run anything. */
const API_POLICY: Directives = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] };

/** The documentation page runs one script of this service, which creates its styles and its search worker itself. */
const DOCS_POLICY: Directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
};

const API_HEADERS = buildHeaders(API_POLICY);
export const DOCS_HEADERS = Object.fromEntries(buildHeaders(DOCS_POLICY));

export function setSecurityHeaders(res: ServerResponse): void {
  for (const [name, value] of API_HEADERS) res.setHeader(name, value);
}

/**
 * A page has one style and possibly a form, and runs nothing; other pages cannot frame it, and search engines do not
 * index it.
 */
export function buildPageHeaders({ style, form_redirect_origins }: HtmlPage): Record<string, string> {
  return {
    'X-Robots-Tag': 'noindex, nofollow',
    ...Object.fromEntries(
      buildHeaders({
        'default-src': ["'none'"],
        'style-src': [`'sha256-${hash('sha256', style, 'base64')}'`],
        'form-action': ["'self'", ...form_redirect_origins],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
      }),
    ),
  };
}

/** The headers that helmet would set. They do not depend on the request, so they are computed once. */
function buildHeaders(directives: Directives): [string, string][] {
  const headers: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  const policy = helmet({ contentSecurityPolicy: { useDefaults: false, directives }, frameguard: { action: 'deny' } });
  policy({} as IncomingMessage, recorder as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return headers;
}
