/** URLs that lead to the same place. */

const URL_PARTS = /^(https?):\/\/([A-Za-z0-9.-]{1,253})(?::(\d{1,5}))?(\/[^\s]*)?$/i;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * Normalizes a URL: the case of scheme and host, the port of the scheme, and the slash of an empty path do not matter.
 *
 * @returns null for any other text, also for a URL with a user or a query in place of a path
 * @see RFC 3986, section 6.2.3
 */
export function urlForm(text: string): string | null {
  if (text.length > 2_000) return null;
  const [, scheme = '', host = '', port, path = ''] = URL_PARTS.exec(text) ?? [];
  if (host === '') return null;
  const name = scheme.toLowerCase();
  const written = port === undefined || port === DEFAULT_PORTS[name] ? '' : `:${port}`;
  return `${name}://${host.toLowerCase()}${written}${path === '/' ? '' : path}`;
}
