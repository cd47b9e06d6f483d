import type { Action } from '../model/result.ts';

export interface ActionNames {
  action: Action;
  /** Label of `action`; for a replace, includes the order and what happens to the old object. */
  action_label: string;
}

const SINGLE = new Map<string, ActionNames>([
  ['no-op', { action: 'no-op', action_label: 'no-op' }],
  ['create', { action: 'create', action_label: 'create' }],
  ['read', { action: 'read', action_label: 'read' }],
  ['update', { action: 'update', action_label: 'update' }],
  ['delete', { action: 'delete', action_label: 'delete' }],
  ['forget', { action: 'forget', action_label: 'forget' }],
]);
const PAIR = new Map<string, ActionNames>([
  ['delete,create', { action: 'replace', action_label: 'replace (destroy first)' }],
  ['create,delete', { action: 'replace', action_label: 'replace (create first)' }],
  ['create,forget', { action: 'replace', action_label: 'replace (old object kept, unmanaged)' }],
]);
const IMPORT: ActionNames = { action: 'import', action_label: 'import' };
const MOVE: ActionNames = { action: 'move', action_label: 'move' };
const UNKNOWN: ActionNames = { action: 'unknown', action_label: 'unknown' };

/**
 * Returns the action for a plan's list of actions.
 *
 * A no-op that imports is `import`, and a no-op with a previous address is `move`. An import or move that also changes
 * the object keeps the action of the list. Any other list is `unknown`.
 *
 * @see openapi.yaml, Change.action
 */
export function nameAction(actions: readonly string[], importing: boolean, moved: boolean): ActionNames {
  const names = findNames(actions) ?? UNKNOWN;
  if (names.action !== 'no-op') return names;
  if (importing) return IMPORT;
  return moved ? MOVE : names;
}

function findNames(actions: readonly string[]): ActionNames | undefined {
  if (actions.length === 1) return SINGLE.get(actions[0] as string);
  return actions.length === 2 ? PAIR.get(`${actions[0]},${actions[1]}`) : undefined;
}
