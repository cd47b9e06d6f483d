import { groupBy } from '../lib/group-by.ts';
import { mergeListings, mergeNotChecked } from './coverage.ts';
import { FileNotes } from './file-notes.ts';
import { DocumentStream, type InventoryLimits } from './file-reader.ts';
import { nameProjects } from './gcp/projects.ts';
import { mergeRows, toLiveResource } from './merge.ts';
import { joinRecordings } from './recorded/folder.ts';
import type { ReadRow } from './rows.ts';
import type { Inventory, InventoryAccount, InventoryFile, InventoryRegion, InventoryType } from './types.ts';
import { describeContradictions } from './warnings.ts';

export interface InventoryFileReader {
  /** @param chunk the next bytes, split at any position; the caller may reuse it afterward */
  write(chunk: Uint8Array): void;
  /** Adds the file to the inventory. */
  end(): InventoryFile;
}

export interface InventoryReader {
  /**
   * Begins a file. `write` and `end` throw InventoryError when it is not an inventory; then nothing of it counts, and the
   * next file can be read.
   *
   * @param name appears in the result; a type in it, such as `AWS-S3-Bucket`, counts for listings that name none
   */
  file(name: string): InventoryFileReader;
  end(): Inventory;
}

/**
 * Reads what the commands of the clouds print as JSON, and recorded accounts. Formats are recognized by content; a file has
 * one or many documents. Secrets are removed as by a scan. Memory holds the resources, and of the file that is being read
 * only the current entry.
 */
export function createInventoryReader(limits: InventoryLimits = {}): InventoryReader {
  const all: { notes: FileNotes; file: InventoryFile }[] = [];

  function file(name: string): InventoryFileReader {
    const notes = new FileNotes(name);
    const stream = new DocumentStream(notes, limits);
    return {
      write: (chunk) => stream.write(chunk),
      end() {
        stream.end();
        const read = notes.finish();
        all.push({ notes, file: read });
        return read;
      },
    };
  }

  return { file, end: () => summarize(all) };
}

function summarize(all: readonly { notes: FileNotes; file: InventoryFile }[]): Inventory {
  const notes = all.map((one) => one.notes);
  const missing = joinRecordings(notes);
  const { rows, contradicting } = mergeRows(nameProjects(notes.flatMap((one) => one.rows)));
  const cuts = [...missing, ...notes.flatMap((one) => one.cuts)];
  const accounts = countAccounts(rows);
  return {
    resources: rows.map(toLiveResource),
    listings: mergeListings(
      notes.flatMap((one) => one.listings),
      cuts,
    ),
    not_checked: mergeNotChecked([...cuts, ...notes.flatMap((one) => one.not_checked)]),
    accounts,
    regions: countRegions(rows),
    types: countTypes(rows),
    files: all.map((one) => one.file).sort((a, b) => (a.name < b.name ? -1 : 1)),
    warnings: [...notes.flatMap((one) => one.warnings).sort(), ...describeContradictions(accounts, contradicting)],
  };
}

function countAccounts(rows: readonly ReadRow[]): InventoryAccount[] {
  const known = rows.filter(({ account_id }) => account_id !== null);
  return countBy(known, ({ provider, account_id }) => JSON.stringify([provider, account_id])).map(
    ([[first], count]) => ({
      provider: first.provider,
      account_id: first.account_id as string,
      resource_count: count,
    }),
  );
}

function countRegions(rows: readonly ReadRow[]): InventoryRegion[] {
  return countBy(rows, ({ provider, resource }) => JSON.stringify([provider, resource.region])).map(
    ([[first], count]) => ({ provider: first.provider, region: first.resource.region, resource_count: count }),
  );
}

function countTypes(rows: readonly ReadRow[]): InventoryType[] {
  return countBy(rows, ({ provider, resource }) => JSON.stringify([provider, resource.provider_type])).map(
    ([group, count]) => ({
      provider: group[0].provider,
      provider_type: group[0].resource.provider_type,
      resource_count: count,
      complete_count: group.filter(({ is_complete }) => is_complete).length,
    }),
  );
}

/** Groups with their sizes, the largest first. */
function countBy(rows: readonly ReadRow[], read: (row: ReadRow) => string): [[ReadRow, ...ReadRow[]], number][] {
  const groups = [...groupBy(rows, read).entries()];
  groups.sort(([key, a], [other, b]) => b.length - a.length || (key < other ? -1 : 1));
  return groups.map(([, group]) => [group as [ReadRow, ...ReadRow[]], group.length]);
}
