/** R-IAM-CONDITION for conditions on a grant of one role: end dates, resource limits, limits on what may be delegated. */
import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Rule } from '../types.ts';
import { isEmpty, member, text } from '../values.ts';

const MESSAGE = 'The condition that limited the grant is removed: it now holds everywhere and without an end.';
const ROLE_ATTRIBUTES = ['role', 'role_definition_name', 'role_name', 'privilege'];
/** Roles that administer, write or grant. Reading and using one service is less. */
const POWERFUL =
  /owner|admin|editor|contributor|access|operator|all privileges|securityadmin|user access|token ?creator|actas|serviceaccountuser/i;

function judgeCondition(subject: Subject): void {
  const { before, after } = subject;
  const [was, is] = [member(before, 'condition'), member(after, 'condition')];
  if (subject.isUnknown('condition') || isEmpty(was) === isEmpty(is)) return;
  if (isEmpty(was)) {
    subject.setDirection(['condition'], 'strengthening');
    return;
  }
  const role = ROLE_ATTRIBUTES.map((name) => text(member(after, name))).find((name) => name !== '') ?? '';
  // A role that is named by its id only can be any role.
  const level: RiskLevel = role === '' || POWERFUL.test(role) ? 'high' : 'medium';
  subject.add({ rule: 'R-IAM-CONDITION', level, path: ['condition'], message: MESSAGE });
  subject.setDirection(['condition'], 'weakening');
}

export const GRANT_CONDITION_RULES: readonly Rule[] = [
  {
    types: ['google_*_iam_member', 'google_*_iam_binding', 'azurerm_role_assignment', 'azurerm_pim_*_role_assignment'],
    watches: [{ path: 'condition' }],
    modes: ['update', 'replace'],
    find: judgeCondition,
  },
];
