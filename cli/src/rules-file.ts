import { readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import { parseOwner, type RuleBook } from '../../engine/index.ts';
import {
  type ConfigIssue,
  compileRules,
  type OrgRules,
  type Parsed,
  parseNoiseConfig,
  parsePolicyRules,
  parseRiskConfig,
  type RunContext,
} from '../../engine/rules/index.ts';
import { Failure } from './failure.ts';

const TOP_LEVEL_KEYS = ['rules', 'custom_rules', 'disabled_rules', 'known_owners'];

/**
 * Reads rules from a YAML or JSON file, in the formats of the API: `rules` of a risk policy, `custom_rules`,
 * `disabled_rules`, and `known_owners` as texts.
 *
 * @throws Failure that lists every error with its position
 */
export async function readRules(path: string, context: RunContext): Promise<RuleBook> {
  const issues: ConfigIssue[] = [];
  const file = await readObject(path, TOP_LEVEL_KEYS);
  const rules: OrgRules = {
    noise_rules: [],
    risk_rules: [],
    disabled: { noise: [], risk: [] },
    suppressions: [],
    owners: readOwners(file['known_owners'] ?? [], issues),
    policy: { version: 0, rules: unwrapOrReport(parsePolicyRules(file['rules'] ?? []), '/rules', issues) ?? [] },
  };
  readList(file, 'custom_rules', issues).forEach((rule, i) => {
    addCustomRule(rules, rule, { at: `/custom_rules/${i}`, issues });
  });
  readList(file, 'disabled_rules', issues).forEach((rule, i) => {
    addDisabledRule(rules, rule, { at: `/disabled_rules/${i}`, issues });
  });
  if (issues.length > 0) throw new Failure(`${path}:\n${issues.map(formatIssue).join('\n')}`);
  return compileRules(rules, context);
}

type IssueSink = { at: string; issues: ConfigIssue[] };

function addCustomRule(rules: OrgRules, rule: Record<string, unknown>, { at, issues }: IssueSink): void {
  if (rule['enabled'] === false) return;
  const name = typeof rule['name'] === 'string' ? rule['name'] : at.slice(1);
  const config = rule['config'];
  if (rule['rule_type'] === 'noise') {
    const value = unwrapOrReport(parseNoiseConfig(config), `${at}/config`, issues);
    if (value !== undefined) rules.noise_rules.push({ id: name, config: value });
  } else if (rule['rule_type'] === 'risk') {
    const value = unwrapOrReport(parseRiskConfig(config), `${at}/config`, issues);
    if (value !== undefined) rules.risk_rules.push({ id: name, name, config: value });
  } else issues.push({ path: `${at}/rule_type`, message: 'must be noise or risk' });
}

function addDisabledRule(rules: OrgRules, rule: Record<string, unknown>, { at, issues }: IssueSink): void {
  const { rule_type, builtin_rule_id } = rule;
  if (rule_type !== 'noise' && rule_type !== 'risk') {
    issues.push({ path: `${at}/rule_type`, message: 'must be noise or risk' });
  } else if (typeof builtin_rule_id !== 'string') {
    issues.push({ path: `${at}/builtin_rule_id`, message: 'must be the ID of a built-in rule, such as N-AWS-001' });
  } else rules.disabled[rule_type].push(builtin_rule_id);
}

function readOwners(list: unknown, issues: ConfigIssue[]): string[] {
  if (!Array.isArray(list)) {
    issues.push({ path: '/known_owners', message: 'must be a list' });
    return [];
  }
  return list.flatMap((text, i) => {
    const parsed = parseOwner(String(text));
    if ('owner' in parsed) return [parsed.owner];
    issues.push({ path: `/known_owners/${i}`, message: parsed.problem });
    return [];
  });
}

function unwrapOrReport<T>(parsed: Parsed<T>, at: string, issues: ConfigIssue[]): T | undefined {
  if ('value' in parsed) return parsed.value;
  for (const { path, message } of parsed.issues) issues.push({ path: `${at}${path}`, message });
  return undefined;
}

function readList(file: Record<string, unknown>, member: string, issues: ConfigIssue[]): Record<string, unknown>[] {
  const list = file[member] ?? [];
  if (Array.isArray(list) && list.every(isObject)) return list;
  issues.push({ path: `/${member}`, message: 'must be a list of objects' });
  return [];
}

async function readObject(path: string, members: readonly string[]): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseYaml(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Failure(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const expected = `it must contain at least one of ${members.map((member) => `\`${member}\``).join(', ')}`;
  if (!isObject(value)) throw new Failure(`${path}: this is not a rules file; ${expected}`);
  const unknown = Object.keys(value).find((member) => !members.includes(member));
  if (unknown !== undefined) throw new Failure(`${path}: \`${unknown}\` is not a known member; ${expected}`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function formatIssue({ path, message }: ConfigIssue): string {
  return `  ${path}: ${message}`;
}
