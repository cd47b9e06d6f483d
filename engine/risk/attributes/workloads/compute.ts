import { isObject } from '../../../lib/is-object.ts';
/** Capacity and privileges of workloads: R-CMP-SCALE0, R-CMP-PRIV, and the login settings of Google instances. */
import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { list, member, parseJson, quantity, text, truth } from '../values.ts';

const REASONS = {
  'R-CMP-SCALE0': {
    zero: (change: string) => `Capacity is reduced to zero, so nothing keeps running: ${change}.`,
    half: (change: string) => `Capacity is reduced by more than half: ${change}.`,
  },
  'R-CMP-PRIV': {
    privileged: (container: string) => `${container} runs privileged and can take over its host.`,
    root: (container: string) => `${container} runs as root.`,
    shared: (what: string) => `The containers share the ${what} of their host.`,
  },
  metadata: {
    oslogin: 'OS Login is off: IAM no longer controls SSH access.',
    serial: 'The serial console accepts logins.',
    project_keys: 'Every SSH key of the project can log in to the instance.',
  },
};

/** The path of the capacity setting of each type. */
const COUNTS: [types: readonly string[], path: string][] = [
  [['aws_autoscaling_group'], 'desired_capacity'],
  [['aws_autoscaling_group'], 'max_size'],
  [['aws_ecs_service'], 'desired_count'],
  [['aws_eks_node_group'], 'scaling_config.*.desired_size'],
  [['aws_eks_node_group'], 'scaling_config.*.max_size'],
  [['aws_appautoscaling_target'], 'max_capacity'],
  [['aws_lambda_function'], 'reserved_concurrent_executions'],
  [['google_compute_instance_group_manager', 'google_compute_region_instance_group_manager'], 'target_size'],
  [['google_compute_autoscaler', 'google_compute_region_autoscaler'], 'autoscaling_policy.*.max_replicas'],
  [['google_container_node_pool', 'azurerm_kubernetes_cluster_node_pool'], 'node_count'],
  [['google_container_node_pool'], 'autoscaling.*.max_node_count'],
  [['azurerm_kubernetes_cluster_node_pool'], 'max_count'],
  [['azurerm_kubernetes_cluster'], 'default_node_pool.*.max_count'],
  [['azurerm_monitor_autoscale_setting'], 'profile.*.capacity.*.maximum'],
  [['azurerm_container_app'], 'template.*.max_replicas'],
  [['kubernetes_horizontal_pod_autoscaler*'], 'spec.*.max_replicas'],
  [['azurerm_kubernetes_cluster'], 'default_node_pool.*.node_count'],
  [['azurerm_*_scale_set'], 'instances'],
  [['azurerm_service_plan'], 'worker_count'],
  [['kubernetes_deployment*', 'kubernetes_stateful_set*', 'kubernetes_replication_controller*'], 'spec.*.replicas'],
];

function judgeCount(segments: readonly string[], subject: Subject): void {
  for (const { path, before, after } of subject.pairs(segments)) {
    const from = quantity(before);
    const to = quantity(after);
    if (from === undefined || to === undefined || from < 0 || to < 0 || from === to) continue;
    if (to > from) {
      subject.setDirection(path, 'strengthening');
    } else if (to === 0 || to * 2 < from) {
      const hidden = subject.isHidden(path);
      const values = hidden ? 'changes (values withheld)' : `changes from ${from} to ${to}`;
      const message = REASONS['R-CMP-SCALE0'][to === 0 ? 'zero' : 'half'](`${subject.formatPath(path)} ${values}`);
      subject.add({
        rule: 'R-CMP-SCALE0',
        level: to === 0 || isCollapse(segments, from, to) ? 'high' : 'medium',
        path,
        message,
        states_values: !hidden,
      });
      subject.setDirection(path, 'weakening');
    }
  }
}

/** A fifth of what runs now does not carry the load of all. What may run at most, or is reserved, says less. */
function isCollapse(segments: readonly string[], from: number, to: number): boolean {
  return from >= 10 && to * 5 <= from && !/max|reserved/.test(segments.at(-1)!);
}

const DOCUMENT_CHARS_MAX = 500_000;

interface Privileges {
  container: string;
  privileged: boolean;
  root: boolean;
}

