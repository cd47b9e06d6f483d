import { escapeInvisible, plural } from '../../../engine/index.ts';
import type { Inventory, InventoryListing } from '../../../engine/inventory/index.ts';
import { EXIT_PARTLY_READ } from '../exit-codes.ts';
import { type InventoryFiles, readInventoryFiles } from '../inventory-files.ts';
import { type Format, print } from '../output.ts';
import { writeTable } from '../table.ts';

const MAX_ROWS = 40;
const MAX_REASONS = 20;
const PROVIDERS = { aws: 'AWS', gcp: 'Google Cloud', azure: 'Azure' } as const;

/** Prints what inventory files contain, and sets the exit code if a part of them was not read. */
export async function showInventory(paths: string[], options: { format: Format }): Promise<void> {
  const files = await readInventoryFiles(paths);
  const unreadable = files.inventory.files.some(({ unreadable_count }) => unreadable_count > 0);
  if (files.refused.length > 0 || unreadable) process.exitCode = EXIT_PARTLY_READ;
  const { resources, ...counts } = files.inventory;
  const body = { resource_count: resources.length, ...counts, states: files.states, refused: files.refused };
  print(options, body, () => renderInventory(files));
}

function renderInventory({ inventory, refused, states }: InventoryFiles): string {
  const { files, types, not_checked, warnings } = inventory;
  const parts = [renderHeader(inventory)];
  const unreadable = files.filter((one) => one.unreadable_count > 0);
  if (types.length + inventory.listings.length > 0) parts.push(renderTypes(inventory));
  if (not_checked.length > 0)
    parts.push(renderTable(['NOT CHECKED', 'REGION', 'REASON'], not_checked.map(toReasonRow)));
  if (warnings.length > 0) parts.push(warnings.map((one) => `warning: ${escapeInvisible(one)}\n`).join(''));
  if (states.length > 0)
    parts.push(states.map((path) => `${escapeInvisible(path)} is a state: compare it by dpa drift --state\n`).join(''));
  const refusals = [
    ...refused.map(({ name, message }) => [name, message]),
    ...unreadable.map(({ name, unreadable_count }) => [name, `${unreadable_count} without ID or type`]),
  ];
  if (refusals.length > 0) parts.push(renderTable(['NOT READ', 'REASON'], refusals));
  return parts.join('\n');
}

function renderHeader({ resources, files, accounts, regions, types }: Inventory): string {
  const complete = resources.filter(({ is_complete }) => is_complete).length;
  const named = accounts.map(({ provider, account_id }) => `${PROVIDERS[provider]} ${account_id}`);
  const places = regions.flatMap(({ region }) => region ?? []);
  const lines: [string, string][] = [
    ['files', String(files.length)],
    ['resources', `${resources.length} of ${plural(types.length, 'type')}`],
    ['complete', `${complete} with all properties; of the others, missing properties are not compared`],
    ['accounts', listSome(named, 'not in these files')],
    ['regions', listSome([...new Set(places)], 'none, or not in these files')],
  ];
  return lines.map(([name, text]) => `${name.padEnd(11)} ${escapeInvisible(text)}\n`).join('');
}

function listSome(names: readonly string[], none: string): string {
  if (names.length === 0) return none;
  const more = names.length - MAX_REASONS;
  return names.slice(0, MAX_REASONS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function renderTypes({ types, listings }: Inventory): string {
  const rows = types.map(({ provider, provider_type, resource_count, complete_count }) => {
    const covering = listings.filter((one) => one.provider === provider && covers(one, provider_type));
    return [provider_type, String(resource_count), String(complete_count), describeListings(covering)];
  });
  const shown = new Set(types.map(({ provider_type }) => provider_type));
  const empty = listings.filter(({ provider_type }) => provider_type !== null && !shown.has(provider_type));
  const others = empty.map((one) => [String(one.provider_type), '0', '0', describeListings([one])]);
  return renderTable(['TYPE', 'RESOURCES', 'COMPLETE', 'LISTED TO THE END'], [...rows, ...others]);
}

/** A listing of every type of an index is the only one without a type. */
function covers(listing: InventoryListing, provider_type: string): boolean {
  return listing.provider_type === null || listing.provider_type === provider_type;
}

function describeListings(listings: readonly InventoryListing[]): string {
  if (listings.length === 0) return 'no';
  const places = listings.map(({ scope, region, basis }) => {
    const place =
      scope === 'region' ? String(region) : scope === 'all_regions' ? 'everywhere' : 'in a region that is not known';
    return basis === 'assumed' ? `${place}, if the command had no filter` : place;
  });
  return [...new Set(places)].join(', ');
}

function toReasonRow({ provider, provider_type, region, reason, file }: Inventory['not_checked'][number]): string[] {
  return [provider_type ?? `several types of ${PROVIDERS[provider]}`, region ?? '-', `${reason} (${file})`];
}

function renderTable(head: string[], rows: string[][]): string {
  const more = rows.length - MAX_ROWS;
  return `${writeTable(head, rows.slice(0, MAX_ROWS))}${more > 0 ? `… and ${more} more\n` : ''}`;
}
