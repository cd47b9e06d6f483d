import type { Change } from '../model/result.ts';
import { type Evidence, forcingEvidence } from './evidence.ts';
import { rankedPaths } from './path-rank.ts';

/** A clause that explains why a change happens; the names are attribute paths or addresses from the plan. */
export interface Cause {
  text: string;
  names: string[];
  /** Values that force a replacement, before and after. */
  evidence?: Evidence | null;
}

/** Descriptions of Terraform's `action_reason` values. */
const REASON_TEXTS: ReadonlyMap<string, string> = new Map([
  ['replace_because_tainted', 'marked as tainted'],
  ['replace_by_request', 'requested with -replace'],
  ['replace_by_triggers', 'triggered by replace_triggered_by'],
  ['delete_because_no_resource_config', 'removed from the configuration'],
  ['delete_because_no_module', 'removed with its module'],
  ['delete_because_wrong_repetition', 'removed because count or for_each was added or removed'],
  ['delete_because_count_index', 'removed because count was reduced'],
  ['delete_because_each_key', 'removed because its key was removed from for_each'],
  ['delete_because_no_move_target', 'removed because it was moved to an address that is not in the configuration'],
]);

/** Reasons that repeat the replace paths or do not help the reader. */
const OMITTED_REASONS = new Set(['replace_because_cannot_update']);

const MAX_NAMES = 4;

/** Reasons for this change that the plan contains; empty for a plain create or update. */
export function collectCauses(change: Change): Cause[] {
  const causes: Cause[] = change.action === 'replace' ? describeReplacement(change) : [];
  const { action_reason, deposed, previous_address } = change;
  if (deposed !== null) causes.push({ text: 'deposed object left from an earlier replacement', names: [] });
  if (action_reason !== null && !OMITTED_REASONS.has(action_reason)) {
    causes.push({ text: REASON_TEXTS.get(action_reason) ?? action_reason.replaceAll('_', ' '), names: [] });
  }
  if (previous_address !== null) causes.push({ text: 'moved from', names: [previous_address] });
  if (change.importing !== null && change.action !== 'import') causes.push({ text: 'imported', names: [] });
  return causes;
}

/** The attributes that an update changes, for rows without specific reasons. */
export function describeChangedPaths(change: Change): Cause[] {
  const paths = rankedPaths(change);
  if (change.action !== 'update' || paths.length === 0) return [];
  return [withNames('changes', paths, change.attributes_total)];
}

function describeReplacement(change: Change): Cause[] {
  const { actions, replace_paths } = change;
  const why: Cause =
    replace_paths.length === 0
      ? { text: 'replaced', names: [] }
      : { ...withNames('replaced because of a change to', replace_paths), evidence: forcingEvidence(change) };
  return [why, { text: describeOrder(actions), names: [] }];
}

function describeOrder(actions: readonly string[]): string {
  if (!actions.includes('delete')) return 'the old object is kept';
  return actions[0] === 'create' ? 'the new one is created first' : 'the old one is destroyed first';
}

/** Capitalizes the first letter, so that joined clauses form a sentence. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `text` with at most four of the names and a count of the others. */
export function withNames(text: string, names: string[], total = names.length): Cause {
  const more = total - Math.min(names.length, MAX_NAMES);
  return { text: more > 0 ? `${text} (${more} more)` : text, names: names.slice(0, MAX_NAMES) };
}
