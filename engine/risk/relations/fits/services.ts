/** Services and what keeps them running: health checks, scaling limits, time to start. */
import type { JsonObject } from '../../../model/result.ts';
import type { Value } from '../../attributes/types.ts';
import { at, list, member, parseJson, quantity, text } from '../../attributes/values.ts';
import { type Index, listNames, listNamesIn, type Neighbors } from '../neighbors.ts';
import type { Fit } from './types.ts';

const SERVICE = 'aws_ecs_service';
const TASKS = 'aws_ecs_task_definition';
const TARGETS = ['aws_lb_target_group', 'aws_alb_target_group'];
const DOCUMENT_CHARS = 200_000;

const listFamily = (task: JsonObject): string[] => [text(member(task, 'family'))];
const listTask = (service: JsonObject): string[] => listNamesIn(member(service, 'task_definition'));
const TASKS_BY_NAME: Index = { types: [TASKS], names: (task) => [...listNames(task), ...listFamily(task)] };
const listTargets = (service: JsonObject): string[] =>
  list(member(service, 'load_balancer')).flatMap((block) => listNamesIn(member(block, 'target_group_arn')));

function readContainers(service: JsonObject, plan: Neighbors): Value[] {
  const task = plan.linked(TASKS_BY_NAME, listTask(service)).find(({ after }) => after !== null);
  const containers = parseJson(text(member(task?.after, 'container_definitions')), DOCUMENT_CHARS);
  return Array.isArray(containers) ? containers : [];
}

function exposedPorts(service: JsonObject, plan: Neighbors): Set<string> {
  const mapped = readContainers(service, plan).flatMap((container) =>
    list(member(container, 'portMappings')).map((mapping) => text(member(mapping, 'containerPort'))),
  );
  const balanced = list(member(service, 'load_balancer')).map((block) => text(member(block, 'container_port')));
  return new Set([...mapped, ...balanced].filter((port) => port !== ''));
}

/** The longest time that a script waits before it goes on, in seconds. */
function readSleep(script: string): number {
  const waits = [
    ...script.slice(0, DOCUMENT_CHARS).matchAll(/(?:^|[\n;&|])[ \t]{0,20}(?:\/bin\/)?sleep (\d{1,6})(?![\d.smh])/g),
  ];
  return waits.reduce((total, [, seconds]) => total + Number(seconds), 0);
}

function decode(side: JsonObject): string {
  const encoded = text(member(side, 'user_data')) || text(member(side, 'user_data_base64'));
  if (encoded.length > DOCUMENT_CHARS) return '';
  return /^[A-Za-z0-9+/=\s]{1,200000}$/.test(encoded) ? Buffer.from(encoded, 'base64').toString('utf8') : encoded;
}

/** What a dimension of automatic scaling counts. */
const MOST: Readonly<Record<string, string>> = {
  'ecs:service:DesiredCount': 'desired_count',
  'dynamodb:table:ReadCapacityUnits': 'read_capacity',
  'dynamodb:table:WriteCapacityUnits': 'write_capacity',
  'ec2:spot-fleet-request:TargetCapacity': 'target_capacity',
};

/** A limit of automatic scaling that is below what runs now. */
function below(limit: number | undefined, running: number | undefined): boolean {
  return limit !== undefined && running !== undefined && limit < running;
}

/** The launch templates that a group names. */
function listTemplates(group: JsonObject): string[] {
  const blocks = [
    at(group, 'launch_template'),
    at(group, 'mixed_instances_policy', 'launch_template', 'launch_template_specification'),
  ].flatMap((block) => list(block));
  const named = ['id', 'name', 'launch_template_id'].flatMap((name) => blocks.map((block) => member(block, name)));
  return [...named, member(group, 'launch_configuration')].flatMap(listNamesIn);
}

