import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isActionGranted, parseActionSets } from '../../../../server/adapters/cloud/azure/actions.ts';
import { describeAzureRoles, READER } from '../../../../server/adapters/cloud/azure/roles.ts';

const CONTRIBUTOR = {
  actions: ['*'],
  not_actions: ['Microsoft.Authorization/*/Delete', 'Microsoft.Authorization/*/Write'],
};

describe('actions of role assignments', () => {
  test.each<[string, string[], string[], string, boolean]>([
    ['the same action', ['A/b/read'], [], 'a/B/READ', true],
    ['another action', ['a/b/write'], [], 'a/b/read', false],
    ['a wildcard at the start', ['*/read'], [], 'a/b/read', true],
    ['a wildcard in the middle', ['a/*/read'], [], 'a/b/c/read', true],
    ['a wildcard at the end', ['a/*'], [], 'a/b/read', true],
    ['several wildcards', ['a/*/c/*/read'], [], 'a/b/c/d/read', true],
    ['several wildcards that do not match', ['a/*/x/*/read'], [], 'a/b/c/d/read', false],
    ['parts that overlap', ['ab*ba'], [], 'aba', false],
    ['everything', ['*'], [], '*/read', true],
    ['only one kind', ['a/*/read'], [], '*/read', false],
    ['an exception for the action', ['*'], ['a/b/read'], 'a/b/read', false],
    ['an exception for something else', ['*'], ['a/b/write'], 'a/b/read', true],
    ['an exception inside a wildcard', ['*'], ['a/*/read'], '*/read', false],
    ['an exception that cannot be in a wildcard', ['*'], ['a/*/write'], '*/read', true],
    ['an exception with a wildcard at the end', ['*'], ['a/*'], '*/read', false],
  ])('%s', (_what, actions, not_actions, action, expected) => {
    expect(isActionGranted([{ actions, not_actions }], action)).toBe(expected);
  });

  test('an exception takes away from its own assignment only', () => {
    const sets = [{ actions: ['*'], not_actions: ['*/read'] }, READER];

    expect(isActionGranted(sets, '*/read')).toBe(true);
  });

  test.each([READER, CONTRIBUTOR])('Reader and Contributor grant what the scanner needs', (role) => {
    const { actions } = describeAzureRoles();

    expect(actions.filter((action) => !isActionGranted([role], action))).toEqual([]);
  });

  test('a pattern made from an action by replacing parts covers it', () => {
    const part = fc.stringMatching(/^[a-z]{1,6}$/);
    const example = fc.array(fc.record({ part, wild: fc.boolean() }), { minLength: 1, maxLength: 6 });

    fc.assert(
      fc.property(example, (parts) => {
        const action = parts.map((one) => one.part).join('/');
        const pattern = parts.map((one) => (one.wild ? '*' : one.part)).join('/');
        return isActionGranted([{ actions: [pattern], not_actions: [] }], action);
      }),
    );
  });

  test('damaged entries grant nothing', () => {
    expect(parseActionSets({ value: [7, { actions: 'all' }, { actions: [null, '*/read'] }] })).toEqual([
      { actions: [], not_actions: [] },
      { actions: ['*/read'], not_actions: [] },
    ]);
    expect(parseActionSets({})).toEqual([]);
  });
});
