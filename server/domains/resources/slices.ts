import type { Page } from './types.ts';

/** The number of listed resources of one type. */
export interface TypeCount {
  provider_type: string;
  count: number;
}

/** Consecutive resources of one type on a page. */
export interface Slice {
  provider_type: string;
  skip: number;
  take: number;
  /** Count `skip` from the end of the type, and return the slice backwards. */
  from_end: boolean;
}

/**
 * The parts of each type that a page shows. Whole types before the page are not read at all, and the skipped part of its
 * first type is skipped from the nearer end.
 *
 * @param types in the order of the list
 */
export function sliceTypes(types: readonly TypeCount[], { limit, offset }: Page): Slice[] {
  const slices: Slice[] = [];
  let [skipped, left] = [offset, limit];
  for (const { provider_type, count } of types) {
    if (left === 0) break;
    const skip = Math.min(skipped, count);
    const take = Math.min(left, count - skip);
    skipped -= skip;
    left -= take;
    const behind = count - skip - take;
    if (take > 0) slices.push({ provider_type, take, skip: Math.min(skip, behind), from_end: behind < skip });
  }
  return slices;
}
