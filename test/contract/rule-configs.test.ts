/** The contract describes rule configs and the engine validates them: both get the same configs here. */
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  type NoiseRuleConfig,
  OPERATORS,
  type PolicyRule,
  parseNoiseConfig,
  parsePolicyRules,
  parseRiskConfig,
  type RiskRuleConfig,
} from '../../engine/rules/index.ts';
import type { components } from '../../server/contract/openapi.d.ts';
import { document } from '../http/harness.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'https://contract/', components: document.api.components });
const compileSchema = (name: string) => ajv.compile({ $ref: `https://contract/#/components/schemas/${name}` });

const NOISE = { version: 1, match: {}, severity: 'harmless' };
const RISK = { version: 1, match: {}, effect: 'raise', level: 'high', message: 'Ask the owners.' };
const RULE = { id: 'freeze', name: 'Freeze', enabled: true, match: {}, effect: 'block', reason: 'Holidays.' };
const when = (predicate: object) => ({ when: [{ path: 'name', op: 'exists', ...predicate }] });

const MATCHES = [
  { resource_types: ['aws_*', '*_policy?'] },
  { addresses: ['module.app.**', 'aws_s3_bucket.logs["*"]'] },
  { modules: ['module.app'] },
  { modules: [''] },
  { providers: ['aws', 'gcp', 'azure'] },
  { actions: ['no-op', 'create', 'read', 'update', 'delete', 'replace', 'forget', 'import', 'move', 'unknown'] },
  { repos: ['acme/*'] },
  { branches: ['release/**'] },
  { categories: ['stateful', 'iam', 'network', 'security', 'encryption', 'other'] },
  { resource_types: ['aws_*'], not: { addresses: ['module.sandbox.**'] } },
];
const BAD_MATCHES = [
  null,
  [],
  'aws_*',
  { resource_types: [] },
  { resource_types: 'aws_*' },
  { resource_types: [''] },
  { resource_types: [1] },
  { resource_types: ['x'.repeat(257)] },
  { resource_types: Array.from({ length: 51 }, (_, i) => `a${i}`) },
  { types: ['aws_*'] },
  { providers: ['oracle'] },
  { actions: ['destroy'] },
  { categories: ['database'] },
  { not: { not: { actions: ['create'] } } },
  { not: [] },
];
const PREDICATES = [
  { op: 'exists' },
  { op: 'changed', negate: true },
  { op: 'eq', value: { a: [1] } },
  { op: 'in', values: ['a', 1, true] },
  { op: 'gt', value: 3 },
  { op: 'became', value: ['*', true] },
  { op: 'matches', value: '^prod-' },
  { op: 'is_unknown', on: 'after' },
  { op: 'eq', value: 'x', on: 'before' },
  { path: 'ingress[*].cidr_blocks[*]', op: 'cidr_includes', value: '10.0.0.0/8' },
];
const BAD_PREDICATES = [
  { op: 'like' },
  { path: '' },
  { path: 1 },
  { path: 'x'.repeat(257) },
  { on: 'both' },
  { negate: 'yes' },
  { op: 'in', values: [] },
  { op: 'in', values: 'a' },
  { op: 'in', values: Array.from({ length: 101 }, (_, i) => i) },
  { extra: 1 },
];
const CONDITIONS = [
  ...MATCHES.map((match) => ({ match })),
  ...PREDICATES.map(when),
  { when: [] },
  { ...when({}), when_mode: 'any' },
];
const BAD_CONDITIONS = [
  ...BAD_MATCHES.map((match) => ({ match })),
  ...BAD_PREDICATES.map(when),
  { when: {} },
  { when: [null] },
  { when: Array.from({ length: 21 }, () => ({ path: 'a', op: 'exists' })) },
  { when_mode: 'some' },
  { version: 1.5 },
  { unheard_of: true },
];

