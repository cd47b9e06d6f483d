import { dropTrailing } from '../../../engine/index.ts';
import type { Denial } from './types.ts';

/** How a visit to GitHub ended. */
export type Outcome = { scm: 'connected' | 'pending' } | { scm: 'denied'; reason: Denial };

/**
 * Where a person lands who comes back from GitHub.
 *
 * @param app_url where people's browsers find the service; null = a path
 * @param slug of the org; undefined when it is not known
 */
export function landing(app_url: string | null, slug: string | undefined, outcome: Outcome): string {
  const page = slug === undefined ? '/settings' : `/orgs/${encodeURIComponent(slug)}/settings/integrations`;
  return `${dropTrailing(app_url ?? '', '/')}${page}?${new URLSearchParams({ ...outcome })}`;
}

export function denied(reason: Denial): Outcome {
  return { scm: 'denied', reason };
}
