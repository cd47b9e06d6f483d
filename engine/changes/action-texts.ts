/** Terraform's `action_reason` values as clauses, except `replace_because_cannot_update`, which repeats the paths. */
export const ACTION_REASON_TEXTS: ReadonlyMap<string, string> = new Map([
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

/** The order of a replacement as a clause. */
export function describeOrder(actions: readonly string[]): string {
  if (!actions.includes('delete')) return 'the old object is kept';
  return actions[0] === 'create' ? 'the new one is created first' : 'the old one is destroyed first';
}
