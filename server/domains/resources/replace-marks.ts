import type { FoundLink } from './types.ts';

/** A mark, as `createMark` makes them, and the ID of a change. */
const PLACE = /"([0-9a-f]{16})(chg_[0-9a-f]{16})"/g;

/**
 * The result of an analysis with the IDs of live resources in the places that were marked for them.
 *
 * @param text JSON; `mark` and the ID of a change is the whole value of each place, and occurs nowhere else
 */
export function replaceMarks(text: string, mark: string, links: readonly FoundLink[]): string {
  const found = new Map(links.map(({ change_id, live_resource_id }) => [change_id, live_resource_id]));
  return text.replace(PLACE, (whole, of_place: string, change_id: string) =>
    of_place === mark ? JSON.stringify(found.get(change_id) ?? null) : whole,
  );
}
