import type { Change } from '../result.ts';

/** A clause that says why a change happens; the names are attribute paths or addresses of the plan. */
export interface Cause {
  text: string;
  names: string[];
}

/** Terraform's own reasons, in words. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['replace_because_tainted', 'it is marked as tainted'],
  ['replace_by_request', 'asked for with -replace'],
  ['replace_by_triggers', 'triggered by a change elsewhere (replace_triggered_by)'],
  ['delete_because_no_resource_config', 'it is no longer in the configuration'],
  ['delete_because_no_module', 'its module is no longer in the configuration'],
  ['delete_because_wrong_repetition', 'count or for_each was added or taken away'],
  ['delete_because_count_index', 'its index lies beyond count'],
  ['delete_because_each_key', 'its key is no longer in for_each'],
  ['delete_because_no_move_target', 'it was moved to an address that is not in the configuration'],
]);

/** What the replace paths say already, or what says nothing to a reader of a plan. */
const SILENT = new Set(['replace_because_cannot_update']);

const MAX_NAMES = 4;

/** Why this change happens, as far as the plan tells; empty for a plain create or update. */
export function causesOf(change: Change): Cause[] {
  const causes: Cause[] = [];
  if (change.action === 'replace') causes.push({ text: orderOf(change), names: [] });
  if (change.replace_paths.length > 0) causes.push(withNames('forced by', change.replace_paths));
  const { action_reason, deposed, previous_address } = change;
  if (deposed !== null) causes.push({ text: 'left over from an earlier replace', names: [] });
  if (action_reason !== null && !SILENT.has(action_reason)) {
    causes.push({ text: REASONS.get(action_reason) ?? action_reason.replaceAll('_', ' '), names: [] });
  }
  if (previous_address !== null) causes.push({ text: 'moved from', names: [previous_address] });
  if (change.importing !== null && change.action !== 'import') causes.push({ text: 'imported', names: [] });
  return causes;
}

/** Which attributes change, for rows whose reasons say little. */
export function touchesOf(change: Change): Cause[] {
  const paths = change.attributes.map(({ path }) => path).filter((path) => path !== '');
  if (change.action !== 'update' || paths.length === 0) return [];
  return [withNames('changes', paths, change.attributes_total)];
}

function orderOf({ actions }: Change): string {
  if (!actions.includes('delete')) return 'the old object is kept';
  return actions[0] === 'create' ? 'create first' : 'destroy first';
}

/** `text` and at most four of the names, with a count of the others. */
export function withNames(text: string, names: string[], total = names.length): Cause {
  const more = total - Math.min(names.length, MAX_NAMES);
  return { text: more > 0 ? `${text} (${more} more)` : text, names: names.slice(0, MAX_NAMES) };
}
