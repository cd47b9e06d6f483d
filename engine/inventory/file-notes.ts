import type { ReadRow } from './rows.ts';
import type { InventoryFile, InventoryFormat, InventoryListing, NotChecked } from './types.ts';

/** Formats that are lists of several types and do not say what was asked for. */
const LISTS_OF_TYPES: ReadonlySet<InventoryFormat> = new Set([
  'gcp_asset_list',
  'gcp_asset_search',
  'azure_graph_query',
  'azure_resource_list',
]);

const REASONS = {
  cut: 'The listing was cut: it has a token for more results. Read all pages, without a limit on the number of results.',
  unreadable: 'Some entries of the file could not be read.',
} as const;

/** A page of a listing: what it would cover if it was the last one. */
export interface ListingPage {
  /** The listing; null for pages of many types. */
  listing: InventoryListing | null;
  /** Pages with the same key that follow each other in a file are one listing. */
  key: string;
  /** There are more results than the page has. */
  is_cut: boolean;
}

/** A recorded account, from its `account.json`. */
export interface Recording {
  provider: InventoryListing['provider'];
  account_id: string;
  /** The pages that the account needs, relative to the folder, and what is not known without each of them. */
  pages: { name: string; part: NotChecked }[];
}

/** What was read from one file so far. */
export class FileNotes {
  readonly name: string;
  readonly rows: ReadRow[] = [];
  readonly listings: InventoryListing[] = [];
  /** Listings that were not read to their end; they also revoke listings of the same type in other files. */
  readonly cuts: NotChecked[] = [];
  readonly not_checked: NotChecked[] = [];
  readonly warnings: string[] = [];
  /** What this file says about the other files of its recorded account. */
  recording: Recording | null = null;
  document_count = 0;
  unreadable_count = 0;
  private readonly formats = new Set<InventoryFormat>();
  private open: ListingPage | null = null;
  private hasCutList = false;

  constructor(name: string) {
    this.name = name;
  }

  addFormat(format: InventoryFormat): void {
    this.formats.add(format);
  }

  addRow(row: ReadRow): void {
    this.formats.add(row.format);
    this.rows.push(row);
  }

  addPage(page: ListingPage): void {
    if (this.open !== null && this.open.key !== page.key) this.cutOpen();
    this.open = page.is_cut ? page : null;
    if (!page.is_cut && page.listing !== null) this.listings.push(page.listing);
  }

  /** The last page of a listing is missing. */
  private cutOpen(): void {
    const listing = this.open?.listing ?? null;
    if (listing === null) this.hasCutList ||= this.open !== null;
    else this.cuts.push(this.toCut(listing, 'cut'));
    this.open = null;
  }

  private toCut(
    { provider, account_id, provider_type, region }: InventoryListing,
    code: 'cut' | 'unreadable',
  ): NotChecked {
    return { provider, account_id, provider_type, region, code, reason: REASONS[code], file: this.name };
  }

  /** Call it at the end of the file. */
  finish(): InventoryFile {
    this.cutOpen();
    this.listings.push(...this.assumeListings());
    if (this.hasCutList || this.unreadable_count > 0) this.revoke();
    const { name, document_count, unreadable_count } = this;
    const formats = [...this.formats].sort();
    return { name, formats, document_count, resource_count: this.rows.length, unreadable_count };
  }

  private assumeListings(): InventoryListing[] {
    const seen = new Map<string, InventoryListing>();
    for (const { provider, account_id, format, resource } of this.rows) {
      const { provider_type } = resource;
      const key = JSON.stringify([account_id, provider_type]);
      if (!LISTS_OF_TYPES.has(format) || seen.has(key)) continue;
      const place = { scope: 'all_regions', region: null, basis: 'assumed' } as const;
      seen.set(key, { provider, account_id, provider_type, ...place });
    }
    return [...seen.values()];
  }

  private revoke(): void {
    const code = this.unreadable_count === 0 ? 'cut' : 'unreadable';
    for (const listing of this.listings.splice(0)) this.cuts.push(this.toCut(listing, code));
  }
}
