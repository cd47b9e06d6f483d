/** Rules of AWS security groups: blocks with many sources, single rules, and what the cloud shows are compared one source at a time. */
import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';

/** One protocol, port range and source. */
interface SingleRule {
  protocol: string;
  from_port: number;
  to_port: number;
  /** The argument of a block that holds the source. */
  kind: 'cidr_blocks' | 'ipv6_cidr_blocks' | 'prefix_list_ids' | 'security_groups' | 'self';
  source: string;
  description: string;
}

const KINDS = ['cidr_blocks', 'ipv6_cidr_blocks', 'prefix_list_ids', 'security_groups'] as const;
const PROTOCOLS: Readonly<Record<string, string>> = { all: '-1', '6': 'tcp', '17': 'udp', '1': 'icmp', '58': 'icmpv6' };

/** The rules in blocks of `aws_security_group`. */
export function readBlocks(blocks: JsonValue | undefined): SingleRule[] {
  return toObjects(blocks).flatMap((block) => {
    const ports = readPorts(block['protocol'], block['from_port'], block['to_port']);
    const description = toText(block['description']);
    const rules = KINDS.flatMap((kind) =>
      toTexts(block[kind]).map((source): SingleRule => ({ ...ports, kind, source, description })),
    );
    return block['self'] === true ? [...rules, { ...ports, kind: 'self', source: '', description }] : rules;
  });
}

/** The rules of `aws_security_group_rule`, whose arguments are those of a block. */
export function readRuleResource(attributes: JsonObject): SingleRule[] {
  const { source_security_group_id, ...block } = attributes;
  const groups =
    typeof source_security_group_id === 'string' && block['self'] !== true ? [source_security_group_id] : [];
  return readBlocks([{ ...block, security_groups: groups }]);
}

/** The rule of `aws_vpc_security_group_ingress_rule` or `…_egress_rule`. */
function readSingleResource(attributes: JsonObject): SingleRule[] {
  const ports = readPorts(attributes['ip_protocol'], attributes['from_port'], attributes['to_port']);
  const description = toText(attributes['description']);
  const sources = {
    cidr_blocks: attributes['cidr_ipv4'],
    ipv6_cidr_blocks: attributes['cidr_ipv6'],
    prefix_list_ids: attributes['prefix_list_id'],
    security_groups: attributes['referenced_security_group_id'],
  };
  return KINDS.flatMap((kind) =>
    toTexts([sources[kind] ?? null]).map((source) => ({ ...ports, kind, source, description })),
  );
}

/** The rules of resources that manage one rule each: see `separate.ts`. */
export function readSeparateRules(items: readonly JsonValue[]): SingleRule[] {
  return items
    .filter(isObject)
    .flatMap((item) => (item['single'] === true ? readSingleResource(item) : readRuleResource(item)));
}

/** The rules that the cloud has, too. */
export function keepFound(rules: readonly SingleRule[], found: readonly SingleRule[], group_id: string): SingleRule[] {
  const known = index(found);
  return rules.filter((rule) => known.has(toKey(toOwn(rule, group_id))));
}

/** The rules that the cloud shows in `SecurityGroupIngress` or `SecurityGroupEgress`. */
export function readLive(rules: JsonValue | undefined, group_id: string): SingleRule[] {
  return toObjects(rules).flatMap((rule) => {
    const ports = readPorts(rule['IpProtocol'], rule['FromPort'], rule['ToPort']);
    const description = toText(rule['Description']);
    const sources = {
      cidr_blocks: rule['CidrIp'],
      ipv6_cidr_blocks: rule['CidrIpv6'],
      prefix_list_ids: rule['SourcePrefixListId'] ?? rule['DestinationPrefixListId'],
      security_groups: rule['SourceSecurityGroupId'] ?? rule['DestinationSecurityGroupId'],
    };
    return KINDS.flatMap((kind) =>
      toTexts([sources[kind] ?? null]).map((source) => ({ ...ports, kind, source, description })),
    ).map((one) => toOwn(one, group_id));
  });
}

/** Blocks of both sides, with equal rules in equal blocks: only rules that differ make a difference. */
export function toComparedBlocks(
  expected: readonly SingleRule[],
  found: readonly SingleRule[],
  group_id: string,
): { before: JsonObject[]; after: JsonObject[] } {
  const [before, after] = [index(expected.map((rule) => toOwn(rule, group_id))), index(found)];
  const common = [...before].filter(([key]) => after.has(key)).map(([, rule]) => rule);
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, rule]) => rule);
  const added = [...after].filter(([key]) => !before.has(key)).map(([, rule]) => rule);
  const shared = common.map(toBlock);
  return { before: [...shared, ...gone.map(toBlock)], after: [...shared, ...added.map(toBlock)] };
}

/** A rule whose source is the group itself. */
function toOwn(rule: SingleRule, group_id: string): SingleRule {
  return rule.source === group_id ? { ...rule, kind: 'self', source: '' } : rule;
}

/** Texts that only describe a rule do not tell rules apart: the cloud has at most one for each source. */
function index(rules: readonly SingleRule[]): Map<string, SingleRule> {
  return new Map(rules.map((rule) => [toKey(rule), rule]));
}

function toKey({ protocol, from_port, to_port, kind, source }: SingleRule): string {
  return [protocol, from_port, to_port, kind, source].join(' ');
}

function toBlock({ protocol, from_port, to_port, kind, source, description }: SingleRule): JsonObject {
  const sources = Object.fromEntries(KINDS.map((one) => [one, one === kind ? [source] : []]));
  return { protocol, from_port, to_port, description, self: kind === 'self', ...sources };
}

/** All protocols have all ports, whatever numbers are written. */
function readPorts(protocol: JsonValue | undefined, from: JsonValue | undefined, to: JsonValue | undefined) {
  const name = String(protocol ?? '-1').toLowerCase();
  const known = PROTOCOLS[name] ?? name;
  if (known === '-1') return { protocol: known, from_port: 0, to_port: 0 };
  return { protocol: known, from_port: toNumber(from), to_port: toNumber(to) };
}

function toNumber(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : Number(value ?? 0);
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function toTexts(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : []).filter((item): item is string => typeof item === 'string' && item !== '');
}

function toObjects(value: JsonValue | undefined): JsonObject[] {
  return (Array.isArray(value) ? value : []).filter(isObject);
}
