/** Network access to the API of a cluster, and permissions in the cluster. */

const REASONS = {
  'R-K8S-PUBLICAPI': {
    create: 'The allow list of the Kubernetes API contains every address.',
    opened: 'Anyone on the internet can reach the Kubernetes API.',
  },
  binding: (role: string, whole: boolean) =>
    `Grants the role ${role} for ${whole ? 'the whole cluster' : 'a namespace'}.`,
  anonymous: (role: string) => `Unauthenticated callers get the role ${role}.`,
  authenticated: (role: string) => `Every authenticated user or service account of the cluster gets the role ${role}.`,
};

import { isVastPublic, parseCidr } from '../../../lib/cidr.ts';
import { isObject } from '../../../lib/is-object.ts';
import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { at, isEmpty, list, member, strings, text } from '../values.ts';

function hasWholeInternet(ranges: readonly string[]): boolean {
  return ranges.some((range) => {
    const cidr = parseCidr(range);
    return cidr !== undefined && isVastPublic(cidr);
  });
}

/** Checks the allow list of a cluster's API. An empty list allows everyone. */
function judgeAllowList(
  pattern: readonly string[],
  level: RiskLevel,
  ranges: (value: Value) => string[],
  subject: Subject,
): void {
  for (const { path, before, after, unknown } of subject.pairs(pattern)) {
    if (unknown || subject.isUnknown(...path)) continue;
    const listed = ranges(after);
    const open = listed.length === 0 || hasWholeInternet(listed);
    const earlier = ranges(before);
    const wasOpen = earlier.length === 0 || hasWholeInternet(earlier);
    if (subject.mode === 'create') {
      if (hasWholeInternet(listed)) report(subject, path, 'low', REASONS['R-K8S-PUBLICAPI'].create);
    } else if (open && !wasOpen) {
      report(subject, path, level, REASONS['R-K8S-PUBLICAPI'].opened);
    } else if (!open && wasOpen) {
      subject.setDirection(path, 'strengthening');
    }
  }
}

function report(subject: Subject, path: Path, level: RiskLevel, message: string): void {
  subject.add({ rule: 'R-K8S-PUBLICAPI', level, path, message });
  if (level !== 'low') subject.setDirection(path, 'weakening');
}

function googleRanges(value: Value): string[] {
  return list(at(value, 'cidr_blocks'))
    .concat(list(member(list(value)[0], 'cidr_blocks')))
    .flatMap((block) => strings(member(block, 'cidr_block')));
}

/** Roles that only give access to public information about the API. */
const PUBLIC_ROLES = new Set([
  'system:basic-user',
  'system:discovery',
  'system:public-info-viewer',
  'system:service-account-issuer-discovery',
]);
/** Built-in roles that can read secrets and run workloads. */
const WIDE_ROLES = new Set(['admin', 'edit']);

/** Checks role bindings: a role for everyone, or a role with full access. */
function judgeBinding(subject: Subject): void {
  const before = subjects(subject.before);
  const role = text(at(subject.after, 'role_ref', 'name'));
  const sameRole = role === text(at(subject.before, 'role_ref', 'name'));
  const added = [...subjects(subject.after)].filter((name) => !(sameRole && isSubject(before, name)));
  if (added.length === 0) return;
  if (!PUBLIC_ROLES.has(role)) judgeBroadGroups(subject, role, added);
  const whole = subject.type.includes('cluster_role_binding');
  const admin = role === 'cluster-admin';
  if (!admin && !(whole && WIDE_ROLES.has(role))) return;
  subject.add({
    rule: admin && whole ? 'R-IAM-ADMIN' : 'R-IAM-WIDE',
    level: admin && whole ? 'critical' : 'high',
    path: ['role_ref', 0, 'name'],
    message: REASONS.binding(role, whole),
  });
  subject.setDirection(sameRole ? ['subject'] : ['role_ref'], 'weakening');
}

/** Checks for groups that contain everyone: unauthenticated callers, or all authenticated ones. */
function judgeBroadGroups(subject: Subject, role: string, added: readonly string[]): void {
  const anonymous = added.some((name) => name.endsWith(':anonymous') || name.endsWith(':unauthenticated'));
  const everyone = added.some((name) => name.endsWith(':authenticated') || name.endsWith(':serviceaccounts'));
  if (!anonymous && !everyone) return;
  subject.add({
    rule: 'R-IAM-TRUST',
    level: anonymous ? 'critical' : 'high',
    path: ['subject'],
    message: REASONS[anonymous ? 'anonymous' : 'authenticated'](subject.quoteAll(['role_ref'], [role])),
  });
  subject.setDirection(['subject'], 'weakening');
}

function subjects(side: Value): Set<string> {
  return new Set(
    list(member(side, 'subject')).map(
      (entry) => `${text(member(entry, 'kind'))}:${text(member(entry, 'namespace'))}:${text(member(entry, 'name'))}`,
    ),
  );
}

const ALL_ACCOUNTS = 'Group::system:serviceaccounts';
const AUTHENTICATED = 'Group::system:authenticated';

/** Whether a subject is one of those before, or a member of one of their groups. */
function isSubject(before: ReadonlySet<string>, name: string): boolean {
  return before.has(name) || listGroups(name).some((group) => before.has(group));
}

/** The built-in groups to which a subject belongs. */
function listGroups(name: string): string[] {
  const [kind, namespace] = name.split(':', 2);
  if (kind === 'ServiceAccount') return [`${ALL_ACCOUNTS}:${namespace}`, ALL_ACCOUNTS, AUTHENTICATED];
  if (name.startsWith(`${ALL_ACCOUNTS}:`)) return [ALL_ACCOUNTS, AUTHENTICATED];
  return name === ALL_ACCOUNTS || (kind === 'User' && !name.endsWith(':anonymous')) ? [AUTHENTICATED] : [];
}

