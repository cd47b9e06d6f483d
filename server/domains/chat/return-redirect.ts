import { dropTrailing } from '../../../engine/index.ts';
import { type BaseUrls, servicePage } from '../../lib/web-links.ts';
import type { Denial, ReturnOutcome } from './types.ts';

/** On the service itself, for deployments without a web UI. */
const OWN_PAGE = '/slack/return';

/**
 * The redirect target for a person who returns from Slack.
 *
 * @param slug of the organization; undefined if it is not known
 */
export function buildReturnRedirect(
  { app_url, api_url }: BaseUrls,
  slug: string | undefined,
  outcome: ReturnOutcome,
): string {
  const query = new URLSearchParams({ ...outcome });
  if (app_url === null) return `${servicePage({ api_url }, OWN_PAGE)}?${query}`;
  const page = slug === undefined ? '/settings' : `/orgs/${encodeURIComponent(slug)}/settings/integrations`;
  return `${dropTrailing(app_url, '/')}${page}?${query}`;
}

export function toDenial(reason: Denial): ReturnOutcome {
  return { chat: 'denied', reason };
}
