export interface Page {
  total: number;
  limit: number;
  offset: number;
}

/**
 * The header Link of a page: first, prev, next and last if they exist, as paths on this host.
 *
 * @param url path and query of the request; its other parameters are kept
 * @see RFC 8288, section 3
 */
export function pageLinks(url: string, { total, limit, offset }: Page): string {
  const [path = '', query = ''] = url.split('?', 2);
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const rels: [string, number][] = [['first', 0]];
  if (offset > 0) rels.push(['prev', Math.max(0, Math.min(offset - limit, last))]);
  if (offset + limit < total) rels.push(['next', offset + limit]);
  rels.push(['last', last]);
  return rels.map(([rel, at]) => `<${path}?${withPage(query, limit, at)}>; rel="${rel}"`).join(', ');
}

function withPage(query: string, limit: number, offset: number): string {
  const params = new URLSearchParams(query);
  params.set('limit', String(limit));
  params.set('offset', String(offset));
  return params.toString();
}