/** Checks the containers of a task, which are one JSON string. */
function judgeContainers(attribute: string, subject: Subject): void {
  const before = new Map(
    containers(member(subject.before, attribute)).map((container) => [container.container, container]),
  );
  for (const { container, privileged, root } of containers(member(subject.after, attribute))) {
    const known = before.get(container);
    const name = container === '' ? 'The container' : `The container ${subject.quoteAll([attribute], [container])}`;
    if (privileged && !known?.privileged) report(subject, [attribute], 'high', REASONS['R-CMP-PRIV'].privileged(name));
    if (root && !known?.root) report(subject, [attribute], 'medium', REASONS['R-CMP-PRIV'].root(name));
  }
}

function containers(document: Value): Privileges[] {
  const parsed = typeof document === 'string' ? parseJson(document, DOCUMENT_CHARS_MAX) : document;
  return list(parsed)
    .filter(isObject)
    .map((container) => {
      const user = text(member(container, 'user')).split(':')[0];
      return {
        container: text(member(container, 'name')),
        privileged: truth(member(container, 'privileged')) === true,
        root: user === 'root' || user === '0',
      };
    });
}

/** Checks for a task that shares a namespace of its host. */
function judgeHostModes(subject: Subject): void {
  for (const [attribute, what] of [
    ['network_mode', 'network'],
    ['pid_mode', 'processes'],
    ['ipc_mode', 'memory'],
  ] as const) {
    if (text(member(subject.after, attribute)) !== 'host' || text(member(subject.before, attribute)) === 'host')
      continue;
    report(subject, [attribute], 'high', REASONS['R-CMP-PRIV'].shared(what));
  }
}

function report(subject: Subject, path: Path, level: RiskLevel, message: string): void {
  subject.add({ rule: 'R-CMP-PRIV', level, path, message });
  subject.setDirection(path, 'weakening');
}

/** Metadata keys of Google instances that control who can log in, with the safe and the dangerous value. */
const LOGIN_KEYS: [key: string, safe: string | null, dangerous: string | null, message: string][] = [
  ['enable-oslogin', 'true', 'false', REASONS.metadata.oslogin],
  ['serial-port-enable', null, 'true', REASONS.metadata.serial],
  ['block-project-ssh-keys', 'true', null, REASONS.metadata.project_keys],
];

function judgeMetadata(subject: Subject): void {
  for (const [key, safe, dangerous, message] of LOGIN_KEYS) {
    const before = text(member(member(subject.before, 'metadata'), key)).toLowerCase();
    const after = text(member(member(subject.after, 'metadata'), key)).toLowerCase();
    if (before === after) continue;
    const falls = dangerous === null ? before === safe : isOn(after, dangerous) || (safe !== null && before === safe);
    if (!falls) continue;
    const level = subject.mode === 'create' ? 'medium' : 'high';
    subject.add({
      rule: `R-ATTR-${subject.type}.metadata`,
      level,
      path: ['metadata', key],
      message,
    });
    subject.setDirection(['metadata', key], 'weakening');
  }
}

function isOn(value: string, dangerous: string): boolean {
  return value === dangerous || (dangerous === 'true' && value === '1');
}

export const COMPUTE_RULES: readonly Rule[] = [
  ...COUNTS.map(([types, path]): Rule => {
    const segments = path.split('.');
    return {
      types,
      watches: [{ path }],
      modes: ['update', 'replace'],
      find: (subject) => judgeCount(segments, subject),
    };
  }),
  {
    types: ['aws_ecs_task_definition'],
    watches: [{ path: 'container_definitions', hides: true }],
    find: (subject) => judgeContainers('container_definitions', subject),
  },
  {
    types: ['aws_batch_job_definition'],
    watches: [{ path: 'container_properties' }],
    find: (subject) => judgeContainers('container_properties', subject),
  },
  {
    types: ['aws_ecs_task_definition'],
    watches: ['network_mode', 'pid_mode', 'ipc_mode'].map((path) => ({ path })),
    find: judgeHostModes,
  },
  {
    types: [
      'google_compute_instance',
      'google_compute_instance_template',
      'google_compute_region_instance_template',
      'google_compute_project_metadata',
    ],
    watches: [{ path: 'metadata' }],
    find: judgeMetadata,
  },
];
