/** R-IAM-CONDITION for conditions on a grant of one role: end dates, resource limits, limits on what may be delegated. */
import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { isEmpty, list, member, text } from '../values.ts';
import { requiresAll } from './implied-tests.ts';

const MESSAGE = 'The condition that limited the grant is removed: it now holds everywhere and without an end.';
const WIDER = 'The condition that limits the grant accepts more than before.';
const ROLE_ATTRIBUTES = ['role', 'role_definition_name', 'role_name', 'privilege'];
/** Roles that administer, write or grant. Reading and using one service is less. */
const POWERFUL =
  /owner|admin|editor|contributor|access|operator|all privileges|securityadmin|user access|token ?creator|actas|serviceaccountuser/i;

function judgeCondition(subject: Subject): void {
  const { before, after } = subject;
  const [was, is] = [member(before, 'condition'), member(after, 'condition')];
  if (subject.isUnknown('condition')) return;
  if (!isEmpty(was) && !isEmpty(is)) {
    judgeOther(subject, readExpression(was), readExpression(is));
    return;
  }
  if (isEmpty(was) === isEmpty(is)) return;
  if (isEmpty(was)) {
    subject.setDirection(['condition'], 'strengthening');
    return;
  }
  subject.add({ rule: 'R-IAM-CONDITION', level: findLevel(subject), path: ['condition'], message: MESSAGE });
  subject.setDirection(['condition'], 'weakening');
}

/** A role that is named by its ID only can be any role. */
function findLevel({ after }: Subject): RiskLevel {
  const role = ROLE_ATTRIBUTES.map((name) => text(member(after, name))).find((name) => name !== '') ?? '';
  return role === '' || POWERFUL.test(role) ? 'high' : 'medium';
}

function readExpression(condition: Value): string {
  return typeof condition === 'string' ? condition : text(member(list(condition)[0], 'expression'));
}

/** A condition that accepts more than the old one: a later end, a shorter prefix, one test less. */
function judgeOther(subject: Subject, before: string, after: string): void {
  if (before === '' || after === '' || before === after) return;
  const path = ['condition'];
  if (requiresAll(after, before)) subject.setDirection(path, 'strengthening');
  else if (requiresAll(before, after)) {
    subject.add({ rule: 'R-IAM-CONDITION', level: findLevel(subject), path, message: WIDER });
    subject.setDirection(path, 'weakening');
  }
}

export const GRANT_CONDITION_RULES: readonly Rule[] = [
  {
    types: ['google_*_iam_member', 'google_*_iam_binding', 'azurerm_role_assignment', 'azurerm_pim_*_role_assignment'],
    watches: [{ path: 'condition' }],
    modes: ['update', 'replace'],
    find: judgeCondition,
  },
];
