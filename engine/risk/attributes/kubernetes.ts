/** Clusters and what runs in them: R-K8S-PUBLICAPI, R-CMP-PRIV for pods, cluster roles. */
import type { RiskLevel } from '../../result.ts';
import { isWorld, parseCidr } from './cidr.ts';
import type { Subject } from './subject.ts';
import type { Path, Rule, Value } from './types.ts';
import { at, isEmpty, list, member, strings, text, truth } from './values.ts';

function holdsWorld(ranges: readonly string[]): boolean {
  return ranges.some((range) => {
    const cidr = parseCidr(range);
    return cidr !== undefined && isWorld(cidr);
  });
}

/** An allow list before the cluster's API: `open` when it is empty or holds the world, where empty means everyone. */
function judgeAllowList(
  pattern: readonly string[],
  level: RiskLevel,
  ranges: (value: Value) => string[],
  subject: Subject,
): void {
  for (const { path, before, after, unknown } of subject.pairs(pattern)) {
    if (unknown || subject.isUnknown(...path)) continue;
    const listed = ranges(after);
    const open = listed.length === 0 || holdsWorld(listed);
    const earlier = ranges(before);
    const wasOpen = earlier.length === 0 || holdsWorld(earlier);
    if (subject.mode === 'create') {
      if (holdsWorld(listed)) report(subject, path, 'low', 'The allow list of the cluster API holds every address.');
    } else if (open && !wasOpen) {
      report(subject, path, level, 'Every address may reach the API of the cluster.');
    } else if (!open && wasOpen) {
      subject.turn(path, 'strengthening');
    }
  }
}

function report(subject: Subject, path: Path, level: RiskLevel, message: string): void {
  subject.add({ rule: 'R-K8S-PUBLICAPI', level, path, message });
  if (level !== 'low') subject.turn(path, 'weakening');
}

function googleRanges(value: Value): string[] {
  return list(at(value, 'cidr_blocks'))
    .concat(list(member(list(value)[0], 'cidr_blocks')))
    .flatMap((block) => strings(member(block, 'cidr_block')));
}

const POD_SPECS: [types: readonly string[], spec: string][] = [
  [['kubernetes_pod', 'kubernetes_pod_v1'], 'spec'],
  [
    [
      'kubernetes_deployment*',
      'kubernetes_daemonset',
      'kubernetes_daemon_set_v1',
      'kubernetes_stateful_set*',
      'kubernetes_job',
      'kubernetes_job_v1',
    ],
    'spec.*.template.*.spec',
  ],
  [['kubernetes_cron_job', 'kubernetes_cron_job_v1'], 'spec.*.job_template.*.spec.*.template.*.spec'],
];

const POD_FLAGS: [path: string, level: RiskLevel, says: string][] = [
  ['host_network', 'high', 'The pod shares the network of its host'],
  ['host_pid', 'high', 'The pod sees the processes of its host'],
  ['host_ipc', 'high', 'The pod shares the memory of its host'],
  ['container.*.security_context.*.privileged', 'high', 'A container runs privileged and can take over its host'],
  ['init_container.*.security_context.*.privileged', 'high', 'A container runs privileged and can take over its host'],
  ['container.*.security_context.*.run_as_user', 'medium', 'A container runs as root'],
];

function judgePod(segments: readonly string[], level: RiskLevel, says: string, subject: Subject): void {
  const isSet = (value: Value): boolean => truth(value) === true || (level === 'medium' && text(value) === '0');
  for (const { path, before, after } of subject.pairs(segments)) {
    if (isSet(after) === isSet(before)) continue;
    if (isSet(after)) subject.add({ rule: 'R-CMP-PRIV', level, path, message: `${says}.` });
    subject.turn(path, isSet(after) ? 'weakening' : 'strengthening');
  }
}

/** Who holds cluster-admin, or everything at all without a login. */
function judgeBinding(subject: Subject): void {
  const before = subjects(subject.before);
  const added = [...subjects(subject.after)].filter((name) => !before.has(name));
  const role = text(at(subject.after, 'role_ref', 'name'));
  const sameRole = role === text(at(subject.before, 'role_ref', 'name'));
  if (sameRole && added.length === 0) return;
  const anonymous = added.find((name) => name.endsWith(':anonymous') || name.endsWith(':unauthenticated'));
  if (anonymous) {
    subject.add({
      rule: 'R-IAM-TRUST',
      level: 'critical',
      path: ['subject'],
      message: `Callers without a login get the role ${subject.quoteAll(['role_ref'], [role])}.`,
    });
    subject.turn(['subject'], 'weakening');
  }
  if (role !== 'cluster-admin') return;
  const whole = subject.type.includes('cluster_role_binding');
  const where = whole ? 'the whole cluster' : 'a namespace';
  subject.add({
    rule: whole ? 'R-IAM-ADMIN' : 'R-IAM-WIDE',
    level: whole ? 'critical' : 'high',
    path: ['role_ref', 0, 'name'],
    message: `The role cluster-admin is granted for ${where}.`,
  });
  subject.turn(['role_ref'], 'weakening');
}

function subjects(side: Value): Set<string> {
  return new Set(
    list(member(side, 'subject')).map(
      (entry) => `${text(member(entry, 'kind'))}:${text(member(entry, 'namespace'))}:${text(member(entry, 'name'))}`,
    ),
  );
}

/** Roles that allow everything, or the reading of every secret. */
function judgeRole(subject: Subject): void {
  const before = ranks(subject.before);
  const whole = subject.type.includes('cluster_role');
  for (const rank of ranks(subject.after)) {
    if (before.has(rank) || before.has('all')) continue;
    const all = rank === 'all';
    subject.add({
      rule: all ? (whole ? 'R-IAM-ADMIN' : 'R-IAM-WIDE') : 'R-IAM-WILDCARD',
      level: all && whole ? 'critical' : whole || all ? 'high' : 'medium',
      path: ['rule'],
      message: all ? 'The role allows every action on everything.' : 'The role can read every secret in its reach.',
    });
    subject.turn(['rule'], 'weakening');
  }
}

function ranks(side: Value): Set<'all' | 'secrets'> {
  const found = new Set<'all' | 'secrets'>();
  for (const rule of list(member(side, 'rule'))) {
    const verbs = strings(member(rule, 'verbs'));
    const resources = strings(member(rule, 'resources'));
    if (verbs.includes('*') && resources.includes('*')) found.add('all');
    else if (
      resources.some((name) => name === 'secrets' || name === '*') &&
      verbs.some((verb) => verb === 'get' || verb === 'list' || verb === '*') &&
      isEmpty(member(rule, 'resource_names'))
    )
      found.add('secrets');
  }
  return found;
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
  ...POD_SPECS.flatMap(([types, spec]) =>
    POD_FLAGS.map(([flag, level, says]): Rule => {
      const segments = `${spec}.*.${flag}`.split('.');
      return {
        types,
        watches: [{ path: segments.join('.') }],
        find: (subject) => judgePod(segments, level, says, subject),
      };
    }),
  ),
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
];
