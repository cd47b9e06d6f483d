import type { JsonValue } from '../model/result.ts';
import { isAllRegions } from './aws/rows.ts';
import type { FileNotes } from './file-notes.ts';
import { readPageFaults, readRecordedAccount } from './recorded/account.ts';
import { refuseDocument, refuseMissingType } from './refusals.ts';
import { LISTS, type ListFormat, type ReadRow, readSingle, toRow } from './rows.ts';
import type { InventoryListing } from './types.ts';

/** Members with a token for the next page, in the clouds' commands and APIs. */
const TOKENS = ['NextToken', 'PaginationToken', 'nextPageToken', 'skip_token', '$skipToken', 'skipToken', 'nextLink'];
/** A type in the name of a file, such as `AWS::S3::Bucket` or, for file systems without colons, `AWS-S3-Bucket`. */
const TYPE_IN_NAME = /(?:^|[^A-Za-z0-9])AWS(?:::|-|_)([A-Za-z0-9]{1,64})(?:::|-|_)([A-Za-z0-9]{1,64})/;

/** Puts one document together from its members and rows, which come in any order, and adds it to the notes of its file. */
export class InventoryDocument {
  private readonly notes: FileNotes;
  private readonly is_item: boolean;
  private readonly members = new Map<string, JsonValue>();
  private readonly waiting: JsonValue[] = [];
  private readonly first_row: number;
  private list: string | null = null;
  private row_count = 0;

  /** @param is_item whether the document is an item of a list */
  constructor(notes: FileNotes, is_item: boolean) {
    this.notes = notes;
    this.is_item = is_item;
    this.first_row = notes.rows.length;
  }

  member(name: string, value: JsonValue): void {
    this.members.set(name, value);
  }

  /** @returns whether the rows of this list are resources; else pass the list to `member` */
  openList(name: string): boolean {
    if (!Object.hasOwn(LISTS, name) || this.list !== null) return false;
    this.list = name;
    return true;
  }

  row(value: JsonValue): void {
    const needs = this.list === null ? undefined : LISTS[this.list]?.needs;
    this.row_count += 1;
    if (needs === undefined || this.members.has(needs)) this.readRow(value);
    else this.waiting.push(value);
  }

  private readRow(value: JsonValue): void {
    const object = toRow(value);
    const row = object === undefined ? undefined : LISTS[this.list ?? '']?.read(object, this.members);
    if (row !== undefined) this.notes.addRow(row);
  }

  /** @throws InventoryError if this is another document */
  close(): void {
    const format = this.list === null ? undefined : LISTS[this.list];
    if (format === undefined) this.closeSingle();
    else this.closeList(format);
    this.notes.document_count += 1;
  }

  private closeSingle(): void {
    if (readRecordedAccount(this.members, this.notes)) return;
    const row = readSingle(this.members, this.is_item);
    if (row === undefined) throw refuseDocument([...this.members.keys()]);
    this.notes.addRow(row);
  }

  private closeList(format: ListFormat): void {
    this.readWaiting();
    const rows = this.notes.rows.slice(this.first_row);
    if (rows.length === 0 && !this.isEmptyList(format)) throw refuseDocument([...this.members.keys(), this.list ?? '']);
    this.notes.addFormat(format.format);
    this.notes.unreadable_count += this.row_count - rows.length;
    if (format.format === 'aws_list_resources') this.closeTyped(rows);
    else if (format.format !== 'recorded_page') this.addPage(format, null);
    if (format.format === 'recorded_page')
      readPageFaults(this.members.get('faults'), rows[0]?.provider ?? 'aws', this.notes);
  }

  private readWaiting(): void {
    if (this.list !== 'ResourceDescriptions') return;
    if (!this.members.has('TypeName')) this.members.set('TypeName', this.findTypeInName());
    for (const value of this.waiting.splice(0)) this.readRow(value);
  }

  /** The command prints no type when it reads all pages, so that the name of the file may tell it. */
  private findTypeInName(): string {
    const [, service, type] = TYPE_IN_NAME.exec(this.notes.name) ?? [];
    if (service === undefined || type === undefined) throw refuseMissingType();
    return `AWS::${service}::${type}`;
  }

  private isEmptyList({ marks }: ListFormat): boolean {
    return this.row_count === 0 && (marks.length === 0 || marks.some((name) => this.members.has(name)));
  }

  /** A call of Cloud Control lists one type in one region: what one ARN tells about the place is true for all rows. */
  private closeTyped(rows: readonly ReadRow[]): void {
    const provider_type = String(this.members.get('TypeName'));
    const given = this.members.get('Region');
    const regions = new Set(rows.flatMap(({ resource }) => resource.region ?? []));
    const region = typeof given === 'string' && given !== '' ? given : regions.size === 1 ? [...regions][0] : undefined;
    const is_everywhere = isAllRegions(provider_type);
    if (regions.size > 1 && !is_everywhere) this.warnAboutRegions(provider_type, [...regions]);
    const scope = is_everywhere ? 'all_regions' : region === undefined ? 'unknown_region' : 'region';
    for (const row of rows) if (scope === 'region' && region !== undefined) row.resource.region ??= region;
    const account_id = this.findAccount(rows);
    for (const row of rows) row.account_id ??= account_id;
    this.addPage(LISTS.ResourceDescriptions as ListFormat, {
      provider: 'aws',
      account_id,
      provider_type,
      scope,
      region: scope === 'region' ? (region ?? null) : null,
      basis: 'stated',
    });
  }

  /** Null if the rows name none, or several, such as owners who share resources with the account. */
  private findAccount(rows: readonly ReadRow[]): string | null {
    const given = this.members.get('AccountId');
    if (typeof given === 'string' && given !== '') return given;
    const named = new Set(rows.flatMap(({ account_id }) => account_id ?? []));
    return named.size === 1 ? ([...named][0] ?? null) : null;
  }

  private addPage({ format }: ListFormat, listing: InventoryListing | null): void {
    const key = JSON.stringify([format, listing?.provider_type, listing?.region]);
    this.notes.addPage({ listing, key, is_cut: this.isCut() });
  }

  private isCut(): boolean {
    const hasToken = TOKENS.some((name) => isFilled(this.members.get(name)));
    return hasToken || isTrue(this.members.get('resultTruncated')) || isTrue(this.members.get('result_truncated'));
  }

  private warnAboutRegions(provider_type: string, regions: string[]): void {
    const list = regions.sort().join(', ');
    this.notes.warnings.push(
      `${this.notes.name}: one listing of ${provider_type} has resources of several regions (${list}), so the region of the listing is not known. Write one file for each region.`,
    );
  }
}

/** Reads a document that is already parsed. @throws InventoryError if this is another document */
export function readDocument(value: Readonly<Record<string, JsonValue>>, notes: FileNotes, is_item: boolean): void {
  const document = new InventoryDocument(notes, is_item);
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(member) || !document.openList(name)) document.member(name, member);
    else for (const row of member) document.row(row);
  }
  document.close();
}

function isFilled(token: JsonValue | undefined): boolean {
  return typeof token === 'string' && token !== '';
}

function isTrue(value: JsonValue | undefined): boolean {
  return String(value).toLowerCase() === 'true';
}
