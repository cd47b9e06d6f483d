/** R-IAM-AUTHORITATIVE for Google: policies and bindings that own their list. */

import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { member, text } from '../values.ts';
import { extractParent, isUnknownGrant, readGrants, readMembers } from './google-bindings.ts';

const CONTAINERS = ['organization', 'folder', 'project', 'billing_account'];

/** The resource owns the whole list, and whoever it does not name loses the grant. */
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
      ? `Every grant of the ${where} is removed with its policy.`
      : `This policy is the only one of the ${where}: every grant that it does not name is removed${container ? ', and everybody can be locked out' : ''}.`;
  const path: Path | null = subject.mode === 'delete' ? null : ['policy_data'];
  subject.add({ rule: 'R-IAM-AUTHORITATIVE', level: container ? 'critical' : 'high', path, message });
  if (path && subject.mode !== 'create') subject.setDirection(path, 'weakening');
}

function sameBindings({ before, after }: Subject): boolean {
  const grants = (side: Value): string => [...new Set(readGrants(side))].sort().join('\n');
  return member(after, 'policy_data') !== undefined && grants(before) === grants(after);
}

/** Names of the parents of a grant, which the plan may delete along with it. */
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
      message: `Members of this role on the ${parent} that the binding does not name lose it.`,
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
    message: `Lose the role on the ${parent}: ${subject.quoteAll(['members'], removed)}.`,
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
