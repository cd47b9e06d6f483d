import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isSameDocument } from '../../../engine/equivalence/same-document.ts';
import type { JsonValue } from '../../../engine/model/result.ts';

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

describe('two Google access policies', () => {
  test.each<[string, JsonValue]>([
    ['with reordered bindings', { ...POLICY, bindings: [EDITOR, VIEWER] }],
    [
      'with reordered members',
      { ...POLICY, bindings: [{ ...VIEWER, members: [...VIEWER.members].reverse() }, EDITOR] },
    ],
    [
      'with a role in two bindings',
      {
        ...POLICY,
        bindings: [EDITOR, ...VIEWER.members.map((member) => ({ members: [member], role: 'roles/viewer' }))],
      },
    ],
    ['with a duplicate member', { ...POLICY, bindings: [VIEWER, EDITOR, EDITOR] }],
    [
      'with reordered log types',
      { ...POLICY, auditConfigs: [{ ...AUDIT, auditLogConfigs: [...AUDIT.auditLogConfigs].reverse() }] },
    ],
  ])('%s are the same', (_what, after) => {
    expect(isSame(POLICY, after)).toBe(true);
    expect(isSame(after, POLICY)).toBe(true);
  });

  test.each<[string, JsonValue]>([
    [
      'with an additional member',
      { ...POLICY, bindings: [{ ...VIEWER, members: [...VIEWER.members, 'allUsers'] }, EDITOR] },
    ],
    ['with a missing member', { ...POLICY, bindings: [{ ...VIEWER, members: VIEWER.members.slice(1) }, EDITOR] }],
    [
      'with exchanged members',
      {
        ...POLICY,
        bindings: [
          { ...VIEWER, role: EDITOR.role },
          { ...EDITOR, role: VIEWER.role },
        ],
      },
    ],
    [
      'with a member of another kind',
      { ...POLICY, bindings: [VIEWER, { ...EDITOR, members: ['group:c@example.com'] }] },
    ],
    ['with a missing binding', { ...POLICY, bindings: [VIEWER] }],
    [
      'with an additional binding without members',
      { ...POLICY, bindings: [VIEWER, EDITOR, { role: 'roles/owner', members: [] }] },
    ],
    ['with an additional condition', { ...POLICY, bindings: [VIEWER, { ...EDITOR, condition: SOME_DAY }] }],
    ['with another version', { ...POLICY, version: 3 }],
    ['with another etag', { ...POLICY, etag: 'y' }],
    ['without audit configs', { version: 1, etag: 'x', bindings: [VIEWER, EDITOR] }],
    [
      'with an additional exemption',
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
    [
      'with a missing log type',
      { ...POLICY, auditConfigs: [{ ...AUDIT, auditLogConfigs: [{ logType: 'ADMIN_READ' }] }] },
    ],
  ])('%s are different', (_what, after) => {
    expect(isSame(POLICY, after)).toBe(false);
    expect(isSame(after, POLICY)).toBe(false);
  });

  test('are different when a role has a condition in only one of them', () => {
    const split = { bindings: [VIEWER, { ...VIEWER, condition: SOME_DAY }] };

    expect(isSame(split, { bindings: [VIEWER] })).toBe(false);
    expect(isSame(split, { bindings: [{ ...VIEWER, condition: SOME_DAY }] })).toBe(false);
  });

  test('are the same exactly when their pairs of role and member are the same', () => {
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