const without = (config: object, name: string) => {
  const { [name]: _left_out, ...rest } = config as Record<string, unknown>;
  return rest;
};
const KINDS = [
  {
    name: 'NoiseRuleConfig',
    base: NOISE,
    parse: parseNoiseConfig,
    good: [{ attributes: ['tags.*'] }, { attributes: ['**'], attributes_mode: 'any' }, { severity: 'caution' }],
    bad: [
      { version: 2 },
      { version: '1' },
      { severity: 'critical' },
      { attributes: [] },
      { attributes: [''] },
      { attributes_mode: 'all' },
      { effect: 'raise' },
    ],
  },
  {
    name: 'RiskRuleConfig',
    base: RISK,
    parse: parseRiskConfig,
    good: [{ effect: 'cap', level: 'none' }, { message: 'x'.repeat(300) }],
    bad: [
      { version: 2 },
      { effect: 'set' },
      { effect: 'block' },
      { level: 'severe' },
      { level: null },
      { message: '' },
      { message: '  ' },
      { message: 'a\nb' },
      { message: 'a\u001b[31m' },
      { message: 'a\u009b31m' },
      { message: 'x'.repeat(301) },
      { severity: 'harmless' },
    ],
  },
  {
    name: 'PolicyRule',
    base: RULE,
    parse: (rule: unknown) => parsePolicyRules([rule]),
    good: [
      { effect: 'set', level: 'low' },
      { effect: 'raise', level: 'critical' },
      { enabled: false },
      { expires_at: null },
      { expires_at: '2020-01-01T00:00:00.000Z' },
      { expires_at: '2030-01-01T00:00:00+02:00' },
      { id: 'a' },
      { id: 'freeze-2-b' },
    ],
    bad: [
      { id: '' },
      { id: 'Freeze' },
      { id: '-a' },
      { id: 'a_b' },
      { id: 'x'.repeat(65) },
      { name: '' },
      { name: 'x'.repeat(121) },
      { enabled: 1 },
      { effect: 'lower' },
      { effect: 'set', level: 'severe' },
      { reason: ' ' },
      { reason: 'a\tb' },
      { name: 'a\u007f' },
      { reason: 'x'.repeat(501) },
      { expires_at: 'tomorrow' },
      { expires_at: '2030-02-31T00:00:00Z' },
      { version: 1 },
    ],
  },
] as const;

describe.each(KINDS)('$name', ({ name, base, parse, good, bad }) => {
  const validate = compileSchema(name);
  const verdict = (config: unknown) => {
    const parsed = parse(config);
    return { contract: validate(config), engine: 'value' in parsed ? true : parsed.issues };
  };

  test('both validators accept every valid config', () => {
    const configs = [{}, ...CONDITIONS, ...good].map((change) => ({ ...base, ...change }));

    const found = configs.map((config) => ({ config, ...verdict(config) }));

    expect(found.filter(({ contract, engine }) => !contract || engine !== true)).toEqual([]);
  });

  test('both validators reject every invalid config', () => {
    const missing = Object.keys(base).map((member) => without(base, member));
    const changed = [...BAD_CONDITIONS, ...bad].map((change) => ({ ...base, ...change }));

    const found = [null, [], 'x', {}, ...missing, ...changed].map((config) => ({ config, ...verdict(config) }));

    expect(found.filter(({ contract, engine }) => contract || engine === true)).toEqual([]);
  });
});

test('both validators have the same operators and the same fields of every rule', () => {
  type Contract = components['schemas'];
  type Same<A, B> = [A, B] extends [B, A] ? true : false;
  const facts: [
    Same<keyof NoiseRuleConfig, keyof Contract['NoiseRuleConfig']>,
    Same<keyof RiskRuleConfig, keyof Contract['RiskRuleConfig']>,
    Same<keyof PolicyRule, keyof Contract['PolicyRule']>,
    NoiseRuleConfig extends Contract['NoiseRuleConfig'] ? true : false,
    RiskRuleConfig extends Contract['RiskRuleConfig'] ? true : false,
    PolicyRule extends Contract['PolicyRule'] ? true : false,
  ] = [true, true, true, true, true, true];

  expect(facts).not.toContain(false);
  expect(document.api.components.schemas['RulePredicate']?.properties?.['op']?.enum).toEqual([...OPERATORS]);
});
