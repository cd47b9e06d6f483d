/** Services and what keeps them running: health checks, scaling limits, time to start. */
import type { JsonObject } from '../../../model/result.ts';
import type { Value } from '../../attributes/types.ts';
import { at, list, member, parseJson, quantity, text } from '../../attributes/values.ts';
import { type Neighbors, refersTo } from '../neighbors.ts';
import type { Fit } from './types.ts';

const SERVICE = 'aws_ecs_service';
const TASKS = 'aws_ecs_task_definition';
const TARGETS = ['aws_lb_target_group', 'aws_alb_target_group'];
const DOCUMENT_CHARS = 200_000;

function readContainers(service: JsonObject, plan: Neighbors): Value[] {
  const task = plan.find([TASKS]).find(({ after }) => {
    const family = text(member(after, 'family'));
    const named = text(member(service, 'task_definition'));
    return after !== null && (refersTo(named, after) || (family !== '' && named.split(/[:/]/).includes(family)));
  });
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

const balances = (targets: JsonObject, service: JsonObject): boolean =>
  list(member(service, 'load_balancer')).some((block) => refersTo(member(block, 'target_group_arn'), targets));

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

const MOST: Readonly<Record<string, readonly [types: string, attribute: string]>> = {
  'ecs:service:DesiredCount': [SERVICE, 'desired_count'],
  'dynamodb:table:ReadCapacityUnits': ['aws_dynamodb_table', 'read_capacity'],
  'dynamodb:table:WriteCapacityUnits': ['aws_dynamodb_table', 'write_capacity'],
  'ec2:spot-fleet-request:TargetCapacity': ['aws_spot_fleet_request', 'target_capacity'],
  'kafka:broker-storage:VolumeSize': ['aws_msk_cluster', 'volume_size'],
};

/** A limit of automatic scaling that is below what runs now. */
function below(limit: number | undefined, running: number | undefined): boolean {
  return limit !== undefined && running !== undefined && limit < running;
}

export const SERVICE_FITS: readonly Fit[] = [
  {
    one: { types: TARGETS, paths: ['health_check'] },
    other: { types: [SERVICE], paths: ['load_balancer', 'task_definition'] },
    looks_up: [TASKS],
    joins: balances,
    breaks: (targets, service, plan) => {
      const port = text(at(targets, 'health_check', 'port'));
      const exposed = exposedPorts(service, plan);
      return /^\d{1,5}$/.test(port) && exposed.size > 0 && !exposed.has(port);
    },
    level: 'high',
    says: 'no container listens on the port of the health check, so every task is found unhealthy and replaced',
  },
  {
    one: { types: ['aws_appautoscaling_target'], paths: ['max_capacity'] },
    other: { types: [SERVICE, 'aws_dynamodb_table', 'aws_spot_fleet_request'], paths: ['desired_count'] },
    joins: (target, scaled) => refersTo(text(member(target, 'resource_id')).split('/').slice(1), scaled),
    breaks: (target, scaled) => {
      const [, attribute] = MOST[text(member(target, 'scalable_dimension'))] ?? [];
      if (attribute === undefined) return false;
      return below(quantity(member(target, 'max_capacity')), quantity(member(scaled, attribute)));
    },
    level: 'high',
    says: 'more than the maximum runs now, so capacity is cut at once and cannot grow again',
  },
  {
    one: { types: ['google_compute_autoscaler', 'google_compute_region_autoscaler'], paths: ['autoscaling_policy'] },
    other: {
      types: ['google_compute_instance_group_manager', 'google_compute_region_instance_group_manager'],
      paths: ['target_size'],
    },
    joins: (scaler, group) => refersTo(member(scaler, 'target'), group),
    breaks: (scaler, group) =>
      below(quantity(at(scaler, 'autoscaling_policy', 'max_replicas')), quantity(member(group, 'target_size'))),
    level: 'high',
    says: 'more instances than the maximum run now, so capacity is cut at once and cannot grow again',
  },
  {
    one: { types: ['azurerm_monitor_autoscale_setting'], paths: ['profile'] },
    other: {
      types: [
        'azurerm_linux_virtual_machine_scale_set',
        'azurerm_windows_virtual_machine_scale_set',
        'azurerm_orchestrated_virtual_machine_scale_set',
      ],
      paths: ['instances'],
    },
    joins: (scaler, set) => refersTo(member(scaler, 'target_resource_id'), set),
    breaks: (scaler, set) =>
      list(member(scaler, 'profile')).every((profile) =>
        below(quantity(at(profile, 'capacity', 'maximum')), quantity(member(set, 'instances'))),
      ) && list(member(scaler, 'profile')).length > 0,
    level: 'high',
    says: 'more instances than the maximum run now, so capacity is cut at once and cannot grow again',
  },
  {
    one: { types: ['aws_autoscaling_group'], paths: ['health_check_grace_period', 'health_check_type'] },
    other: { types: ['aws_launch_template', 'aws_launch_configuration'], paths: ['user_data'] },
    joins: (group, template) => {
      const blocks = [
        at(group, 'launch_template'),
        at(group, 'mixed_instances_policy', 'launch_template', 'launch_template_specification'),
      ];
      const named = blocks
        .flatMap((block) => list(block))
        .flatMap((block) => ['id', 'name', 'launch_template_id'].map((name) => text(member(block, name))));
      return refersTo([...named, text(member(group, 'launch_configuration'))], template);
    },
    breaks: (group, template) =>
      text(member(group, 'health_check_type')).toUpperCase() === 'ELB' &&
      (quantity(member(group, 'health_check_grace_period')) ?? 300) < readSleep(decode(template)),
    level: 'high',
    says: 'instances are checked before their start script has finished, so they are replaced again and again',
  },
  {
    one: { types: [SERVICE], paths: ['health_check_grace_period_seconds'] },
    other: { types: [TASKS], paths: ['container_definitions'] },
    joins: (service, task) => {
      const family = text(member(task, 'family'));
      return family !== '' && text(member(service, 'task_definition')).split(/[:/]/).includes(family);
    },
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
