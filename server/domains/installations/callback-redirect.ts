import { dropTrailing } from '../../../engine/index.ts';
import { type BaseUrls, servicePage } from '../../lib/web-links.ts';
import type { Denial } from './types.ts';

/** How a visit to GitHub ended. */
export type CallbackOutcome = { scm: 'connected' | 'pending' } | { scm: 'denied'; reason: Denial };

/** On the service itself, for deployments without web pages. */
const OWN_PAGE = '/github/return';

/**
 * Where a person lands who comes back from GitHub.
 *
 * @param slug of the org; undefined when it is not known
 */
export function buildCallbackRedirect(
  { app_url, api_url }: BaseUrls,
  slug: string | undefined,
  outcome: CallbackOutcome,
): string {
  const query = new URLSearchParams({ ...outcome });
  if (app_url === null) return `${servicePage({ api_url }, OWN_PAGE)}?${query}`;
  const page = slug === undefined ? '/settings' : `/orgs/${encodeURIComponent(slug)}/settings/integrations`;
  return `${dropTrailing(app_url, '/')}${page}?${query}`;
}

export function toDenial(reason: Denial): CallbackOutcome {
  return { scm: 'denied', reason };
}
