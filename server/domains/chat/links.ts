/** Recognizes links to pages of an organization. */
import { parseUrl } from '../../lib/parse-url.ts';
import type { BaseUrls } from '../../lib/web-links.ts';

/** What a link leads to. */
export interface LinkedThing {
  kind: 'run' | 'drift' | 'pack';
  id: string;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const PAGES: Readonly<Record<string, LinkedThing['kind']>> = {
  scans: 'run',
  drift: 'drift',
  'compliance-packs': 'pack',
};

/**
 * @param slug of the organization whose links are recognized
 * @returns undefined for every other link
 */
export function recognizeLink(url: string, slug: string, base_urls: BaseUrls): LinkedThing | undefined {
  for (const base of [base_urls.app_url, base_urls.api_url]) {
    const path = base === null ? undefined : pathBelow(url, base);
    const thing = path === undefined ? undefined : readPath(path, slug);
    if (thing !== undefined) return thing;
  }
  return undefined;
}

/** The parts of the path after a base address; undefined for another address, or one with a signature or a password. */
function pathBelow(url: string, base: string): string[] | undefined {
  const [given, own] = [parseUrl(url), parseUrl(base)];
  if (given === undefined || own === undefined || given.origin !== own.origin) return undefined;
  if (given.username !== '' || given.password !== '' || given.search !== '') return undefined;
  const root = own.pathname.endsWith('/') ? own.pathname : `${own.pathname}/`;
  return given.pathname.startsWith(root) ? given.pathname.slice(root.length).split('/') : undefined;
}

function readPath(parts: readonly string[], slug: string): LinkedThing | undefined {
  const [first, ...rest] = parts;
  if (first === 'results' && rest.length === 1) return toThing('run', rest[0]);
  const [org, page = '', id, ...more] = first === 'orgs' ? rest : [];
  const kind = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined;
  return org === slug && kind !== undefined && more.length === 0 ? toThing(kind, id) : undefined;
}

function toThing(kind: LinkedThing['kind'], id = ''): LinkedThing | undefined {
  return UUID.test(id) ? { kind, id } : undefined;
}
