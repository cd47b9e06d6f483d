/** Google Cloud grants: `_iam_member`, `_iam_binding` and `_iam_policy` of every parent. */
import type { RiskLevel } from '../../result.ts';
import type { Subject } from './subject.ts';
import type { Finding, Path, Rule, Value } from './types.ts';
import { list, member, parseJson, strings, text } from './values.ts';

interface Binding {
  role: string;
  members: readonly string[];
}

const DOCUMENT_CHARS_MAX = 500_000;
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
const SERVICE_ADMIN = /^roles\/[a-z]{1,40}\.admin$/;
const STORAGE_READERS =
  /^roles\/storage\.(?:objectViewer|legacyObjectReader|legacyBucketReader|insightsCollectorService)$/;
const CONTAINERS = ['organization', 'folder', 'project', 'billing_account'];

/** The parent a type speaks of (`project` in `google_project_iam_member`). */
function parentOf(type: string): string {
  return type.replace(/^google_/, '').replace(/_iam_(?:member|binding|policy)$/, '');
}

function bindingsOf(side: Value): Binding[] {
  if (side === undefined) return [];
  const data = member(side, 'policy_data');
  if (typeof data === 'string') {
    return list(member(parseJson(data, DOCUMENT_CHARS_MAX), 'bindings')).map((binding) => ({
      role: text(member(binding, 'role')),
      members: strings(member(binding, 'members')),
    }));
  }
  return [
    {
      role: text(member(side, 'role')),
      members: [...strings(member(side, 'member')), ...strings(member(side, 'members'))],
    },
  ];
}

function judgeBindings(subject: Subject): void {
  const held = new Set(
    bindingsOf(subject.before).flatMap(({ role, members }) => members.map((name) => `${role} ${name}`)),
  );
  const parent = parentOf(subject.type);
  for (const { role, members } of bindingsOf(subject.after)) {
    const added = members.filter((name) => !held.has(`${role} ${name}`));
    if (added.length === 0 && !isUnknownGrant(subject)) continue;
    const finding = judgeMembers(subject, parent, role, added) ?? judgeRole(subject, parent, role, added);
    if (!finding) continue;
    subject.add(finding);
    if (finding.path) subject.turn(finding.path, 'weakening');
  }
  judgeLess(subject, held);
}

/** A member that is known only after apply holds a known role all the same. */
function isUnknownGrant(subject: Subject): boolean {
  return subject.isUnknown('member') || subject.isUnknown('members');
}

function judgeMembers(subject: Subject, parent: string, role: string, added: readonly string[]): Finding | undefined {
  const everyone = added.filter((name) => EVERYONE.has(name));
  if (everyone.length === 0) return undefined;
  const path = memberPath(subject);
  const shown =
    `${subject.quoteAll(path, everyone)} ${subject.isHidden(path) ? '' : `with ${subject.quoteAll(['role'], [role])}`}`.trim();
  if (parent === 'storage_bucket' || parent === 'storage_managed_folder') {
    const level: RiskLevel = STORAGE_READERS.test(role) ? 'high' : 'critical';
    return { rule: 'R-STO-PUBLIC', level, path, message: `The bucket becomes public: ${shown}.` };
  }
  return {
    rule: 'R-IAM-TRUST',
    level: INVOKERS.has(role) ? 'high' : 'critical',
    path,
    message: `Everybody gets in: ${shown}.`,
  };
}

function judgeRole(subject: Subject, parent: string, role: string, added: readonly string[]): Finding | undefined {
  const rank = rankOf(parent, role);
  if (!rank) return undefined;
  const path = memberPath(subject)[0] === 'policy_data' ? ['policy_data'] : ['role'];
  const who = added.length === 0 ? '' : ` to ${subject.quoteAll(memberPath(subject), added)}`;
  return {
    ...rank,
    path,
    message: `${subject.quoteAll(path, [role])} on a whole ${parent.replaceAll('_', ' ')} goes${who || ' to an identity known only after apply'}.`,
  };
}

function rankOf(parent: string, role: string): Pick<Finding, 'rule' | 'level'> | undefined {
  const above = parent === 'organization' || parent === 'folder';
  if (GRANTING.has(role) || (above && role === 'roles/editor')) return { rule: 'R-IAM-ADMIN', level: 'critical' };
  if (parent === 'project' && role === 'roles/editor') return { rule: 'R-IAM-WIDE', level: 'high' };
  return (above || parent === 'project') && SERVICE_ADMIN.test(role)
    ? { rule: 'R-IAM-WIDE', level: 'high' }
    : undefined;
}

function memberPath({ after, before }: Subject): Path {
  for (const name of ['policy_data', 'members', 'member'])
    if (member(after ?? before, name) !== undefined) return [name];
  return ['members'];
}

/** Strengthening: grants went away and none came; for lists that own themselves this is judged elsewhere. */
function judgeLess(subject: Subject, held: ReadonlySet<string>): void {
  if (!subject.before || !subject.after || subject.type.endsWith('_iam_binding') || isUnknownGrant(subject)) return;
  const now = new Set(
    bindingsOf(subject.after).flatMap(({ role, members }) => members.map((name) => `${role} ${name}`)),
  );
  if (now.size < held.size && [...now].every((grant) => held.has(grant)))
    subject.turn(memberPath(subject), 'strengthening');
}

/** R-IAM-AUTHORITATIVE: the resource owns the whole list, and whoever it does not name loses the grant. */
function judgeOwnership(subject: Subject): void {
  const parent = parentOf(subject.type);
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
  if (path && subject.mode !== 'create') subject.turn(path, 'weakening');
}

function sameBindings({ before, after }: Subject): boolean {
  const grants = (side: Value): string =>
    [...new Set(bindingsOf(side).flatMap(({ role, members }) => members.map((name) => `${role} ${name}`)))]
      .sort()
      .join('\n');
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
  const now = new Set(strings(member(subject.after, 'members')));
  const removed = strings(member(subject.before, 'members')).filter((name) => !now.has(name));
  if (removed.length === 0 || (subject.mode === 'delete' && isGone(subject))) return;
  const path: Path | null = subject.mode === 'delete' ? null : ['members'];
  subject.add({
    rule: 'R-IAM-AUTHORITATIVE',
    level: 'high',
    path,
    message: `Lose the role on the ${parent}: ${subject.quoteAll(['members'], removed)}.`,
  });
  if (path) subject.turn(path, 'weakening');
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
  subject.turn(['role'], 'weakening');
}

function gainsMember({ before, after }: Subject): boolean {
  const held = new Set(bindingsOf(before).flatMap(({ members }) => members));
  return bindingsOf(after).some(({ members }) => members.some((name) => !held.has(name)));
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
