/** R-NET-OPEN for the address filters of databases. */

import { isVastPublic, parseCidr, parseIpv4 } from '../../../lib/cidr.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { list, member, text } from '../values.ts';

const REASONS = {
  internet: 'Anyone on the internet can connect to the database.',
  wide: 'Very many addresses, most of them of others, can connect to the database.',
  cloud: 'Every Azure service, including those of other customers, can connect to the database (0.0.0.0 to 0.0.0.0).',
  networks: 'Any address can connect to the database.',
};

type Reach = 'internet' | 'cloud' | 'wide' | 'some';

const RANGE_NAMES = [
  ['start_ip_address', 'end_ip_address'],
  ['start_ip', 'end_ip'],
] as const;
/** More addresses than one company has. */
const WIDE_ADDRESSES = 2n ** 17n;
/** Half of all addresses: a larger range counts as the whole internet. */
const INTERNET_ADDRESSES = 2n ** 31n;

function classifyReach(rule: Value): Reach {
  for (const [startName, endName] of RANGE_NAMES) {
    const start = parseIpv4(text(member(rule, startName)));
    const end = parseIpv4(text(member(rule, endName)));
    if (start === undefined || end === undefined) continue;
    if (start === 0n && end === 0n) return 'cloud';
    const count = end - start + 1n;
    if (count >= INTERNET_ADDRESSES) return 'internet';
    return count >= WIDE_ADDRESSES && !isPrivate(start) ? 'wide' : 'some';
  }
  return 'some';
}

/** 10.0.0.0/8, and the carrier range that some networks use inside. */
function isPrivate(address: bigint): boolean {
  return address >> 24n === 10n || address >> 22n === 0x191n;
}

function judgeRange(subject: Subject): void {
  const before = classifyReach(subject.before);
  const after = classifyReach(subject.after);
  const path = RANGE_NAMES.flat().find((name) => member(subject.after, name) !== undefined) ?? 'start_ip_address';
  if (after === 'internet' && before !== 'internet') {
    report(subject, [path], 'critical', REASONS.internet);
  } else if (after === 'cloud' && before === 'some') {
    report(subject, [path], 'high', REASONS.cloud);
  } else if (after === 'wide' && before === 'some') {
    report(subject, [path], 'high', REASONS.wide);
  } else if (after === 'some' && before !== 'some' && subject.after) {
    for (const name of RANGE_NAMES.flat()) subject.setDirection([name], 'strengthening');
  }
}

const NETWORKS = ['settings', '*', 'ip_configuration', '*', 'authorized_networks'];

function judgeAuthorizedNetworks(subject: Subject): void {
  for (const { path, before, after } of subject.pairs(NETWORKS)) {
    const open = openNetwork(after);
    if (open >= 0 && openNetwork(before) < 0) report(subject, [...path, open, 'value'], 'critical', REASONS.networks);
    else if (open < 0 && openNetwork(before) >= 0) subject.setDirection(path, 'strengthening');
  }
}

function openNetwork(networks: Value): number {
  return list(networks).findIndex((network) => {
    const cidr = parseCidr(text(member(network, 'value')));
    return cidr !== undefined && isVastPublic(cidr);
  });
}

function report(subject: Subject, path: Path, level: 'high' | 'critical', message: string): void {
  subject.add({ rule: 'R-NET-OPEN', level, path, message });
  subject.setDirection(path, 'weakening');
}

export const DATABASE_FIREWALL_RULES: readonly Rule[] = [
  {
    types: ['azurerm_*_firewall_rule'],
    watches: RANGE_NAMES.flat().map((path) => ({ path, hides: true })),
    find: judgeRange,
  },
  {
    types: ['google_sql_database_instance'],
    watches: [{ path: 'settings.*.ip_configuration.*.authorized_networks.*.value', hides: true }],
    find: judgeAuthorizedNetworks,
  },
];
