import { isObject } from '../../../lib/is-object.ts';
/** Pods with access to their host, services on the internet, and namespaces with weaker pod security. */
import type { RiskLevel } from '../../../model/result.ts';
import { isManagementPort } from '../network/ports.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { at, isEmpty, list, member, quantity, strings, text, truth } from '../values.ts';

const POD_SPECS: [types: readonly string[], spec: string][] = [
  [['kubernetes_pod', 'kubernetes_pod_v1'], 'spec'],
  [
    [
      'kubernetes_deployment*',
      'kubernetes_daemonset',
      'kubernetes_daemon_set_v1',
      'kubernetes_stateful_set*',
      'kubernetes_replication_controller*',
      'kubernetes_job',
      'kubernetes_job_v1',
      'kubernetes_replica_set*',
      'kubernetes_rollout',
      'kubernetes_notebook',
      'kubernetes_service',
      'kubernetes_configuration',
    ],
    'spec.*.template.*.spec',
  ],
  [['kubernetes_scaled_job'], 'spec.*.job_target_ref.*.template.*.spec'],
  [['kubernetes_cron_job', 'kubernetes_cron_job_v1'], 'spec.*.job_template.*.spec.*.template.*.spec'],
];

interface Flag {
  path: string;
  level: RiskLevel;
  phrase: string;
  isSet: (value: Value) => boolean;
}

const isOn = (value: Value): boolean => truth(value) === true;
/** Capabilities that let a container escape its isolation. */
const DANGEROUS_CAPABILITIES = new Set([
  'all',
  'sys_admin',
  'sys_module',
  'sys_ptrace',
  'sys_rawio',
  'dac_read_search',
  'bpf',
]);
const hasDangerousCapability = (value: Value): boolean =>
  strings(value).some((name) => DANGEROUS_CAPABILITIES.has(name.toLowerCase().replace(/^cap_/, '')));
/** Write access to these paths or sockets gives control of the host. */
const HOST_PATH =
  /^\/$|^\/(?:etc|root|var\/lib\/(?:kubelet|docker|containerd)|proc)(?:\/|$)|(?:docker|containerd|crio)\.sock$/;
const isHostPath = (value: Value): boolean => HOST_PATH.test(text(value));
const PRIVILEGED = 'A container runs privileged and can take over its host';

const FLAGS: readonly Flag[] = [
  { path: 'host_network', level: 'high', phrase: 'The pod shares the network of its host', isSet: isOn },
  { path: 'host_pid', level: 'high', phrase: 'The pod sees the processes of its host', isSet: isOn },
  { path: 'host_ipc', level: 'high', phrase: 'The pod shares the memory of its host', isSet: isOn },
  ...['container', 'init_container'].flatMap((kind): Flag[] => [
    { path: `${kind}.*.security_context.*.privileged`, level: 'high', phrase: PRIVILEGED, isSet: isOn },
    {
      path: `${kind}.*.security_context.*.capabilities.*.add`,
      level: 'high',
      phrase: 'A container gets capabilities that control its host',
      isSet: hasDangerousCapability,
    },
  ]),
  {
    path: 'volume.*.host_path.*.path',
    level: 'high',
    phrase: 'The pod mounts host files that control its host',
    isSet: isHostPath,
  },
  {
    path: 'container.*.security_context.*.run_as_user',
    level: 'medium',
    phrase: 'A container runs as root',
    isSet: (value) => text(value) === '0',
  },
];

function judgeFlag(segments: readonly string[], { level, phrase, isSet }: Flag, subject: Subject): void {
  for (const { path, before, after } of subject.pairs(segments)) {
    if (isSet(after) === isSet(before)) continue;
    if (isSet(after)) subject.add({ rule: 'R-CMP-PRIV', level, path, message: `${phrase}.` });
    subject.setDirection(path, isSet(after) ? 'weakening' : 'strengthening');
  }
}

/** Returns the ports that an unrestricted load balancer exposes to the internet. */
function exposedPorts(service: Value): number[] {
  const spec = list(member(service, 'spec'))[0];
  if (text(member(spec, 'type')) !== 'LoadBalancer' || isInternal(service)) return [];
  const ranges = strings(member(spec, 'load_balancer_source_ranges'));
  if (ranges.length > 0 && !ranges.includes('0.0.0.0/0')) return [];
  return list(member(spec, 'port')).flatMap((port) => quantity(member(port, 'port')) ?? []);
}

/** Each cloud has its own annotation for an internal load balancer. */
function isInternal(service: Value): boolean {
  const annotations = at(service, 'metadata', 'annotations');
  if (!isObject(annotations)) return false;
  return Object.entries(annotations).some(([name, value]) => {
    const setting = text(value).toLowerCase();
    return (
      /^(?:internal|intranet|private)$/.test(setting) ||
      (name.includes('internal') && setting !== 'false' && setting !== '')
    );
  });
}

function judgeService(subject: Subject): void {
  if (subject.isUnknown('metadata', 0, 'annotations')) return;
  const earlier = new Set(exposedPorts(subject.before));
  const opened = exposedPorts(subject.after).filter((port) => isManagementPort(port) && !earlier.has(port));
  if (opened.length === 0) return;
  const path = ['spec', 0, 'type'];
  const shown = subject.quoteAll(path, opened.map(String));
  subject.add({
    rule: 'R-NET-OPEN',
    level: 'high',
    path,
    message: `A load balancer without source ranges exposes a database or management port to the internet: ${shown}.`,
  });
  subject.setDirection(path, 'weakening');
}

const STANDARDS = ['restricted', 'baseline', 'privileged'];
const STANDARD = 'pod-security.kubernetes.io/enforce';

function judgeNamespace(subject: Subject): void {
  const readStandard = (side: Value): number =>
    STANDARDS.indexOf(text(member(at(side, 'metadata', 'labels'), STANDARD)) || 'privileged');
  const [from, to] = [readStandard(subject.before), readStandard(subject.after)];
  if (from < 0 || to < 0 || from === to || isEmpty(subject.before)) return;
  const path = ['metadata', 0, 'labels'];
  subject.setDirection(path, to > from ? 'weakening' : 'strengthening');
  if (to < from) return;
  const level = STANDARDS[to] === 'privileged' ? 'high' : 'medium';
  const message = `The pod security standard of the namespace is lowered from ${STANDARDS[from]} to ${STANDARDS[to]}.`;
  subject.add({ rule: `R-ATTR-${subject.type}.metadata.*.labels`, level, path, message });
}

export const POD_RULES: readonly Rule[] = [
  ...POD_SPECS.flatMap(([types, spec]) =>
    FLAGS.map((flag): Rule => {
      const path = `${spec}.*.${flag.path}`;
      const segments = path.split('.');
      return { types, watches: [{ path }], find: (subject) => judgeFlag(segments, flag, subject) };
    }),
  ),
  {
    types: ['kubernetes_service', 'kubernetes_service_v1'],
    watches: [
      { path: 'spec.*.type' },
      { path: 'spec.*.port' },
      { path: 'spec.*.load_balancer_source_ranges' },
      { path: 'metadata.*.annotations' },
    ],
    find: judgeService,
  },
  {
    types: ['kubernetes_namespace', 'kubernetes_namespace_v1'],
    watches: [{ path: 'metadata.*.labels' }],
    modes: ['update', 'replace'],
    find: judgeNamespace,
  },
];
