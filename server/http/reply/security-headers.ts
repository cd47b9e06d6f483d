import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { HtmlPage } from '../../contract/html-page.ts';

type Directives = Record<string, string[]>;

/** Answers are data: nothing in them may load, frame or run. */
const API_POLICY: Directives = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] };

/** The page of the contract runs one script of ours, which builds its styles and its search worker itself. */
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

/** A page has one style and perhaps a form, and runs nothing; no other page may show it in a frame, and no search engine keeps it. */
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

/** What helmet would set. Nothing of it depends on the request, so it is asked once. */
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
