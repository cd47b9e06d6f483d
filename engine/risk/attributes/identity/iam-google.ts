/** Google Cloud grants: `_iam_member`, `_iam_binding` and `_iam_policy` of every parent. */

const REASONS = {
  public_bucket: (grant: string) => `Anyone can access the bucket: ${grant}.`,
  anyone: (grant: string) => `Anyone can access this: ${grant}.`,
  role: (role: string, parent: string, principals: string) => `Grants ${role} on a whole ${parent} to ${principals}.`,
  pool: (pools: string) => `Every identity of the pool gets the role, because no attribute is demanded: ${pools}.`,
  impersonation: (role: string) => `Other identities can act as the service account: ${role}.`,
};

import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import { isAboutNew } from '../target.ts';
import type { Finding, Path, Rule } from '../types.ts';
import { member, text } from '../values.ts';
import { extractParent, isUnknownGrant, readBindings, readGrants } from './google-bindings.ts';

const EVERYONE = new Set([
  ...['allUsers', 'allAuthenticatedUsers'],
  // Anyone can get an address of these.
  ...['domain:gmail.com', 'domain:googlemail.com'],
]);
const INVOKERS = new Set(['roles/run.invoker', 'roles/cloudfunctions.invoker', 'roles/run.servicesInvoker']);
/** Roles that can grant themselves every other role. */
const GRANTING = new Set([
  'roles/owner',
  'roles/iam.securityAdmin',
  'roles/resourcemanager.organizationAdmin',
  'roles/resourcemanager.projectIamAdmin',
  'roles/resourcemanager.folderIamAdmin',
  'roles/resourcemanager.folderAdmin',
]);
/** Roles that, on a project or above, allow impersonating its service accounts or weakening its policies. */
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
    const finding =
      judgeMembers(subject, parent, role, added) ??
      judgePools(subject, role, added) ??
      judgeRole(subject, parent, role, added);
    if (!finding) continue;
    subject.add(finding);
    if (finding.path) subject.setDirection(finding.path, 'weakening');
  }
  judgeRemovedGrants(subject, held);
}

/** Every identity of a pool, whatever its attributes are: with a public provider, everybody who has an account there. */
const WHOLE_POOL =
  /^principalSet:\/\/iam\.googleapis\.com\/.{1,200}\/(?:workloadIdentityPools|workforcePools)\/[^/]{1,64}\/\*$/;

function judgePools(subject: Subject, role: string, added: readonly string[]): Finding | undefined {
  const pools = added.filter((name) => WHOLE_POOL.test(name));
  if (pools.length === 0) return undefined;
  const path = memberPath(subject);
  const shown = subject.quoteAll(path, pools);
  return { rule: 'R-IAM-TRUST', level: GRANTING.has(role) ? 'critical' : 'high', path, message: REASONS.pool(shown) };
}

function judgeMembers(subject: Subject, parent: string, role: string, added: readonly string[]): Finding | undefined {
  const everyone = added.filter((name) => EVERYONE.has(name));
  if (everyone.length === 0) return undefined;
  const path = memberPath(subject);
  const shown =
    `${subject.quoteAll(path, everyone)} ${subject.isHidden(path) ? '' : `with ${subject.quoteAll(['role'], [role])}`}`.trim();
  if (parent === 'storage_bucket' || parent === 'storage_managed_folder') {
    const level: RiskLevel = STORAGE_READERS.test(role) && !isNewlyExposed(subject) ? 'high' : 'critical';
    return { rule: 'R-STO-PUBLIC', level, path, message: REASONS.public_bucket(shown) };
  }
  return {
    rule: 'R-IAM-TRUST',
    level: INVOKERS.has(role) ? (isAboutNew(subject) ? 'medium' : 'high') : 'critical',
    path,
    message: REASONS.anyone(shown),
  };
}

/** Returns true when the bucket exists and the same plan removes a block of public access. */
function isNewlyExposed(subject: Subject): boolean {
  return subject.facts.unguarded && !isAboutNew(subject);
}

function judgeRole(subject: Subject, parent: string, role: string, added: readonly string[]): Finding | undefined {
  const rank = rankRole(parent, role);
  if (!rank) return undefined;
  const path = memberPath(subject)[0] === 'policy_data' ? ['policy_data'] : ['role'];
  const who =
    added.length === 0 ? 'an identity that is unknown until apply' : subject.quoteAll(memberPath(subject), added);
  return {
    ...rank,
    path,
    message: REASONS.role(subject.quoteAll(path, [role]), parent.replaceAll('_', ' '), who),
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

/** Sets strengthening when grants were removed and none was added. Bindings are handled in iam-google-lists.ts. */
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

/** Checks for roles that let their holder act as the service account. */
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
    message: REASONS.impersonation(subject.quoteAll(['role'], [role])),
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
