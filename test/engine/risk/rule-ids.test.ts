import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { analyzePlan, builtinCatalog, isAttributeRule } from '../../../engine/index.ts';
import { writePlans } from '../../score/make/index.ts';

const RULES = join(import.meta.dirname, '../../../engine/risk/attributes');
const INDEPENDENT_PLANS = join(import.meta.dirname, '../../score/independent-sets');
const LEVELS = ['none', 'low', 'medium', 'high', 'critical'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dpa-rule-ids-'));
  writePlans(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('every rule id in the results of the test plans is known', () => {
  const ids = new Set<string>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    for (const { risk } of analyzePlan(readFileSync(join(folder, file))).changes) {
      for (const { kind, rule_id } of risk.reasons) if (kind === 'attribute' || kind === 'exposure') ids.add(rule_id);
    }
  }

  expect(ids.size).toBeGreaterThan(40);
  expect([...ids].filter((id) => !isAttributeRule(id))).toEqual([]);
});

test('the catalog lists every rule once, with its highest level', () => {
  const { risk_rules } = builtinCatalog(null);
  const listed = new Map(risk_rules.map((rule) => [rule.id, rule]));
  const higher: string[] = [];
  const folders = [folder, ...['a', 'b', 'c'].map((set) => join(INDEPENDENT_PLANS, set))];
  for (const path of folders.flatMap((at) => readdirSync(at).map((name) => join(at, name)))) {
    if (!path.endsWith('.json')) continue;
    for (const { risk } of analyzePlan(readFileSync(path)).changes) {
      for (const { kind, rule_id, level } of risk.reasons) {
        const rule = kind === 'attribute' ? listed.get(rule_id) : undefined;
        if (rule && LEVELS.indexOf(level) > LEVELS.indexOf(rule.level)) higher.push(`${rule_id} ${level}`);
      }
    }
  }

  expect([...new Set(higher)].sort()).toEqual([]);
  expect(listed.size).toBe(risk_rules.length);
  expect(risk_rules.filter(({ id }) => !isAttributeRule(id))).toEqual([]);
  expect(risk_rules.filter(({ title, looks_at }) => !/^[A-Z]/.test(title) || !/\.$/.test(looks_at))).toEqual([]);
});

test('every rule id in the source code is known', () => {
  const code = readdirSync(RULES, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && name !== 'named-rules.ts',
  );
  const texts = code.map((name) => readFileSync(join(RULES, name), 'utf8')).join('\n');
  const fixed = new Set([...texts.matchAll(/'(R-[A-Z0-9-]+)'/g)].map(([, id]) => id ?? ''));

  expect(fixed.size).toBeGreaterThan(30);
  expect([...fixed].filter((id) => !isAttributeRule(id))).toEqual([]);
  const paths = [...texts.matchAll(/`R-ATTR-\$\{subject.type\}\.([^`$]+)`/g)].map(([, path]) => path ?? '');
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !isAttributeRule(`R-ATTR-aws_security_group.${path}`))).toEqual([]);
});

test.each([
  'R-ATTR-aws_security_group.ingress',
  'R-ATTR-aws_kms_key.policy',
  'R-ATTR-azurerm_linux_web_app.site_config.*.ip_restriction',
  'R-ATTR-google_compute_firewall.deny',
  'R-ATTR-azurerm_key_vault_access_policy.secret_permissions',
  'R-ATTR-azurerm_resource_policy_assignment',
])('the rule id %s is known', (id) => {
  expect(isAttributeRule(id)).toBe(true);
});

test.each([
  '',
  'attr',
  'R-ATTR-',
  'R-ATTR-null_resource.triggers',
  'R-ATTR-aws_kms_key.tags',
  'R-ACT-LINK',
  'N-AWS-018',
])('the rule id %j is unknown', (id) => {
  expect(isAttributeRule(id)).toBe(false);
});
