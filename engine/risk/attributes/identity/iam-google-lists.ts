/** R-IAM-AUTHORITATIVE for Google: policies and bindings that replace the whole list of grants. */

const REASONS = {
  policy_deleted: (parent: string) => `Every grant of the ${parent} is removed together with its policy.`,
  policy: (parent: string) => `This policy replaces all grants of the ${parent}: grants that it omits are removed.`,
  policy_lockout: (parent: string) =>
    `This policy replaces all grants of the ${parent}: grants that it omits are removed, which can lock everyone out.`,
  binding: (parent: string) => `Members that this binding omits lose the role on the ${parent}.`,
  removed: (members: string, parent: string) => `Removes the role on the ${parent} from ${members}.`,
};

import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { member, text } from '../values.ts';
import { extractParent, isUnknownGrant, readGrants, readMembers } from './google-bindings.ts';

const CONTAINERS = ['organization', 'folder', 'project', 'billing_account'];

/** The resource owns the whole list, so principals that it does not name lose the grant. */
function judgeOwnership(subject: Subject): void {
  const parent = extractParent(subject.type);
  if (subject.type.endsWith('_iam_policy')) judgeWholePolicy(subject, parent);
  else if (CONTAINERS.includes(parent) && parent !== 'billing_account') judgeWholeBinding(subject, parent);
}

function judgeWholePolicy(subject: Subject, parent: string): void {
  if (subject.mode === 'delete' && isGone(subject)) return;
  if (subject.mode !== 'create' && subject.mode !== 'delete' && sameBindings(subject)) return;
  const container = CONTAINERS.includes(parent);
  const where = parent.replaceAll('_', ' ');
  const message =
    subject.mode === 'delete'
      ? REASONS.policy_deleted(where)
      : container
        ? REASONS.policy_lockout(where)
        : REASONS.policy(where);
  const path: Path | null = subject.mode === 'delete' ? null : ['policy_data'];
  subject.add({ rule: 'R-IAM-AUTHORITATIVE', level: container ? 'critical' : 'high', path, message });
  if (path && subject.mode !== 'create') subject.setDirection(path, 'weakening');
}

function sameBindings({ before, after }: Subject): boolean {
  const grants = (side: Value): string => [...new Set(readGrants(side))].sort().join('\n');
  return member(after, 'policy_data') !== undefined && grants(before) === grants(after);
}

/** Returns true when the plan deletes the parent of the grant, too. */
function isGone({ before, facts }: Subject): boolean {
  return (
    before !== undefined &&
    Object.keys(before).some((key) => key !== 'role' && key !== 'etag' && facts.destroyed.has(text(before[key])))
  );
}

function judgeWholeBinding(subject: Subject, parent: string): void {
  if (subject.mode === 'create') {
    subject.add({
      rule: 'R-IAM-AUTHORITATIVE',
      level: 'medium',
      path: ['members'],
      message: REASONS.binding(parent),
    });
    return;
  }
  if (isUnknownGrant(subject)) return;
  const now = new Set(readMembers(subject.after));
  const removed = readMembers(subject.before).filter((name) => !now.has(name));
  if (removed.length === 0 || (subject.mode === 'delete' && isGone(subject))) return;
  const path: Path | null = subject.mode === 'delete' ? null : ['members'];
  subject.add({
    rule: 'R-IAM-AUTHORITATIVE',
    level: 'high',
    path,
    message: REASONS.removed(subject.quoteAll(['members'], removed), parent),
  });
  if (path) subject.setDirection(path, 'weakening');
}

export const GOOGLE_LIST_RULES: readonly Rule[] = [
  {
    types: ['google_*_iam_binding'],
    watches: [{ path: 'members' }],
    modes: ['create', 'update', 'replace', 'delete'],
    find: judgeOwnership,
  },
  {
    types: ['google_*_iam_policy'],
    watches: [{ path: 'policy_data' }],
    modes: ['create', 'update', 'replace', 'delete'],
    find: judgeOwnership,
  },
];