type Rank = 'all' | 'secrets' | 'escalation' | 'shell';

const RANKS: Record<Rank, { rule: string; level: RiskLevel; in_namespace: RiskLevel; phrase: string }> = {
  all: {
    rule: 'R-IAM-ADMIN',
    level: 'critical',
    in_namespace: 'high',
    phrase: 'allows every action on every resource',
  },
  secrets: {
    rule: 'R-IAM-WILDCARD',
    level: 'high',
    in_namespace: 'medium',
    phrase: 'can read every secret in its scope',
  },
  escalation: {
    rule: 'R-IAM-WIDE',
    level: 'high',
    in_namespace: 'high',
    phrase: 'can gain further permissions or impersonate other identities',
  },
  shell: {
    rule: 'R-IAM-WILDCARD',
    level: 'high',
    in_namespace: 'medium',
    phrase: 'can run commands in every container',
  },
};

/** Checks roles for dangerous permissions. */
function judgeRole(subject: Subject): void {
  const before = ranks(subject.before);
  const whole = subject.type.includes('cluster_role');
  for (const rank of ranks(subject.after)) {
    const was_covered = rank === 'escalation' ? coversEveryGroup(subject.before) : before.has('all');
    if (before.has(rank) || was_covered) continue;
    const { rule, level, in_namespace, phrase } = RANKS[rank];
    subject.add({
      rule: rank === 'all' && !whole ? 'R-IAM-WIDE' : rule,
      level: whole ? level : in_namespace,
      path: ['rule'],
      message: `The role ${phrase}.`,
    });
    subject.setDirection(['rule'], 'weakening');
  }
}

const AGGREGATES = /^rbac\.authorization\.k8s\.io\/aggregate-to-[a-z-]{1,60}$/;

/** A label by which another role takes over the permissions of this one: everybody who has that role gets them. */
function judgeAggregation(subject: Subject): void {
  const names = (side: Value): string[] => {
    const labels = at(side, 'metadata', 'labels');
    return Object.keys(isObject(labels) ? labels : {}).filter(
      (name) => AGGREGATES.test(name) && text(member(labels, name)) === 'true',
    );
  };
  const known = names(subject.before);
  const added = names(subject.after).filter((name) => !known.includes(name));
  if (added.length === 0) return;
  const grave = ranks(subject.after).size > 0;
  const path = ['metadata'];
  const message = `Everybody with another role gets the permissions of this one: ${subject.quoteAll(path, added)}.`;
  subject.add({ rule: 'R-IAM-WIDE', level: grave ? 'high' : 'medium', path, message });
  subject.setDirection(path, 'weakening');
}

/** Whether a rule allows everything, also on roles, which are not in the core group. */
function coversEveryGroup(side: Value): boolean {
  return list(member(side, 'rule')).some(
    (rule) => rankRule(rule) === 'all' && strings(member(rule, 'api_groups')).includes('*'),
  );
}

function ranks(side: Value): Set<Rank> {
  return new Set(list(member(side, 'rule')).flatMap((rule) => rankRule(rule) ?? []));
}

function rankRule(rule: Value): Rank | undefined {
  const verbs = strings(member(rule, 'verbs'));
  const resources = strings(member(rule, 'resources'));
  const may = (...names: string[]): boolean => verbs.includes('*') || names.some((verb) => verbs.includes(verb));
  const on = (...names: string[]): boolean => resources.includes('*') || names.some((name) => resources.includes(name));
  if (verbs.includes('*') && resources.includes('*') && isCore(rule)) return 'all';
  if (!isEmpty(member(rule, 'resource_names'))) return undefined;
  if (verbs.some((verb) => verb === 'escalate' || verb === 'bind' || verb === 'impersonate')) return 'escalation';
  if (!isCore(rule)) return undefined;
  if (on('secrets') && may('get', 'list', 'watch')) return 'secrets';
  return on('pods/exec', 'pods/attach', 'nodes/proxy') && may('create', 'get') ? 'shell' : undefined;
}

/** Returns true when a rule includes the core API group, which contains pods and secrets. */
function isCore(rule: Value): boolean {
  const groups = list(member(rule, 'api_groups')).map(text);
  return groups.length === 0 || groups.includes('') || groups.includes('*');
}

function allowList(
  types: string[],
  path: string,
  level: RiskLevel,
  ranges: (value: Value) => string[] = strings,
): Rule {
  const segments = path.split('.');
  return { types, watches: [{ path }], find: (subject) => judgeAllowList(segments, level, ranges, subject) };
}

export const KUBERNETES_RULES: readonly Rule[] = [
  allowList(['aws_eks_cluster'], 'vpc_config.*.public_access_cidrs', 'high'),
  allowList(['azurerm_kubernetes_cluster'], 'api_server_access_profile.*.authorized_ip_ranges', 'high'),
  allowList(['azurerm_kubernetes_cluster'], 'api_server_authorized_ip_ranges', 'high'),
  allowList(['google_container_cluster'], 'master_authorized_networks_config', 'critical', googleRanges),
  {
    types: ['kubernetes_cluster_role_binding*', 'kubernetes_role_binding*'],
    watches: [{ path: 'role_ref' }, { path: 'subject' }],
    find: judgeBinding,
  },
  {
    types: ['kubernetes_cluster_role', 'kubernetes_cluster_role_v1', 'kubernetes_role', 'kubernetes_role_v1'],
    watches: [{ path: 'rule' }],
    find: judgeRole,
  },
  {
    types: ['kubernetes_cluster_role', 'kubernetes_cluster_role_v1'],
    watches: [{ path: 'metadata' }],
    find: judgeAggregation,
  },
];
