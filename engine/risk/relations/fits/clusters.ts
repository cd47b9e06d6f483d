/** Objects of Kubernetes that select or name each other. */
import { isObject } from '../../../lib/is-object.ts';
import type { JsonObject } from '../../../model/result.ts';
import type { Value } from '../../attributes/types.ts';
import { at, list, member, quantity, text } from '../../attributes/values.ts';
import { type Neighbors, nameIn, namespaceIn } from '../neighbors.ts';
import { type Fit, versions } from './types.ts';

const WORKLOADS = versions('kubernetes_deployment', 'kubernetes_stateful_set');
const SCALERS = versions('kubernetes_horizontal_pod_autoscaler');
const SERVICES = versions('kubernetes_service');

function selects(selector: Value, labels: Value): boolean {
  if (!isObject(selector) || !isObject(labels)) return false;
  const pairs = Object.entries(selector);
  return pairs.length > 0 && pairs.every(([key, value]) => member(labels, key) === value);
}

const podLabels = (workload: Value): Value => at(workload, 'spec', 'template', 'metadata', 'labels');
const serviceSelects = (service: Value, workload: Value): boolean =>
  namespaceIn(service) === namespaceIn(workload) && selects(selectorIn(service), podLabels(workload));

function selectorIn(service: Value): Value {
  return at(service, 'spec', 'selector');
}

const replicasIn = (workload: Value): number | undefined => quantity(at(workload, 'spec', 'replicas'));
const scales = (scaler: Value, workload: Value): boolean =>
  namespaceIn(scaler) === namespaceIn(workload) &&
  text(at(scaler, 'spec', 'scale_target_ref', 'name')) === nameIn(workload);

/** A service whose pods all belong to workloads without replicas. */
function hasNoPods(service: JsonObject, plan: Neighbors): boolean {
  const selected = plan.find(WORKLOADS).filter(({ after }) => after !== null && serviceSelects(service, after));
  return selected.length > 0 && selected.every(({ after }) => replicasIn(after) === 0);
}

function declaredPorts(workload: Value): { numbers: Set<string>; names: Set<string> } {
  const containers = list(at(workload, 'spec', 'template', 'spec', 'container'));
  const ports = containers.flatMap((container) => list(member(container, 'port')));
  const numbers = ports.map((port) => text(member(port, 'container_port')));
  return { numbers: new Set(numbers), names: new Set(ports.map((port) => text(member(port, 'name')))) };
}

function missesPort(service: JsonObject, workload: JsonObject): boolean {
  const { numbers, names } = declaredPorts(workload);
  if (numbers.size === 0) return false;
  return list(at(service, 'spec', 'port')).some((port) => {
    const target = text(member(port, 'target_port')) || text(member(port, 'port'));
    return !(/^\d{1,5}$/.test(target) ? numbers : names).has(target);
  });
}

const isBudgetFull = (budget: JsonObject, replicas: number | undefined): boolean => {
  const least = text(at(budget, 'spec', 'min_available'));
  if (least === '' || replicas === undefined || replicas === 0) return false;
  return least.endsWith('%') ? Number(least.slice(0, -1)) >= 100 : Number(least) >= replicas;
};

const BUDGETS = versions('kubernetes_pod_disruption_budget');
const FULL = 'no pod may be evicted, so drains of nodes and upgrades hang';

export const CLUSTER_FITS: readonly Fit[] = [
  {
    one: { types: SERVICES, paths: ['spec'] },
    other: { types: WORKLOADS, paths: ['spec'] },
    joins: serviceSelects,
    breaks: (service, _, plan) => hasNoPods(service, plan),
    level: 'high',
    says: 'everything that the service selects has no replicas, so no pod answers',
  },
  {
    one: { types: SERVICES, paths: ['spec'] },
    other: { types: WORKLOADS, paths: ['spec'] },
    joins: serviceSelects,
    breaks: missesPort,
    level: 'high',
    says: 'no container listens on the target port, so connections are refused',
  },
  {
    one: { types: BUDGETS, paths: ['spec'] },
    other: { types: WORKLOADS, paths: ['spec'] },
    joins: (budget, workload) =>
      namespaceIn(budget) === namespaceIn(workload) &&
      selects(at(budget, 'spec', 'selector', 'match_labels'), podLabels(workload)),
    breaks: (budget, workload) => isBudgetFull(budget, replicasIn(workload)),
    level: 'medium',
    says: FULL,
  },
  {
    one: { types: BUDGETS, paths: ['spec'] },
    other: { types: SCALERS, paths: ['spec'] },
    joins: (budget, scaler) =>
      namespaceIn(budget) === namespaceIn(scaler) &&
      [nameIn(scaler), text(at(scaler, 'spec', 'scale_target_ref', 'name'))].includes(nameIn(budget)),
    breaks: (budget, scaler) => isBudgetFull(budget, quantity(at(scaler, 'spec', 'min_replicas')) ?? 1),
    level: 'medium',
    says: FULL,
  },
  {
    one: { types: SCALERS, paths: ['spec'] },
    other: { types: WORKLOADS, paths: ['spec'] },
    joins: scales,
    breaks: (scaler, workload) => {
      const most = quantity(at(scaler, 'spec', 'max_replicas'));
      const running = replicasIn(workload);
      return most !== undefined && running !== undefined && most < running;
    },
    level: 'high',
    says: 'more pods than the maximum run now, so capacity is cut at once and cannot grow again',
  },
  {
    one: { types: versions('kubernetes_resource_quota'), paths: ['spec'] },
    other: { types: WORKLOADS, paths: ['spec'] },
    joins: (quota, workload) => namespaceIn(quota) === namespaceIn(workload),
    breaks: (quota, workload, plan) => {
      const hard = at(quota, 'spec', 'hard');
      const most = quantity(member(hard, 'pods') ?? member(hard, 'count/pods'));
      const others = plan.find(WORKLOADS).filter(({ after }) => namespaceIn(after) === namespaceIn(workload));
      const needed = others.reduce((sum, { after }) => sum + (replicasIn(after) ?? 0), 0);
      return most !== undefined && most < needed;
    },
    level: 'high',
    says: 'the workloads of the namespace need more pods than the quota allows, so pods that stop do not come back',
  },
  {
    one: { types: versions('kubernetes_ingress'), paths: ['spec'] },
    other: { types: SERVICES, paths: ['spec'] },
    joins: (ingress, service) =>
      namespaceIn(ingress) === namespaceIn(service) && backendPorts(ingress, nameIn(service)).length > 0,
    breaks: (ingress, service) => {
      const ports = list(at(service, 'spec', 'port'));
      const known = ports.flatMap((port) => [text(member(port, 'port')), text(member(port, 'name'))]);
      return known.length > 0 && backendPorts(ingress, nameIn(service)).some((port) => !known.includes(port));
    },
    level: 'high',
    says: 'the service has no such port, so requests fail',
  },
];

/** The ports under which an ingress calls a service. */
function backendPorts(ingress: JsonObject, service: string): string[] {
  const rules = list(at(ingress, 'spec', 'rule'));
  const paths = rules
    .flatMap((rule) => list(member(rule, 'http')))
    .flatMap((http) => list(member(http, 'path') ?? member(http, 'paths')));
  return paths.flatMap((path) => {
    if (text(at(path, 'backend', 'service', 'name')) !== service) return [];
    const port = at(path, 'backend', 'service', 'port');
    return [text(at(port, 'number')) || text(at(port, 'name'))].filter((port) => port !== '');
  });
}
