/** Reads roles and members from the three kinds of Google grants: member, binding and policy. */
import type { Subject } from '../subject.ts';
import type { Value } from '../types.ts';
import { list, member, parseJson, strings, text } from '../values.ts';

export interface Binding {
  role: string;
  members: readonly string[];
}

const DOCUMENT_CHARS_MAX = 500_000;

/** Returns the parent that a type applies to: `project` for `google_project_iam_member`. */
export function extractParent(type: string): string {
  return type.replace(/^google_/, '').replace(/_iam_(?:member|binding|policy)$/, '');
}

export function readBindings(side: Value): Binding[] {
  if (side === undefined) return [];
  const data = member(side, 'policy_data');
  if (typeof data === 'string') {
    return list(member(parseJson(data, DOCUMENT_CHARS_MAX), 'bindings')).map((binding) => ({
      role: text(member(binding, 'role')),
      members: strings(member(binding, 'members')).map(memberForm),
    }));
  }
  return [
    {
      role: text(member(side, 'role')),
      members: readMembers(side),
    },
  ];
}

/** Returns the members that a side names, in the form in which members are compared. */
export function readMembers(side: Value): string[] {
  return [...strings(member(side, 'member')), ...strings(member(side, 'members'))].map(memberForm);
}

/** Email addresses and domains are case-insensitive; identities of external pools are case-sensitive. */
function memberForm(name: string): string {
  return /^(?:user|group|serviceAccount|domain):/.test(name)
    ? name.toLowerCase().replace('serviceaccount', 'serviceAccount')
    : name;
}

/** Returns true when the member is unknown until apply; its role may be known. */
export function isUnknownGrant(subject: Subject): boolean {
  return subject.isUnknown('member') || subject.isUnknown('members');
}

/** Returns every grant of a side as `role member`. */
export function readGrants(side: Value): string[] {
  return readBindings(side).flatMap(({ role, members }) => members.map((name) => `${role} ${name}`));
}
