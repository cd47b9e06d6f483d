import type { FoundLink } from './types.ts';

/**
 * The result of an analysis with the IDs of live resources in the places that were marked for them.
 *
 * @param text JSON; `mark` and the ID of a change is the whole value of each place, and occurs nowhere else
 */
export function replaceMarks(text: string, mark: string, links: readonly FoundLink[]): string {
  const found = new Map(links.map(({ change_id, live_resource_id }) => [change_id, live_resource_id]));
  const place = new RegExp(`"${mark}(chg_[0-9a-f]{16})"`, 'g');
  return text.replace(place, (_, change_id: string) => JSON.stringify(found.get(change_id) ?? null));
}
