import { isObject } from '../../lib/is-object.ts';
/** Resources of the Cloud Control API (`awscc_…`), whose types and attributes have CloudFormation names. */
import type { JsonObject, JsonValue } from '../../model/result.ts';
import { lookUpTraits } from '../traits.ts';
import aliases from './aws-types.json' with { type: 'json' };
import type { TypeMapping } from './types.ts';

const ALIASES: Readonly<Record<string, string>> = aliases;

/** Members that have a different name in the `aws` provider, outside and inside lists. */
const RENAMES = new Map([
  ['assume_role_policy_document', 'assume_role_policy'],
  ['cidr_ip', 'cidr_ipv4'],
  ['is_logging', 'enable_logging'],
  ['key_policy', 'policy'],
  ['policy_document', 'policy'],
  ['point_in_time_recovery_specification', 'point_in_time_recovery'],
  ['policies', 'inline_policy'],
  ['security_group_egress', 'egress'],
  ['security_group_ingress', 'ingress'],
]);

export function mapCloudControl(type: string): TypeMapping | null {
  const own = type.slice('awscc_'.length);
  const name = `aws_${Object.hasOwn(ALIASES, own) ? ALIASES[own] : own}`;
  const { categories, workload } = lookUpTraits(name);
  return categories[0] === 'other' && !workload
    ? null
    : { type: name, translate, translateName, prefix: [], opaque: false };
}

function translateName(name: string): string {
  return RENAMES.get(name) ?? name;
}

function translate(side: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [name, value] of Object.entries(side))
    out[translateName(name)] = name === 'tags' ? toTagMap(value) : translateMember(name, value);
  const block = out['public_access_block_configuration'];
  return isObject(block) ? { ...block, ...out } : out;
}

/** Converts tags, which are a list of keys with values. */
function toTagMap(value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return value;
  return Object.fromEntries(value.filter(isObject).map((tag) => [String(tag['key']), tag['value'] ?? null]));
}

function translateMember(name: string, value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return value;
  if (name === 'policies')
    return value.map((item) => (isObject(item) ? { ...item, policy: item['policy_document'] ?? null } : item));
  return name.startsWith('security_group_') ? value.map(toRuleBlock) : value;
}

/** Converts a rule, which has one range where the `aws` provider has a list. */
function toRuleBlock(rule: JsonValue): JsonValue {
  if (!isObject(rule)) return rule;
  const toList = (name: string): JsonValue[] => (rule[name] === undefined || rule[name] === null ? [] : [rule[name]]);
  return {
    ...rule,
    protocol: rule['ip_protocol'] ?? null,
    cidr_blocks: toList('cidr_ip'),
    ipv6_cidr_blocks: toList('cidr_ipv_6'),
  };
}
