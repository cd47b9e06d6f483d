import { dropTrailing } from '../../../engine/index.ts';
import { type BaseUrls, servicePage } from '../../lib/web-links.ts';
import type { Denial } from './types.ts';

/** The outcome of a visit to GitHub. */
export type CallbackOutcome = { scm: 'connected' | 'pending' } | { scm: 'denied'; reason: Denial };

/** On the service itself, for deployments without a web UI. */
const OWN_PAGE = '/github/return';

/**
 * The redirect target for a person who returns from GitHub.
 *
 * @param slug of the organization; undefined if it is not known
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
