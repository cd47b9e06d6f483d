import { describe, expect, test } from '@jest/globals';
import { nameAction } from '../../../engine/changes/actions.ts';

describe('nameAction', () => {
  test.each([
    [['no-op'], 'no-op', 'no-op'],
    [['create'], 'create', 'create'],
    [['read'], 'read', 'read'],
    [['update'], 'update', 'update'],
    [['delete'], 'delete', 'delete'],
    [['forget'], 'forget', 'forget'],
    [['delete', 'create'], 'replace', 'replace (destroy first)'],
    [['create', 'delete'], 'replace', 'replace (create first)'],
    [['create', 'forget'], 'replace', 'replace (old object kept, unmanaged)'],
  ])('returns for %j the action %s', (actions, action, action_label) => {
    expect(nameAction(actions, false, false)).toEqual({ action, action_label });
  });

  test.each([
    [['forget', 'create']],
    [['delete', 'create', 'delete']],
    [['open']],
    [['delete,create']],
    [[]],
    [['toString']],
  ])('returns unknown for %j', (actions) => {
    expect(nameAction(actions, false, false).action).toBe('unknown');
  });

  test('returns import for a no-op that imports and move for a no-op with a previous address', () => {
    expect(nameAction(['no-op'], true, false).action).toBe('import');
    expect(nameAction(['no-op'], false, true).action).toBe('move');
    expect(nameAction(['no-op'], true, true).action).toBe('import');
  });

  test.each(['update', 'create', 'delete'])('returns %s for an import or move with that action', (action) => {
    expect(nameAction([action], true, true).action).toBe(action);
  });
});
