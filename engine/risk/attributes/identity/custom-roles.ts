/** Custom roles of Google: permissions that let their holder gain every other permission. */
import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Finding, Rule } from '../types.ts';
import { member, strings } from '../values.ts';

/** A principal that can set the policy of a project, folder or organization can make itself the owner. */
const GRANTS_ALL = /^resourcemanager\.(?:projects|folders|organizations)\.setIamPolicy$/;
/** Impersonating another identity, creating keys for it, changing roles, or weakening organization policies. */
const ESCALATES =
  /^(?:iam\.serviceAccounts\.(?:actAs|getAccessToken|getOpenIdToken|implicitDelegation|signBlob|signJwt)|iam\.serviceAccountKeys\.create|iam\.(?:roles|denypolicies)\.(?:create|update)|orgpolicy\.policy\.set|[a-zA-Z]{1,60}\.[a-zA-Z]{1,60}\.setIamPolicy)$/;

function judgePermissions(subject: Subject): void {
  const path = ['permissions'];
  if (subject.isUnknown('permissions')) return;
  const held = new Set(strings(member(subject.before, 'permissions')));
  const now = new Set(strings(member(subject.after, 'permissions')));
  const added = [...now].filter((permission) => !held.has(permission));
  const rank = rankPermissions(added);
  if (rank) {
    // A new role grants nothing until it is assigned.
    const level: RiskLevel = subject.mode === 'create' ? (rank.level === 'critical' ? 'high' : 'medium') : rank.level;
    const shown = subject.quoteAll(
      path,
      added.filter((permission) => ESCALATES.test(permission)),
    );
    const message = `Holders of the custom role can gain further permissions: ${shown}.`;
    subject.add({ rule: rank.rule, level, path, message });
    subject.setDirection(path, 'weakening');
  } else if (added.length === 0 && subject.mode !== 'create' && [...held].some((permission) => !now.has(permission))) {
    subject.setDirection(path, 'strengthening');
  }
}

function rankPermissions(permissions: readonly string[]): Pick<Finding, 'rule' | 'level'> | undefined {
  if (permissions.some((permission) => GRANTS_ALL.test(permission))) return { rule: 'R-IAM-ADMIN', level: 'critical' };
  return permissions.some((permission) => ESCALATES.test(permission))
    ? { rule: 'R-IAM-WIDE', level: 'high' }
    : undefined;
}

export const CUSTOM_ROLE_RULES: readonly Rule[] = [
  {
    types: ['google_project_iam_custom_role', 'google_organization_iam_custom_role'],
    watches: [{ path: 'permissions' }],
    find: judgePermissions,
  },
];
