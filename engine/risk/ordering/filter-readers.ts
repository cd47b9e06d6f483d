/** Reads the rules that application firewalls of several providers hold as blocks of one resource. */
import { type BooleanCondition, parseCondition } from '../../canonical/boolean-conditions.ts';
import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import type { Value } from '../attributes/types.ts';
import { isEmpty, list, member, quantity, strings, text, truth } from '../attributes/values.ts';
import type { FilterRule } from './filter-rules.ts';

export interface FilterFormat {
  types: readonly string[];
  /** The attribute that holds the rules. */
  attribute: string;
  /** An attribute with rules of the provider, which are evaluated after all others. */
  last?: string;
  read(rule: JsonObject, position: number): Omit<FilterRule, 'path'>;
}

/** The rules of one side of a change. */
export function readFilters({ attribute, last, read }: FilterFormat, side: Value): FilterRule[] {
  const own = list(member(side, attribute)).flatMap((rule, at): FilterRule[] =>
    isObject(rule) ? [{ ...read(rule, at), path: [attribute, at] }] : [],
  );
  if (last === undefined || isEmpty(member(side, last))) return own;
  return [
    ...own,
    { id: `the rules of ${last}`, order: Number.POSITIVE_INFINITY, act: 'stop', match: TRUE, path: [last] },
  ];
}

type Act = FilterRule['act'];

const PASSES = /^(?:allow|skip|bypass|pass|accept)/i;
const STOPS = /^(?:block|deny|drop|reject|challenge|js_?challenge|managed_challenge|captcha|execute|rate_based_ban)/i;

function readAct(action: string, in_use: boolean): Act {
  if (!in_use) return 'watch';
  return PASSES.test(action) ? 'pass' : STOPS.test(action) ? 'stop' : 'watch';
}

const test = (words: readonly string[]): BooleanCondition => ({ kind: 'test', text: words.join(' ') });
const TRUE = test(['true']);

function readCloudflare(rule: JsonObject, position: number): Omit<FilterRule, 'path'> {
  const expression = text(member(rule, 'expression'));
  const in_use = truth(member(rule, 'enabled')) !== false;
  const name = text(member(rule, 'ref')) || text(member(rule, 'description')) || expression;
  return {
    id: name,
    order: position,
    act: readAct(text(member(rule, 'action')), in_use),
    match: parseCondition(expression),
  };
}

function readGoogle(rule: JsonObject): Omit<FilterRule, 'path'> {
  const [match] = list(member(rule, 'match'));
  const expression = list(member(match, 'expr')).map((block) => text(member(block, 'expression')))[0] ?? '';
  const ranges = list(member(match, 'config')).flatMap((block) => strings(member(block, 'src_ip_ranges')));
  const tree = expression === '' ? readRanges(ranges) : parseCondition(expression);
  const in_use = truth(member(rule, 'preview')) !== true;
  return {
    id: JSON.stringify(match ?? null),
    order: quantity(member(rule, 'priority')) ?? 0,
    act: readAct(text(member(rule, 'action')), in_use),
    match: tree,
  };
}

function readRanges(ranges: readonly string[]): BooleanCondition | null {
  if (ranges.length === 0) return null;
  if (ranges.includes('*')) return TRUE;
  return { kind: 'any', parts: ranges.map((range) => test(['ip', range])) };
}

function readAzure(rule: JsonObject): Omit<FilterRule, 'path'> {
  const parts = list(member(rule, 'match_condition') ?? member(rule, 'match_conditions')).map(readAzureCondition);
  const in_use = truth(member(rule, 'enabled')) !== false;
  return {
    id: text(member(rule, 'name')),
    order: quantity(member(rule, 'priority')) ?? 0,
    act: readAct(text(member(rule, 'action')), in_use),
    match: parts.length === 0 ? null : { kind: 'all', parts },
  };
}

function readAzureCondition(block: JsonValue): BooleanCondition {
  const [variables] = list(member(block, 'match_variables'));
  const field = text(member(block, 'match_variable')) || text(member(variables, 'variable_name'));
  const selector = text(member(block, 'selector')) || text(member(variables, 'selector'));
  const values = strings(member(block, 'match_values'));
  const operator = text(member(block, 'operator'));
  const parts = (values.length === 0 ? [''] : values).map((value) => test([field, operator, selector, value]));
  const any: BooleanCondition = { kind: 'any', parts };
  return truth(member(block, 'negation_condition')) === true ? { kind: 'not', part: any } : any;
}

function readAws(rule: JsonObject): Omit<FilterRule, 'path'> {
  const [statement] = list(member(rule, 'statement'));
  return {
    id: text(member(rule, 'name')),
    order: quantity(member(rule, 'priority')) ?? 0,
    act: readAwsAct(rule),
    match: readStatement(statement, 0),
  };
}

function readAwsAct(rule: JsonObject): Act {
  const [action] = list(member(rule, 'action'));
  const [override] = list(member(rule, 'override_action'));
  const has = (block: Value, name: string): boolean => {
    const value = member(block, name);
    return Array.isArray(value) ? value.length > 0 : isObject(value);
  };
  if (has(action, 'allow')) return 'pass';
  if (['block', 'captcha', 'challenge'].some((name) => has(action, name))) return 'stop';
  return has(override, 'none') && !has(override, 'count') ? 'stop' : 'watch';
}

const NESTING_MAX = 5;

function readStatement(statement: Value, depth: number): BooleanCondition | null {
  if (!isObject(statement) || depth > NESTING_MAX) return null;
  const found = Object.keys(statement).find((name) => !isEmpty(member(statement, name)));
  if (found === undefined) return null;
  const [block] = list(member(statement, found));
  if (found === 'not_statement') {
    const part = readStatement(list(member(block, 'statement'))[0], depth + 1);
    return part === null ? null : { kind: 'not', part };
  }
  if (found !== 'and_statement' && found !== 'or_statement') return test(describeStatement(found, block));
  const parts = list(member(block, 'statement')).map((inner) => readStatement(inner, depth + 1));
  if (parts.length === 0 || parts.some((part) => part === null)) return null;
  return { kind: found === 'and_statement' ? 'all' : 'any', parts: parts as BooleanCondition[] };
}

/** An exact path is named like the fields of other providers. */
function describeStatement(name: string, block: Value): string[] {
  const [field] = list(member(block, 'field_to_match'));
  const is_path = !isEmpty(member(field, 'uri_path')) || 'uri_path' in (isObject(field) ? field : {});
  const is_exact = is_path && text(member(block, 'positional_constraint')) === 'EXACTLY';
  return [...(is_exact ? ['uri_path', 'exactly'] : []), name, JSON.stringify(block ?? null)];
}

export const FILTER_FORMATS: readonly FilterFormat[] = [
  { types: ['cloudflare_ruleset'], attribute: 'rules', read: readCloudflare },
  {
    types: ['google_compute_security_policy', 'google_compute_region_security_policy'],
    attribute: 'rule',
    read: readGoogle,
  },
  {
    types: ['google_compute_region_security_policy'],
    attribute: 'rules',
    read: readGoogle,
  },
  {
    types: ['azurerm_cdn_frontdoor_firewall_policy', 'azurerm_frontdoor_firewall_policy'],
    attribute: 'custom_rule',
    last: 'managed_rule',
    read: readAzure,
  },
  {
    types: ['azurerm_web_application_firewall_policy'],
    attribute: 'custom_rules',
    last: 'managed_rules',
    read: readAzure,
  },
  { types: ['aws_wafv2_web_acl', 'aws_wafv2_rule_group'], attribute: 'rule', read: readAws },
];
