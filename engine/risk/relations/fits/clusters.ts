/** Objects of Kubernetes that select or name each other. */
import { isObject } from '../../../lib/is-object.ts';
import type { JsonObject } from '../../../model/result.ts';
import type { Value } from '../../attributes/types.ts';
import { at, list, member, quantity, text } from '../../attributes/values.ts';
import { type Index, type Neighbors, nameIn, namespaceIn } from '../neighbors.ts';
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
const serviceSelects = (service: Value, workload: Value): boolean => selects(selectorIn(service), podLabels(workload));

/** Each pair of some labels in its namespace. */
const toPairs = (side: JsonObject, labels: Value): string[] =>
  isObject(labels) ? Object.entries(labels).map(([key, value]) => `${namespaceIn(side)}/${key}=${text(value)}`) : [];
const listLabels = (workload: JsonObject): string[] => toPairs(workload, podLabels(workload));
const findFirstSelected = (service: JsonObject): string[] => toPairs(service, selectorIn(service)).slice(0, 1);
const listQualifiedName = (side: JsonObject): string[] => [`${namespaceIn(side)}/${nameIn(side)}`];
const toNames = (side: JsonObject, names: readonly string[]): string[] =>
  names.filter((name) => name !== '').map((name) => `${namespaceIn(side)}/${name}`);
const scaledBy = (scaler: JsonObject): string => text(at(scaler, 'spec', 'scale_target_ref', 'name'));
const listNamespace = (side: JsonObject): string[] => [namespaceIn(side)];
const METADATA = ['metadata'];

function selectorIn(service: Value): Value {
  return at(service, 'spec', 'selector');
}

const replicasIn = (workload: Value): number | undefined => quantity(at(workload, 'spec', 'replicas'));

const WORKLOADS_BY_LABEL: Index = { types: WORKLOADS, names: listLabels };
const WORKLOADS_BY_NAMESPACE: Index = { types: WORKLOADS, names: listNamespace };

/** A service whose pods all belong to workloads without replicas. */
function hasNoPods(service: JsonObject, plan: Neighbors): boolean {
  const found = plan.linked(WORKLOADS_BY_LABEL, findFirstSelected(service));
  const selected = found.filter(({ after }) => after !== null && serviceSelects(service, after));
  return selected.length > 0 && selected.every(({ after }) => replicasIn(after) === 0);
}

/** The replicas of all workloads in a namespace. */
function sumReplicas(namespace: string, plan: Neighbors): number {
  const found = plan.linked(WORKLOADS_BY_NAMESPACE, [namespace]);
  return found.reduce((sum, { after }) => sum + (replicasIn(after) ?? 0), 0);
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

const budgetSelector = (budget: JsonObject): Value => at(budget, 'spec', 'selector', 'match_labels');
const BUDGETS = versions('kubernetes_pod_disruption_budget');
const FULL = 'no pod may be evicted, so drains of nodes and upgrades hang';

export const CLUSTER_FITS: readonly Fit[] = [
  {
    one: { types: SERVICES, paths: ['spec'], reads: METADATA, names: findFirstSelected },
    other: { types: WORKLOADS, paths: ['spec'], reads: METADATA, names: listLabels },
    joins: serviceSelects,
    breaks: (service, _, plan) => plan.once(service, () => hasNoPods(service, plan)),
    level: 'high',
    says: 'everything that the service selects has no replicas, so no pod answers',
  },
  {
    one: { types: SERVICES, paths: ['spec'], reads: METADATA, names: findFirstSelected },
    other: { types: WORKLOADS, paths: ['spec'], reads: METADATA, names: listLabels },
    joins: serviceSelects,
    breaks: missesPort,
    level: 'high',
    says: 'no container listens on the target port, so connections are refused',
  },
  {
    one: {
      types: BUDGETS,
      paths: ['spec'],
      reads: METADATA,
      names: (budget) => toPairs(budget, budgetSelector(budget)).slice(0, 1),
    },
    other: { types: WORKLOADS, paths: ['spec'], reads: METADATA, names: listLabels },
    joins: (budget, workload) => selects(budgetSelector(budget), podLabels(workload)),
    breaks: (budget, workload) => isBudgetFull(budget, replicasIn(workload)),
    level: 'medium',
    says: FULL,
  },
  {
    one: { types: BUDGETS, paths: ['spec'], reads: METADATA, names: listQualifiedName },
    other: {
      types: SCALERS,
      paths: ['spec'],
      reads: METADATA,
      names: (scaler) => toNames(scaler, [nameIn(scaler), scaledBy(scaler)]),
    },
    breaks: (budget, scaler) => isBudgetFull(budget, quantity(at(scaler, 'spec', 'min_replicas')) ?? 1),
    level: 'medium',
    says: FULL,
  },
  {
    one: { types: SCALERS, paths: ['spec'], reads: METADATA, names: (scaler) => toNames(scaler, [scaledBy(scaler)]) },
    other: { types: WORKLOADS, paths: ['spec'], reads: METADATA, names: listQualifiedName },
    breaks: (scaler, workload) => {
      const most = quantity(at(scaler, 'spec', 'max_replicas'));
      const running = replicasIn(workload);
      return most !== undefined && running !== undefined && most < running;
    },
    level: 'high',
    says: 'more pods than the maximum run now, so capacity is cut at once and cannot grow again',
  },
  {
    one: { types: versions('kubernetes_resource_quota'), paths: ['spec'], reads: METADATA, names: listNamespace },
    other: { types: WORKLOADS, paths: ['spec'], reads: METADATA, names: listNamespace },
    breaks: (quota, _, plan) => {
      const hard = at(quota, 'spec', 'hard');
      const most = quantity(member(hard, 'pods') ?? member(hard, 'count/pods'));
      return most !== undefined && most < plan.once(quota, () => sumReplicas(namespaceIn(quota), plan));
    },
    level: 'high',
    says: 'the workloads of the namespace need more pods than the quota allows, so pods that stop do not come back',
  },
  {
    one: {
      types: versions('kubernetes_ingress'),
      paths: ['spec'],
      reads: METADATA,
      names: (ingress) =>
        toNames(
          ingress,
          backendsIn(ingress).map(({ service }) => service),
        ),
    },
    other: { types: SERVICES, paths: ['spec'], reads: METADATA, names: listQualifiedName },
    breaks: (ingress, service) => {
      const ports = list(at(service, 'spec', 'port'));
      const known = ports.flatMap((port) => [text(member(port, 'port')), text(member(port, 'name'))]);
      const called = backendsIn(ingress).filter((backend) => backend.service === nameIn(service));
      return known.length > 0 && called.some(({ port }) => !known.includes(port));
    },
    level: 'high',
    says: 'the service has no such port, so requests fail',
  },
];

/** The services that an ingress calls, with the number or name of the port. */
function backendsIn(ingress: JsonObject): { service: string; port: string }[] {
  const rules = list(at(ingress, 'spec', 'rule'));
  const paths = rules
    .flatMap((rule) => list(member(rule, 'http')))
    .flatMap((http) => list(member(http, 'path') ?? member(http, 'paths')));
  const backends = paths.map((path) => {
    const port = at(path, 'backend', 'service', 'port');
    const service = text(at(path, 'backend', 'service', 'name'));
    return { service, port: text(at(port, 'number')) || text(at(port, 'name')) };
  });
  return backends.filter(({ service, port }) => service !== '' && port !== '');
}
