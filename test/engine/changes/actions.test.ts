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
  ])('%j is %s', (actions, action, action_label) => {
    expect(nameAction(actions, false, false)).toEqual({ action, action_label });
  });

  test.each([
    [['forget', 'create']],
    [['delete', 'create', 'delete']],
    [['open']],
    [['delete,create']],
    [[]],
    [['toString']],
  ])('%j is unknown rather than guessed', (actions) => {
    expect(nameAction(actions, false, false).action).toBe('unknown');
  });

  test('a no-op that imports is an import, one with a previous address is a move', () => {
    expect(nameAction(['no-op'], true, false).action).toBe('import');
    expect(nameAction(['no-op'], false, true).action).toBe('move');
    expect(nameAction(['no-op'], true, true).action).toBe('import');
  });

  test.each(['update', 'create', 'delete'])('an import or move that also does %s keeps that action', (action) => {
    expect(nameAction([action], true, true).action).toBe(action);
  });
});
