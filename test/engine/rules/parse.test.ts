import { describe, expect, test } from '@jest/globals';
import {
  type ConfigIssue,
  type Parsed,
  parseNoiseConfig,
  parsePolicyRules,
  parseRiskConfig,
} from '../../../engine/rules/index.ts';

const NOISE = { version: 1, match: {}, severity: 'harmless' };
const RISK = { version: 1, match: {}, effect: 'raise', level: 'high', message: 'Look twice.' };
const POLICY = {
  id: 'a',
  name: 'A',
  enabled: true,
  match: {},
  effect: 'cap',
  level: 'low',
  reason: 'It is only a test.',
};

function readIssues<T>(parsed: Parsed<T>): ConfigIssue[] {
  return 'issues' in parsed ? parsed.issues : [];
}

function withCondition(condition: object) {
  return readIssues(parseRiskConfig({ ...RISK, when: [{ path: 'a', ...condition }] }));
}

describe('a rule configuration is accepted', () => {
  test('with every field set', () => {
    const match = {
      resource_types: ['aws_*'],
      addresses: ['module.a.**'],
      modules: ['', 'module.a'],
      providers: ['aws', 'gcp', 'azure'],
      actions: ['update'],
      repos: ['acme/*'],
      branches: ['main'],
      categories: ['iam'],
    };
    const when = [{ path: 'a["b.c"][*]', op: 'in', values: [1], on: 'either', negate: true }];
    const config = {
      ...NOISE,
      match: { ...match, not: match },
      when,
      when_mode: 'any',
      attributes: ['tags.**'],
      attributes_mode: 'any',
    };

    expect(parseNoiseConfig(config)).toEqual({ value: config });
    expect(parseRiskConfig({ ...RISK, match, when })).toEqual({ value: { ...RISK, match, when } });
    expect(parsePolicyRules([{ ...POLICY, match, when, expires_at: '2026-01-01T00:00:00+02:00' }])).toHaveProperty(
      'value',
    );
  });

  test('with only the required fields', () => {
    const block = { ...POLICY, effect: 'block', level: undefined, expires_at: null };

    expect(parseNoiseConfig(NOISE)).toEqual({ value: NOISE });
    expect(parseRiskConfig(RISK)).toEqual({ value: RISK });
    expect(parsePolicyRules([block])).toHaveProperty('value');
    expect(parsePolicyRules([])).toEqual({ value: [] });
  });
});

