import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSameDocument } from '../../../engine/noise/same-document.ts';
import type { JsonValue } from '../../../engine/result.ts';

const isSame = (before: JsonValue, after: JsonValue) =>
  isSameDocument(JSON.stringify(before), JSON.stringify(after, null, 1), { kind: 'bindings' });

const VIEWER = { role: 'roles/viewer', members: ['user:a@example.com', 'group:b@example.com'] };
const EDITOR = { role: 'roles/editor', members: ['user:c@example.com'] };
const SOME_DAY = { title: 'until', expression: 'request.time < timestamp("2027-01-01T00:00:00Z")' };
const AUDIT = {
  service: 'allServices',
  auditLogConfigs: [{ logType: 'DATA_READ', exemptedMembers: ['user:a@example.com'] }, { logType: 'ADMIN_READ' }],
};
const POLICY = { version: 1, etag: 'x', bindings: [VIEWER, EDITOR], auditConfigs: [AUDIT] };

describe('two access policies of Google', () => {
  test.each<[string, JsonValue]>([
    ['another order of bindings', { ...POLICY, bindings: [EDITOR, VIEWER] }],
    [
      'another order of members',
      { ...POLICY, bindings: [{ ...VIEWER, members: [...VIEWER.members].reverse() }, EDITOR] },
    ],
    [
      'a role in two bindings',
      {
        ...POLICY,
        bindings: [EDITOR, ...VIEWER.members.map((member) => ({ members: [member], role: 'roles/viewer' }))],
      },
    ],
    ['a member given twice', { ...POLICY, bindings: [VIEWER, EDITOR, EDITOR] }],
    [
      'another order of log types',
      { ...POLICY, auditConfigs: [{ ...AUDIT, auditLogConfigs: [...AUDIT.auditLogConfigs].reverse() }] },
    ],
  ])('are the same across %s', (_what, after) => {
    expect(isSame(POLICY, after)).toBe(true);
    expect(isSame(after, POLICY)).toBe(true);
  });

  test.each<[string, JsonValue]>([
    ['a member more', { ...POLICY, bindings: [{ ...VIEWER, members: [...VIEWER.members, 'allUsers'] }, EDITOR] }],
    ['a member less', { ...POLICY, bindings: [{ ...VIEWER, members: VIEWER.members.slice(1) }, EDITOR] }],
    [
      'members exchanged',
      {
        ...POLICY,
        bindings: [
          { ...VIEWER, role: EDITOR.role },
          { ...EDITOR, role: VIEWER.role },
        ],
      },
    ],
    ['a member of another kind', { ...POLICY, bindings: [VIEWER, { ...EDITOR, members: ['group:c@example.com'] }] }],
    ['a binding less', { ...POLICY, bindings: [VIEWER] }],
    ['a binding without members', { ...POLICY, bindings: [VIEWER, EDITOR, { role: 'roles/owner', members: [] }] }],
    ['a condition more', { ...POLICY, bindings: [VIEWER, { ...EDITOR, condition: SOME_DAY }] }],
    ['another version', { ...POLICY, version: 3 }],
    ['another etag', { ...POLICY, etag: 'y' }],
    ['no audit configs', { version: 1, etag: 'x', bindings: [VIEWER, EDITOR] }],
    [
      'an exemption more',
      {
        ...POLICY,
        auditConfigs: [
          {
            ...AUDIT,
            auditLogConfigs: [
              AUDIT.auditLogConfigs[0] as JsonValue,
              { logType: 'ADMIN_READ', exemptedMembers: ['allUsers'] },
            ],
          },
        ],
      },
    ],
    ['a log type less', { ...POLICY, auditConfigs: [{ ...AUDIT, auditLogConfigs: [{ logType: 'ADMIN_READ' }] }] }],
  ])('differ across %s', (_what, after) => {
    expect(isSame(POLICY, after)).toBe(false);
    expect(isSame(after, POLICY)).toBe(false);
  });

  test('a role under a condition is never merged with the role itself', () => {
    const split = { bindings: [VIEWER, { ...VIEWER, condition: SOME_DAY }] };

    expect(isSame(split, { bindings: [VIEWER] })).toBe(false);
    expect(isSame(split, { bindings: [{ ...VIEWER, condition: SOME_DAY }] })).toBe(false);
  });

  test('grant the same exactly when the pairs of role and member are the same', () => {
    const grants = fc.uniqueArray(
      fc.tuple(
        fc.constantFrom('roles/viewer', 'roles/editor', 'roles/owner'),
        fc.constantFrom('user:a', 'user:b', 'user:c'),
      ),
      { minLength: 1, selector: ([role, member]) => `${role} ${member}` },
    );
    const one = (pairs: [string, string][]) => ({
      bindings: pairs.map(([role, member]) => ({ role, members: [member] })),
    });
    const grouped = (pairs: [string, string][]) => ({
      bindings: [...new Set(pairs.map(([role]) => role))].map((role) => ({
        members: pairs.filter(([other]) => other === role).map(([, member]) => member),
        role,
      })),
    });

    fc.assert(
      fc.property(grants, grants, (a, b) => {
        const expected = [...a].sort().join() === [...b].sort().join();
        return isSame(one(a), grouped([...a].reverse())) && isSame(one(a), grouped(b)) === expected;
      }),
    );
  });
});
