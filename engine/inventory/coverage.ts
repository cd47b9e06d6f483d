import { groupBy } from '../lib/group-by.ts';
import type { InventoryListing, NotChecked } from './types.ts';

/** Listings of all files, without those of which another file says that it was cut. Each once, in a fixed order. */
export function mergeListings(listings: readonly InventoryListing[], cuts: readonly NotChecked[]): InventoryListing[] {
  const found = new Map<string, InventoryListing>();
  const isCut = createCutSearch(cuts);
  for (const listing of listings) {
    if (isCut(listing)) continue;
    const { provider, account_id, provider_type, scope, region } = listing;
    const key = JSON.stringify([provider, account_id, provider_type, scope, region]);
    if (found.get(key)?.basis !== 'stated') found.set(key, listing);
  }
  return sortByText([...found.entries()], ([key]) => key).map(([, listing]) => listing);
}

/** A cut without a region is about every region, and so is a listing without one. */
function createCutSearch(cuts: readonly NotChecked[]): (listing: InventoryListing) => boolean {
  const byType = groupBy(cuts, ({ provider, provider_type }) => JSON.stringify([provider, provider_type]));
  return ({ provider, provider_type, region, account_id }) =>
    (byType.get(JSON.stringify([provider, provider_type])) ?? []).some(
      (cut) => mayBeSame(cut.region, region) && mayBeSame(cut.account_id, account_id),
    );
}

function mayBeSame(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b;
}

export function mergeNotChecked(all: readonly NotChecked[]): NotChecked[] {
  const found = new Map(all.map((one) => [writeNotChecked(one), one]));
  return sortByText([...found.entries()], ([key]) => key).map(([, one]) => one);
}

function writeNotChecked({ provider, provider_type, account_id, region, reason, file }: NotChecked): string {
  return JSON.stringify([provider, provider_type, account_id, region, reason, file]);
}

function sortByText<T>(list: T[], read: (one: T) => string): T[] {
  return list.sort((a, b) => (read(a) < read(b) ? -1 : 1));
}