describe('an invalid rule configuration is rejected', () => {
  const many = (count: number, item: unknown) => new Array(count).fill(item);

  test.each<[unknown, string, string]>([
    [null, '', 'must be an object'],
    [[], '', 'must be an object'],
    [{ ...NOISE, version: 2 }, '/version', 'must be 1'],
    [{ match: {}, severity: 'harmless' }, '/version', 'is missing; it must be 1'],
    [{ version: 1, severity: 'harmless' }, '/match', 'is missing; it must be an object'],
    [{ ...NOISE, severity: 'high' }, '/severity', 'must be one of harmless, warning, caution'],
    [
      { ...NOISE, level: 'low' },
      '/level',
      'is not a known field; known fields: version, match, when, when_mode, attributes, attributes_mode, severity',
    ],
    [{ ...NOISE, match: { types: ['a'] } }, '/match/types', 'known fields: resource_types'],
    [{ ...NOISE, match: { 'a/b~': 1 } }, '/match/a~1b~0', 'is not a known field'],
    [{ ...NOISE, match: { actions: ['destroy'] } }, '/match/actions/0', 'must be one of no-op, create'],
    [{ ...NOISE, match: { providers: ['oracle'] } }, '/match/providers/0', 'must be one of aws, gcp, azure'],
    [{ ...NOISE, match: { categories: ['x'] } }, '/match/categories/0', 'must be one of stateful'],
    [{ ...NOISE, match: { resource_types: 'aws_*' } }, '/match/resource_types', 'must be a list'],
    [{ ...NOISE, match: { resource_types: [] } }, '/match/resource_types', 'is empty'],
    [{ ...NOISE, match: { resource_types: [''] } }, '/match/resource_types/0', 'is empty'],
    [{ ...NOISE, match: { resource_types: [7] } }, '/match/resource_types/0', 'must be a string'],
    [
      { ...NOISE, match: { resource_types: ['a'.repeat(257)] } },
      '/match/resource_types/0',
      'longer than 256 characters',
    ],
    [{ ...NOISE, match: { resource_types: many(51, 'a') } }, '/match/resource_types', 'more than 50 items'],
    [
      { ...NOISE, match: { resource_types: ['aws_**'] } },
      '/match/resource_types/0',
      'contains ** inside the segment aws_**',
    ],
    [{ ...NOISE, match: { addresses: ['module.a**.b'] } }, '/match/addresses/0', 'contains ** inside the segment a**'],
    [{ ...NOISE, match: { repos: ['acme/**x'] } }, '/match/repos/0', 'contains ** inside the segment **x'],
    [{ ...NOISE, match: { not: {} } }, '/match/not', 'would exclude every change'],
    [{ ...NOISE, match: { not: { addresses: ['a**'] } } }, '/match/not/addresses/0', 'contains ** inside'],
    [{ ...NOISE, match: { not: { not: { actions: ['update'] } } } }, '/match/not/not', 'is not a known field'],
    [{ ...NOISE, attributes: [] }, '/attributes', 'is empty'],
    [{ ...NOISE, attributes: ['a', 'b['] }, '/attributes/1', 'cannot be parsed at character 2'],
    [{ ...NOISE, attributes: ['tags.a**'] }, '/attributes/0', 'contains ** inside'],
    [{ ...NOISE, attributes: many(51, 'a') }, '/attributes', 'more than 50 items'],
    [{ ...NOISE, attributes_mode: 'all' }, '/attributes_mode', 'must be one of only, any'],
    [{ ...NOISE, when: many(21, { path: 'a', op: 'exists' }) }, '/when', 'more than 20 items'],
    [{ ...NOISE, when_mode: 'some' }, '/when_mode', 'must be one of all, any'],
    [{ ...NOISE, when: [{ path: 'a', op: 'equals' }] }, '/when/0/op', 'must be one of exists, absent'],
    [
      { ...NOISE, when: [{ path: '**.a', op: 'exists' }] },
      '/when/0/path',
      'contains **, which conditions do not support',
    ],
    [{ ...NOISE, when: [{ path: 'a..b', op: 'exists' }] }, '/when/0/path', 'cannot be parsed at character 2'],
    [{ ...NOISE, when: [{ op: 'exists' }] }, '/when/0/path', 'is missing'],
    [{ ...NOISE, when: [{ path: 'a', op: 'exists', on: 'both' }] }, '/when/0/on', 'must be one of after'],
    [{ ...NOISE, when: [{ path: 'a', op: 'exists', negate: 'yes' }] }, '/when/0/negate', 'must be true or false'],
    [{ ...NOISE, attributes: ['a\0'] }, '/attributes/0', 'contains a NUL character'],
    [{ ...NOISE, 'a\0': 1 }, '', 'whose name contains a NUL character'],
    [{ ...NOISE, when: [{ path: 'a', op: 'eq', value: Number.NaN }] }, '/when/0/value', 'is not a JSON value'],
    [{ ...NOISE, extra: 'x'.repeat(65_536) }, '', 'is too large; the limit is 64 KiB'],
    [{ ...NOISE, extra: many(65_536, 1) }, '', 'is too large'],
    [JSON.parse(`{"a":${'['.repeat(50)}${']'.repeat(50)}}`), '', 'is nested too deeply'],
  ])('for the noise rule %.120j at %j', (config, path, message) => {
    const [issue, ...others] = readIssues(parseNoiseConfig(config));

    expect(issue).toEqual({ path, message: expect.stringContaining(message) });
    expect(others).toEqual([]);
  });

  test.each<[object, string, string]>([
    [{ op: 'exists', value: 1 }, '/when/0/value', 'is not used by exists'],
    [{ op: 'changed', values: [1] }, '/when/0/values', 'is only for in and not_in'],
    [{ op: 'eq' }, '/when/0/value', 'is missing; eq needs a value'],
    [{ op: 'eq', value: null }, '/when/0/value', 'use absent or exists instead'],
    [{ op: 'eq', value: 1, values: [1] }, '/when/0/values', 'is only for in and not_in'],
    [{ op: 'in', value: [1] }, '/when/0/value', 'use values with a list'],
    [{ op: 'in' }, '/when/0/values', 'is missing; in needs a list of values'],
    [{ op: 'not_in', values: [] }, '/when/0/values', 'is empty'],
    [{ op: 'not_in', values: [1, null] }, '/when/0/values/1', 'is null'],
    [{ op: 'in', values: new Array(101).fill(1) }, '/when/0/values', 'more than 100 items'],
    [{ op: 'gt', value: 'ten' }, '/when/0/value', 'must be a number for gt'],
    [{ op: 'lte', value: true }, '/when/0/value', 'must be a number for lte'],
    [{ op: 'increased', value: 1 }, '/when/0/value', 'is not used by increased'],
    [{ op: 'length_gt', value: 1.5 }, '/when/0/value', 'must be an integer'],
    [{ op: 'length_lt', value: -1 }, '/when/0/value', 'must be an integer'],
    [{ op: 'matches', value: 7 }, '/when/0/value', 'must be a pattern in RE2 syntax'],
    [{ op: 'matches', value: '(?=a)' }, '/when/0/value', 'is not a valid RE2 pattern'],
    [{ op: 'matches', value: '(a)\\1' }, '/when/0/value', 'RE2 has no look-around or backreferences'],
    [{ op: 'matches', value: '.{900}.{900}' }, '/when/0/value', 'is too expensive to search'],
    [{ op: 'matches', value: 'a'.repeat(513) }, '/when/0/value', 'longer than 512 characters'],
    [{ op: 'became', value: true }, '/when/0/value', 'must be a list of two'],
    [{ op: 'became', value: [1, 2, 3] }, '/when/0/value', 'must be a list of two'],
    [{ op: 'removed', value: null }, '/when/0/value', 'is null'],
    [{ op: 'cidr_includes', value: '10.0.0.0/33' }, '/when/0/value', 'must be an IP address or CIDR block'],
    [{ op: 'cidr_wider_than', value: 129 }, '/when/0/value', 'a prefix length'],
    [{ op: 'cidr_wider_than', value: 'x' }, '/when/0/value', 'a prefix length'],
  ])('for the condition %.80j at %j', (condition, path, message) => {
    const [issue] = withCondition(condition);

    expect(issue).toEqual({ path, message: expect.stringContaining(message) });
  });

  test.each<[object, string, string]>([
    [{ level: 'severe' }, '/level', 'must be one of none, low, medium, high, critical'],
    [{ effect: 'block' }, '/effect', 'must be one of raise, cap'],
    [{ message: '  ' }, '/message', 'is empty; enter the text to show to people'],
    [{ message: 'x'.repeat(301) }, '/message', 'longer than 300 characters'],
    [{ attributes: ['a'] }, '/attributes', 'is not a known field'],
  ])('for the risk rule fields %.40j at %j', (members, path, message) => {
    expect(readIssues(parseRiskConfig({ ...RISK, ...members }))).toEqual([
      { path, message: expect.stringContaining(message) },
    ]);
  });

  test.each<[unknown, string, string]>([
    [{}, '', 'must be a list'],
    [[{ ...POLICY, id: 'Not A Slug' }], '/0/id', 'lowercase letters, digits and dashes'],
    [[POLICY, { ...POLICY, name: 'B' }], '/1/id', 'is also the id of rule 0'],
    [[{ ...POLICY, level: undefined }], '/0/level', 'is missing; cap needs a level'],
    [[{ ...POLICY, effect: 'set', level: undefined }], '/0/level', 'is missing; set needs a level'],
    [[{ ...POLICY, enabled: 1 }], '/0/enabled', 'must be true or false'],
    [[{ ...POLICY, reason: 'x'.repeat(501) }], '/0/reason', 'longer than 500 characters'],
    [[{ ...POLICY, expires_at: '2026-02-30T00:00:00Z' }], '/0/expires_at', 'must be a time such as'],
    [[{ ...POLICY, expires_at: '2026-02-01' }], '/0/expires_at', 'must be a time such as'],
    [[{ ...POLICY, match: { branches: ['a**'] } }], '/0/match/branches/0', 'contains ** inside'],
    [many(101, POLICY), '', 'more than 100 items'],
  ])('for the policy %.60j at %j', (rules, path, message) => {
    expect(readIssues(parsePolicyRules(rules))).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  test('with at most twenty issues', () => {
    const addresses = many(50, 'a**');

    expect(readIssues(parseNoiseConfig({ ...NOISE, match: { addresses } }))).toHaveLength(20);
  });

  test('when it contains a circular reference', () => {
    const config: Record<string, unknown> = { ...NOISE };
    config.a = config.b = config.c = config;

    expect(readIssues(parseNoiseConfig(config))).toHaveLength(1);
  });
});
