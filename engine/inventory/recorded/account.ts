import { isObject } from '../../lib/is-object.ts';
import type { JsonValue } from '../../model/result.ts';
import { scrubText } from '../../redact/scrub-text.ts';
import type { FileNotes } from '../file-notes.ts';
import type { Header } from '../rows.ts';
import type { InventoryListing, InventoryProvider, NotChecked } from '../types.ts';

const PROVIDERS: readonly unknown[] = ['aws', 'gcp', 'azure'];

/** `account.json` says which parts of the account were listed, and which were not. @returns false for another document */
export function readRecordedAccount(members: Header, notes: FileNotes): boolean {
  const [provider, parts, unchecked] = [members.get('provider'), members.get('parts'), members.get('unchecked')];
  if (members.get('format') !== 1 || !PROVIDERS.includes(provider) || !Array.isArray(parts)) return false;
  const named = provider as InventoryProvider;
  notes.addFormat('recorded_account');
  for (const part of parts.filter(isObject)) {
    // The indexes of AWS leave out what has no tag, or is not indexed yet: they list nothing to its end.
    const is_listing = named !== 'aws' || readText(part.provider_type) !== null;
    if (part.ends_with === null && is_listing) notes.listings.push(toListing(named, part.provider_type, part.region));
    else if (part.ends_with !== null)
      notes.cuts.push(toNotChecked(named, part, readMessage(part.ends_with), notes.name));
  }
  for (const part of Array.isArray(unchecked) ? unchecked.filter(isObject) : [])
    notes.not_checked.push(toNotChecked(named, part, readMessage(part), notes.name));
  return true;
}

/** What a page leaves out. The page does not name the cloud, so its resources tell it. */
export function readPageFaults(faults: JsonValue | undefined, provider: InventoryProvider, notes: FileNotes): void {
  for (const fault of Array.isArray(faults) ? faults.filter(isObject) : [])
    notes.cuts.push(toNotChecked(provider, fault, readMessage(fault), notes.name));
}

function toListing(
  provider: InventoryProvider,
  type: JsonValue | undefined,
  region: JsonValue | undefined,
): InventoryListing {
  const place = readText(region);
  const scope = place === null ? 'all_regions' : 'region';
  return { provider, provider_type: readText(type), scope, region: place, basis: 'stated' };
}

function toNotChecked(
  provider: InventoryProvider,
  { provider_type, region }: Record<string, JsonValue>,
  reason: string,
  file: string,
): NotChecked {
  return { provider, provider_type: readText(provider_type), region: readText(region), reason, file };
}

function readMessage(value: JsonValue | undefined): string {
  const message = isObject(value) ? value.message : undefined;
  return typeof message === 'string' ? scrubText(message.slice(0, 500)) : 'The recording does not say why.';
}

function readText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
