/** Who holds which role, as the three kinds of Google grants spell it. */
import type { Subject } from '../subject.ts';
import type { Value } from '../types.ts';
import { list, member, parseJson, strings, text } from '../values.ts';

export interface Binding {
  role: string;
  members: readonly string[];
}

const DOCUMENT_CHARS_MAX = 500_000;

/** The parent a type speaks of (`project` in `google_project_iam_member`). */
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

/** The members that a side names itself, each in the one form by which members are compared. */
export function readMembers(side: Value): string[] {
  return [...strings(member(side, 'member')), ...strings(member(side, 'members'))].map(memberForm);
}

/** Addresses and domains are one whatever their case; pools of outside identities tell cases apart. */
function memberForm(name: string): string {
  return /^(?:user|group|serviceAccount|domain):/.test(name)
    ? name.toLowerCase().replace('serviceaccount', 'serviceAccount')
    : name;
}

/** A member that is known only after apply holds a known role all the same. */
export function isUnknownGrant(subject: Subject): boolean {
  return subject.isUnknown('member') || subject.isUnknown('members');
}

/** Every grant of a side as `role member`. */
export function readGrants(side: Value): string[] {
  return readBindings(side).flatMap(({ role, members }) => members.map((name) => `${role} ${name}`));
}
