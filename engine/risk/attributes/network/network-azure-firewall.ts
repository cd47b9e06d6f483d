/** Azure Firewall: rules that allow all traffic. Other rules cannot be rated without the rest of the policy. */
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { list, member, strings, text } from '../values.ts';

const ANYWHERE = new Set(['*', '0.0.0.0/0', 'internet', 'any']);
const COLLECTION = 'network_rule_collection';
const PARTS = ['source_addresses', 'destination_addresses', 'destination_ports'];

function judgeFirewall(subject: Subject): void {
  const before = new Set(openRules(subject.before).map(({ key }) => key));
  const opened = openRules(subject.after).find(({ key }) => !before.has(key));
  if (!opened) return;
  subject.add({
    rule: 'R-NET-OPEN',
    level: 'high',
    path: opened.path,
    message: `The firewall rule ${subject.quoteAll(opened.path, [opened.name])} allows traffic from any address to any address on every port.`,
  });
  subject.setDirection(opened.path, 'weakening');
}

interface OpenRule {
  key: string;
  name: string;
  path: Path;
}

function openRules(side: Value): OpenRule[] {
  const nested = list(member(side, COLLECTION)).flatMap((collection, index) =>
    inCollection(collection, [COLLECTION, index]),
  );
  return [...inCollection(side, []), ...nested];
}

function inCollection(collection: Value, parent: Path): OpenRule[] {
  if (text(member(collection, 'action')).toLowerCase() !== 'allow') return [];
  return list(member(collection, 'rule')).flatMap((rule, index) => {
    const name = text(member(rule, 'name'));
    return isOpen(rule)
      ? [{ key: `${text(member(collection, 'name'))} ${name}`, name, path: [...parent, 'rule', index] }]
      : [];
  });
}

function isOpen(rule: Value): boolean {
  return PARTS.every((name) => strings(member(rule, name)).some((item) => ANYWHERE.has(item.toLowerCase())));
}

export const AZURE_FIREWALL_RULES: readonly Rule[] = [
  {
    types: ['azurerm_firewall_network_rule_collection', 'azurerm_firewall_policy_rule_collection_group'],
    watches: ['', `${COLLECTION}.*.`].flatMap((prefix) => [
      { path: `${prefix}action` },
      ...PARTS.map((name) => ({ path: `${prefix}rule.*.${name}` })),
    ]),
    find: judgeFirewall,
  },
];