export const SERVICE_FITS: readonly Fit[] = [
  {
    one: { types: TARGETS, paths: ['health_check'], names: listNames },
    other: { types: [SERVICE], paths: ['load_balancer', 'task_definition'], names: listTargets },
    looks_up: { [TASKS]: ['family', 'container_definitions'] },
    breaks: (targets, service, plan) => {
      const port = text(at(targets, 'health_check', 'port'));
      const exposed = plan.once(service, () => exposedPorts(service, plan));
      return /^\d{1,5}$/.test(port) && exposed.size > 0 && !exposed.has(port);
    },
    level: 'high',
    says: 'no container listens on the port of the health check, so every task is found unhealthy and replaced',
  },
  {
    one: {
      types: ['aws_appautoscaling_target'],
      paths: ['max_capacity'],
      reads: ['scalable_dimension', 'resource_id'],
      names: (target) => text(member(target, 'resource_id')).split('/').slice(1),
    },
    other: {
      types: [SERVICE, 'aws_dynamodb_table', 'aws_spot_fleet_request'],
      paths: ['desired_count'],
      reads: Object.values(MOST),
      names: listNames,
    },
    breaks: (target, scaled) => {
      const attribute = MOST[text(member(target, 'scalable_dimension'))];
      if (attribute === undefined) return false;
      return below(quantity(member(target, 'max_capacity')), quantity(member(scaled, attribute)));
    },
    level: 'high',
    says: 'more than the maximum runs now, so capacity is cut at once and cannot grow again',
  },
  {
    one: {
      types: ['google_compute_autoscaler', 'google_compute_region_autoscaler'],
      paths: ['autoscaling_policy'],
      names: (scaler) => listNamesIn(member(scaler, 'target')),
    },
    other: {
      types: ['google_compute_instance_group_manager', 'google_compute_region_instance_group_manager'],
      paths: ['target_size'],
      names: listNames,
    },
    breaks: (scaler, group) =>
      below(quantity(at(scaler, 'autoscaling_policy', 'max_replicas')), quantity(member(group, 'target_size'))),
    level: 'high',
    says: 'more instances than the maximum run now, so capacity is cut at once and cannot grow again',
  },
  {
    one: {
      types: ['azurerm_monitor_autoscale_setting'],
      paths: ['profile'],
      names: (scaler) => listNamesIn(member(scaler, 'target_resource_id')),
    },
    other: {
      types: [
        'azurerm_linux_virtual_machine_scale_set',
        'azurerm_windows_virtual_machine_scale_set',
        'azurerm_orchestrated_virtual_machine_scale_set',
      ],
      paths: ['instances'],
      names: listNames,
    },
    breaks: (scaler, set) =>
      list(member(scaler, 'profile')).every((profile) =>
        below(quantity(at(profile, 'capacity', 'maximum')), quantity(member(set, 'instances'))),
      ) && list(member(scaler, 'profile')).length > 0,
    level: 'high',
    says: 'more instances than the maximum run now, so capacity is cut at once and cannot grow again',
  },
  {
    one: {
      types: ['aws_autoscaling_group'],
      paths: ['health_check_grace_period', 'health_check_type'],
      reads: ['launch_template', 'mixed_instances_policy', 'launch_configuration'],
      names: listTemplates,
    },
    other: {
      types: ['aws_launch_template', 'aws_launch_configuration'],
      paths: ['user_data'],
      reads: ['user_data_base64'],
      names: listNames,
    },
    breaks: (group, template) =>
      text(member(group, 'health_check_type')).toUpperCase() === 'ELB' &&
      (quantity(member(group, 'health_check_grace_period')) ?? 300) < readSleep(decode(template)),
    level: 'high',
    says: 'instances are checked before their start script has finished, so they are replaced again and again',
  },
  {
    one: {
      types: [SERVICE],
      paths: ['health_check_grace_period_seconds'],
      reads: ['task_definition', 'load_balancer'],
      names: listTask,
    },
    other: { types: [TASKS], paths: ['container_definitions'], reads: ['family'], names: listFamily },
    breaks: (service, task) => {
      const containers = parseJson(text(member(task, 'container_definitions')), DOCUMENT_CHARS);
      const starts = list(containers).map((container) => quantity(at(container, 'healthCheck', 'startPeriod')) ?? 0);
      const grace = quantity(member(service, 'health_check_grace_period_seconds')) ?? 0;
      return list(member(service, 'load_balancer')).length > 0 && grace < Math.max(0, ...starts);
    },
    level: 'high',
    says: 'the load balancer may end tasks that are still starting',
  },
];
