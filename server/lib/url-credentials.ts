import { parseUrl } from './parse-url.ts';

/** Names of query parameters that contain a credential in any URL. Compared in lower case. */
const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  'private_token',
  'access_token',
  'job_token',
  'auth_token',
  'token',
  'api_key',
  'api-key',
  'apikey',
  'key',
  'password',
  'passwd',
  'pwd',
  'secret',
  'client_secret',
  'credential',
  'sig',
  'signature',
  'auth',
  'authorization',
  'code',
]);
/** Prefixes of the parameters of presigned URLs. */
const SIGNED_PREFIXES = ['x-amz-', 'x-goog-'];

/**
 * Removes credentials from a URL: user name and password, and the whole query and fragment if one of their parameters
 * is named like a credential. A URL without credentials is returned unchanged.
 *
 * Only for URLs that are shown. Reject URLs that will be called with `hasCredentials`: without its credentials such a
 * URL has another meaning.
 *
 * @param text an absolute http or https URL
 * @returns undefined if the text is not such a URL, so that unreadable text is not stored either
 */
export function withoutCredentials(text: string): string | undefined {
  const url = parseHttpUrl(text);
  if (url === undefined) return undefined;
  if (!holdsCredentials(url)) return text;
  if (namesCredential(url)) {
    url.search = '';
    url.hash = '';
  }
  url.username = '';
  url.password = '';
  return url.href;
}

/** Whether a URL contains credentials that `withoutCredentials` would remove; false if the text is not a URL. */
export function hasCredentials(text: string): boolean {
  const url = parseHttpUrl(text);
  return url !== undefined && holdsCredentials(url);
}

function parseHttpUrl(text: string): URL | undefined {
  const url = parseUrl(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

function holdsCredentials(url: URL): boolean {
  return url.username !== '' || url.password !== '' || namesCredential(url);
}

function namesCredential({ search, hash }: URL): boolean {
  const parts = [...search.slice(1).split(/[&;]/), ...hash.slice(1).split(/[?&;]/)];
  return parts.some((part) => part.includes('=') && isCredentialName(decoded(part.split('=', 1)[0] ?? '')));
}

function isCredentialName(name: string): boolean {
  const lower = name.toLowerCase();
  return CREDENTIAL_NAMES.has(lower) || SIGNED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim();
  } catch {
    return name;
  }
}
