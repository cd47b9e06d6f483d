/** The order in which the API server of Kubernetes sorts requests into priority levels. */
import type { JsonObject } from '../../model/result.ts';
import { at, list, member, strings, text } from '../attributes/values.ts';
import type { ImpliedRule, Match, OrderedKind } from './kind.ts';

/** Priority levels that have few seats, or share them with everybody. */
const SHARED_LEVEL = /^(?:catch-all|global-default|workload-low)$/;

function matchSubjects(rule: JsonObject): Match {
  const subjects = list(at(rule, 'spec', 'rule'))
    .flatMap((one) => list(member(one, 'subjects') ?? member(one, 'subject')))
    .map((subject) => text(at(subject, 'group', 'name')) || text(at(subject, 'user', 'name')) || namesAccount(subject));
  const everybody = subjects.some((name) => name === 'system:authenticated' || name === '*');
  return everybody || subjects.length === 0 ? {} : { subject: subjects };
}

function namesAccount(subject: JsonObject[string]): string {
  const space = text(at(subject, 'service_account', 'namespace'));
  return space === '' ? '' : `system:serviceaccounts:${space}`;
}

const implied = (name: string, number: number, ...subject: string[]): ImpliedRule => ({
  address: `the built-in schema ${name}`,
  number,
  strictness: 1,
  match: { subject },
});

/** Schemas that every cluster has. */
const BUILT_IN: readonly ImpliedRule[] = [
  implied('system-leader-election', 100, 'system:kube-controller-manager', 'system:kube-scheduler'),
  implied('workload-leader-election', 200, 'system:serviceaccounts:kube-system'),
  implied('system-node-high', 400, 'system:nodes'),
  implied('system-nodes', 500, 'system:nodes'),
  implied('kube-controller-manager', 800, 'system:kube-controller-manager'),
  implied('kube-scheduler', 800, 'system:kube-scheduler'),
  implied('kube-system-service-accounts', 900, 'system:serviceaccounts:kube-system'),
];

function rateLevel(rule: JsonObject): number {
  const names = strings(at(rule, 'spec', 'priority_level_configuration', 'name'));
  return names.some((name) => SHARED_LEVEL.test(name)) ? 0 : 1;
}

export const FLOW_SCHEMAS: OrderedKind = {
  types: ['kubernetes_flow_schema'],
  list: 'kind',
  priority: 'spec.matching_precedence',
  default_priority: 1000,
  strictness: rateLevel,
  match: matchSubjects,
  implied: () => BUILT_IN,
};
