import type { Action } from '../result.ts';

export interface ActionNames {
  action: Action;
  /** `action` in words; says in which order a replace works and what becomes of the old object. */
  action_label: string;
}

const BY_ACTIONS = new Map<string, ActionNames>([
  ['no-op', { action: 'no-op', action_label: 'no-op' }],
  ['create', { action: 'create', action_label: 'create' }],
  ['read', { action: 'read', action_label: 'read' }],
  ['update', { action: 'update', action_label: 'update' }],
  ['delete', { action: 'delete', action_label: 'delete' }],
  ['forget', { action: 'forget', action_label: 'forget' }],
  ['delete,create', { action: 'replace', action_label: 'replace (destroy first)' }],
  ['create,delete', { action: 'replace', action_label: 'replace (create first)' }],
  ['create,forget', { action: 'replace', action_label: 'replace (old object kept, unmanaged)' }],
]);
const IMPORT: ActionNames = { action: 'import', action_label: 'import' };
const MOVE: ActionNames = { action: 'move', action_label: 'move' };
const UNKNOWN: ActionNames = { action: 'unknown', action_label: 'unknown' };

/**
 * The one action that a plan's list of actions stands for.
 *
 * A no-op that imports is `import`, one that only changes its address is `move`; an import or move that also changes
 * the object keeps the action of the list. A list we do not know is `unknown`, never a guess.
 *
 * @see openapi.yaml, Change.action
 */
export function nameAction(actions: readonly string[], importing: boolean, moved: boolean): ActionNames {
  const names = BY_ACTIONS.get(actions.length === 1 ? (actions[0] as string) : actions.join(',')) ?? UNKNOWN;
  if (names.action !== 'no-op') return names;
  if (importing) return IMPORT;
  return moved ? MOVE : names;
}
