/** Google Cloud grants: `_iam_member`, `_iam_binding` and `_iam_policy` of every parent. */
import type { RiskLevel } from '../../../result.ts';
import type { Subject } from '../subject.ts';
import { isAboutNew } from '../target.ts';
import type { Finding, Path, Rule } from '../types.ts';
import { member, text } from '../values.ts';
import { extractParent, isUnknownGrant, readBindings, readGrants } from './google-bindings.ts';

const EVERYONE = new Set(['allUsers', 'allAuthenticatedUsers']);
const INVOKERS = new Set(['roles/run.invoker', 'roles/cloudfunctions.invoker', 'roles/run.servicesInvoker']);
/** Roles that can give themselves every other role. */
const GRANTING = new Set([
  'roles/owner',
  'roles/iam.securityAdmin',
  'roles/resourcemanager.organizationAdmin',
  'roles/resourcemanager.projectIamAdmin',
  'roles/resourcemanager.folderIamAdmin',
  'roles/resourcemanager.folderAdmin',
]);
/** Roles which, on a project or above, let their holder act as its service accounts, or loosen what guards it. */
const ESCALATING = new Set([
  'roles/iam.serviceAccountTokenCreator',
  'roles/iam.serviceAccountUser',
  'roles/iam.serviceAccountKeyAdmin',
  'roles/iam.serviceAccountAdmin',
  'roles/iam.workloadIdentityUser',
  'roles/iam.workloadIdentityPoolAdmin',
  'roles/iam.roleAdmin',
  'roles/iam.organizationRoleAdmin',
  'roles/iam.denyAdmin',
  'roles/orgpolicy.policyAdmin',
  'roles/accesscontextmanager.policyAdmin',
]);
const SERVICE_ADMIN = /^roles\/[a-z]{1,40}\.admin$/;
const STORAGE_READERS =
  /^roles\/storage\.(?:objectViewer|legacyObjectReader|legacyBucketReader|insightsCollectorService)$/;

function judgeBindings(subject: Subject): void {
  const held = new Set(readGrants(subject.before));
  const parent = extractParent(subject.type);
  for (const { role, members } of readBindings(subject.after)) {
    const added = members.filter((name) => !held.has(`${role} ${name}`));
    if (added.length === 0 && !isUnknownGrant(subject)) continue;
    const finding = judgeMembers(subject, parent, role, added) ?? judgeRole(subject, parent, role, added);
    if (!finding) continue;
    subject.add(finding);
    if (finding.path) subject.setDirection(finding.path, 'weakening');
  }
  judgeRemovedGrants(subject, held);
}

function judgeMembers(subject: Subject, parent: string, role: string, added: readonly string[]): Finding | undefined {
  const everyone = added.filter((name) => EVERYONE.has(name));
  if (everyone.length === 0) return undefined;
  const path = memberPath(subject);
  const shown =
    `${subject.quoteAll(path, everyone)} ${subject.isHidden(path) ? '' : `with ${subject.quoteAll(['role'], [role])}`}`.trim();
  if (parent === 'storage_bucket' || parent === 'storage_managed_folder') {
    const level: RiskLevel = STORAGE_READERS.test(role) && !isNewlyExposed(subject) ? 'high' : 'critical';
    return { rule: 'R-STO-PUBLIC', level, path, message: `The bucket becomes public: ${shown}.` };
  }
  return {
    rule: 'R-IAM-TRUST',
    level: INVOKERS.has(role) ? (isAboutNew(subject) ? 'medium' : 'high') : 'critical',
    path,
    message: `Everybody gets in: ${shown}.`,
  };
}

/** It holds something, and the guard against public access goes with the same plan. */
function isNewlyExposed(subject: Subject): boolean {
  return subject.facts.unguarded && !isAboutNew(subject);
}

function judgeRole(subject: Subject, parent: string, role: string, added: readonly string[]): Finding | undefined {
  const rank = rankRole(parent, role);
  if (!rank) return undefined;
  const path = memberPath(subject)[0] === 'policy_data' ? ['policy_data'] : ['role'];
  const who = added.length === 0 ? '' : ` to ${subject.quoteAll(memberPath(subject), added)}`;
  return {
    ...rank,
    path,
    message: `${subject.quoteAll(path, [role])} on a whole ${parent.replaceAll('_', ' ')} goes${who || ' to an identity known only after apply'}.`,
  };
}

function rankRole(parent: string, role: string): Pick<Finding, 'rule' | 'level'> | undefined {
  const above = parent === 'organization' || parent === 'folder';
  if (GRANTING.has(role) || (above && role === 'roles/editor')) return { rule: 'R-IAM-ADMIN', level: 'critical' };
  if (parent === 'project' && role === 'roles/editor') return { rule: 'R-IAM-WIDE', level: 'high' };
  return (above || parent === 'project') && (SERVICE_ADMIN.test(role) || ESCALATING.has(role))
    ? { rule: 'R-IAM-WIDE', level: 'high' }
    : undefined;
}

function memberPath({ after, before }: Subject): Path {
  for (const name of ['policy_data', 'members', 'member'])
    if (member(after ?? before, name) !== undefined) return [name];
  return ['members'];
}

/** Strengthening: grants went away and none came; for lists that own themselves this is judged elsewhere. */
function judgeRemovedGrants(subject: Subject, held: ReadonlySet<string>): void {
  if (!subject.before || !subject.after || subject.type.endsWith('_iam_binding') || isUnknownGrant(subject)) return;
  const now = new Set(readGrants(subject.after));
  if (now.size < held.size && [...now].every((grant) => held.has(grant)))
    subject.setDirection(memberPath(subject), 'strengthening');
}

const IMPERSONATING = new Set([
  'roles/iam.serviceAccountTokenCreator',
  'roles/iam.serviceAccountUser',
  'roles/iam.serviceAccountKeyAdmin',
]);

/** Whoever holds such a role on a service account can act as it. */
function judgeImpersonation(subject: Subject): void {
  const role = text(member(subject.after, 'role'));
  if (
    !IMPERSONATING.has(role) ||
    (role === text(member(subject.before, 'role')) && !isUnknownGrant(subject) && !gainsMember(subject))
  )
    return;
  const level = subject.mode === 'create' ? 'medium' : 'high';
  subject.add({
    rule: `R-ATTR-${subject.type}.role`,
    level,
    path: ['role'],
    message: `Others can act as the service account: ${subject.quoteAll(['role'], [role])}.`,
  });
  subject.setDirection(['role'], 'weakening');
}

function gainsMember({ before, after }: Subject): boolean {
  const held = new Set(readBindings(before).flatMap(({ members }) => members));
  return readBindings(after).some(({ members }) => members.some((name) => !held.has(name)));
}

const MEMBER_TYPES = ['google_*_iam_member', 'google_*_iam_binding'];

export const GOOGLE_IAM_RULES: readonly Rule[] = [
  {
    types: MEMBER_TYPES,
    watches: [{ path: 'role' }, { path: 'member', hides: true }, { path: 'members', hides: true }],
    find: judgeBindings,
  },
  { types: ['google_*_iam_policy'], watches: [{ path: 'policy_data', hides: true }], find: judgeBindings },
  {
    types: ['google_service_account_iam_member', 'google_service_account_iam_binding'],
    watches: [{ path: 'role' }, { path: 'member' }, { path: 'members' }],
    find: judgeImpersonation,
  },
];
