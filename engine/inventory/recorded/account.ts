import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import { scrubText } from '../../redact/scrub-text.ts';
import type { FileNotes, Recording } from '../file-notes.ts';
import type { Header } from '../rows.ts';
import type { InventoryListing, InventoryProvider, NotChecked } from '../types.ts';

const PROVIDERS: readonly unknown[] = ['aws', 'gcp', 'azure'];

/** `account.json` says which parts of the account were listed, and which were not. @returns false for another document */
export function readRecordedAccount(members: Header, notes: FileNotes): boolean {
  const [provider, parts, unchecked] = [members.get('provider'), members.get('parts'), members.get('unchecked')];
  if (members.get('format') !== 1 || !PROVIDERS.includes(provider) || !Array.isArray(parts)) return false;
  const account_id = readText(members.get('external_account_id'));
  const place: Place = { provider: provider as InventoryProvider, account_id, file: notes.name };
  notes.addFormat('recorded_account');
  const pages: Recording['pages'] = [];
  for (const part of parts.filter(isObject)) {
    if (part.ends_with !== null) notes.cuts.push(toNotChecked(place, part, part.ends_with));
    // The indexes of AWS leave out what has no tag, or is not indexed yet: they list nothing to its end.
    else if (provider !== 'aws' || readText(part.provider_type) !== null) notes.listings.push(toListing(place, part));
    pages.push(...listPages(place, part));
  }
  for (const part of Array.isArray(unchecked) ? unchecked.filter(isObject) : [])
    notes.not_checked.push(toNotChecked(place, part, part));
  if (account_id !== null) notes.recording = { provider: place.provider, account_id, pages };
  return true;
}

/** What a file is about. */
type Place = Pick<NotChecked, 'provider' | 'account_id' | 'file'>;

function listPages(place: Place, part: JsonObject): Recording['pages'] {
  const names = Array.isArray(part.pages) ? part.pages : [];
  return names.flatMap((name) => {
    if (typeof name !== 'string') return [];
    const message = `The recording is not complete: ${scrubText(name.slice(0, 100))} is missing or cannot be read.`;
    return [{ name, part: toNotChecked(place, part, { code: 'missing_page', message }) }];
  });
}

/** What a page leaves out. The page does not name the cloud, so its resources tell it. */
export function readPageFaults(faults: JsonValue | undefined, provider: InventoryProvider, notes: FileNotes): void {
  const place: Place = { provider, account_id: null, file: notes.name };
  for (const fault of Array.isArray(faults) ? faults.filter(isObject) : [])
    notes.cuts.push(toNotChecked(place, fault, fault));
}

function toListing({ provider, account_id }: Place, part: JsonObject): InventoryListing {
  const region = readText(part.region);
  const scope = region === null ? 'all_regions' : 'region';
  return { provider, account_id, provider_type: readText(part.provider_type), scope, region, basis: 'stated' };
}

/** @param why what ended the part: its code and message */
function toNotChecked(place: Place, { provider_type, region }: JsonObject, why: JsonValue | undefined): NotChecked {
  const code = (isObject(why) ? readText(why.code) : null) ?? 'unknown';
  return { ...place, provider_type: readText(provider_type), region: readText(region), code, reason: readMessage(why) };
}

function readMessage(value: JsonValue | undefined): string {
  const message = isObject(value) ? value.message : undefined;
  return typeof message === 'string' ? scrubText(message.slice(0, 500)) : 'The recording does not say why.';
}

function readText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
