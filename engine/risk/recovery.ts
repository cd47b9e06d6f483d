import type { ResourceChange } from '../changes/types.ts';
import { splitWords } from '../effects/words.ts';
import type { JsonObject, JsonValue, RiskLevel } from '../model/result.ts';
import type { Traits } from './traits.ts';

/** What arguments of the old object say about the consequences of its deletion. */
export interface Recovery {
  rule_id: 'R-ACT-RECOVERABLE' | 'R-ACT-PURGE' | 'R-ACT-HOLDS';
  effect: 'cap' | 'raise';
  level: RiskLevel;
  message: string;
  path: string;
}

/** A window of at least this many days leaves time to notice the loss. */
const LEAST_DAYS = 7;
const STAYS = 'Only the state forgets it: the object and its content stay.';
const RESTORES = 'It can be restored during its recovery window; what reads it fails at once.';
const SNAPSHOT = 'A final snapshot is taken before the deletion; what uses it stops.';
const PURGES = 'Its content is deleted with it for good.';
const HOLDS = 'It holds data, which is lost with it.';

const KEPT: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['deletion_policy', 'ABANDON'],
  ['skip_destroy', true],
  ['retain_on_delete', true],
  ['abandon_on_destroy', true],
  ['keep_on_destroy', true],
]);
const SNAPSHOTS = ['final_snapshot_identifier', 'final_snapshot_name', 'final_backup_name'];
const DELETES = new Set(['delete', 'destroy', 'purge', 'wipe', 'erase', 'drop']);
const CONTENT = new Set([
  'data',
  'content',
  'object',
  'record',
  'file',
  'table',
  'message',
  'all',
  'database',
  'volume',
]);

/** Words for entries that an object counts, and for the space that they take. */
const ENTRIES = new Set(['record', 'row', 'object', 'document', 'message', 'item', 'entry', 'file', 'key', 'point']);
const SPACE = new Set(['used', 'stored', 'data', 'storage']);
const SPACE_UNITS = new Set(['byte', 'kb', 'mb', 'gb', 'tb', 'mib', 'gib', 'tib']);

/** Returns what softens or worsens a deletion; null when nothing does. */
export function findRecovery({ before, action }: ResourceChange, traits: Traits): Recovery | null {
  if (before === null) return null;
  if (action !== 'delete') return findHeld(before, traits);
  const softened = findKept(before) ?? findWindow(before, traits) ?? findSnapshot(before);
  return softened ?? findPurge(before, traits) ?? findHeld(before, traits);
}

function findKept(before: JsonObject): Recovery | null {
  for (const [path, value] of KEPT) {
    if (Object.hasOwn(before, path) && before[path] === value) return cap('medium', STAYS, path);
  }
  return null;
}

/** Keys have windows too, but data is unreadable from the start of theirs. */
function findWindow(before: JsonObject, { holds_secrets, kind }: Traits): Recovery | null {
  const days = Object.hasOwn(before, 'recovery_window_in_days') ? before['recovery_window_in_days'] : null;
  if (!holds_secrets || kind === 'key' || typeof days !== 'number' || days < LEAST_DAYS) return null;
  return cap('medium', RESTORES, 'recovery_window_in_days');
}

function findSnapshot(before: JsonObject): Recovery | null {
  if (before['skip_final_snapshot'] === true) return null;
  const path = SNAPSHOTS.find((name) => Object.hasOwn(before, name) && before[name] !== '' && before[name] !== null);
  return path === undefined ? null : cap('high', SNAPSHOT, path);
}

/** Only for types of which nothing else is known. */
function findPurge(before: JsonObject, { categories, kind }: Traits): Recovery | null {
  if (kind !== null || !categories.includes('other')) return null;
  const path = Object.keys(before).find((name) => before[name] === true && deletesContent(splitWords(name)));
  if (path === undefined) return null;
  return { rule_id: 'R-ACT-PURGE', effect: 'raise', level: 'critical', message: PURGES, path };
}

/** Only for types of which nothing else is known: `record_count`, `used_bytes`. */
function findHeld(before: JsonObject, { categories, kind, link }: Traits): Recovery | null {
  if (kind !== null || link || !categories.includes('other')) return null;
  const path = Object.keys(before).find((name) => isPositive(before[name]) && countsContent(splitWords(name)));
  return path === undefined
    ? null
    : { rule_id: 'R-ACT-HOLDS', effect: 'raise', level: 'critical', message: HOLDS, path };
}

function isPositive(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && value > 0;
}

function countsContent(words: readonly string[]): boolean {
  const [last = ''] = words.slice(-1);
  const is_count = last === 'count' && words.length === 2 && ENTRIES.has(words[0]!);
  return is_count || (SPACE_UNITS.has(last) && words.length === 2 && SPACE.has(words[0]!));
}

function deletesContent(words: readonly string[]): boolean {
  return words.length > 1 && words.some((word) => DELETES.has(word)) && words.some((word) => CONTENT.has(word));
}

function cap(level: RiskLevel, message: string, path: string): Recovery {
  return { rule_id: 'R-ACT-RECOVERABLE', effect: 'cap', level, message, path };
}
