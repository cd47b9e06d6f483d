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

describe('a rule is accepted', () => {
  test('with every member there is', () => {
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

  test('with as little as it needs', () => {
    const block = { ...POLICY, effect: 'block', level: undefined, expires_at: null };

    expect(parseNoiseConfig(NOISE)).toEqual({ value: NOISE });
    expect(parseRiskConfig(RISK)).toEqual({ value: RISK });
    expect(parsePolicyRules([block])).toHaveProperty('value');
    expect(parsePolicyRules([])).toEqual({ value: [] });
  });
});

describe('a rule is refused', () => {
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
      'is not known here; known are version, match, when, when_mode, attributes, attributes_mode, severity',
    ],
    [{ ...NOISE, match: { types: ['a'] } }, '/match/types', 'known are resource_types'],
    [{ ...NOISE, match: { 'a/b~': 1 } }, '/match/a~1b~0', 'is not known here'],
    [{ ...NOISE, match: { actions: ['destroy'] } }, '/match/actions/0', 'must be one of no-op, create'],
    [{ ...NOISE, match: { providers: ['oracle'] } }, '/match/providers/0', 'must be one of aws, gcp, azure'],
    [{ ...NOISE, match: { categories: ['x'] } }, '/match/categories/0', 'must be one of stateful'],
    [{ ...NOISE, match: { resource_types: 'aws_*' } }, '/match/resource_types', 'must be a list'],
    [{ ...NOISE, match: { resource_types: [] } }, '/match/resource_types', 'is empty'],
    [{ ...NOISE, match: { resource_types: [''] } }, '/match/resource_types/0', 'is empty'],
    [{ ...NOISE, match: { resource_types: [7] } }, '/match/resource_types/0', 'must be a text'],
    [
      { ...NOISE, match: { resource_types: ['a'.repeat(257)] } },
      '/match/resource_types/0',
      'longer than 256 characters',
    ],
    [{ ...NOISE, match: { resource_types: many(51, 'a') } }, '/match/resource_types', 'more than 50 items'],
    [{ ...NOISE, match: { resource_types: ['aws_**'] } }, '/match/resource_types/0', 'holds ** within aws_**'],
    [{ ...NOISE, match: { addresses: ['module.a**.b'] } }, '/match/addresses/0', 'holds ** within a**'],
    [{ ...NOISE, match: { repos: ['acme/**x'] } }, '/match/repos/0', 'holds ** within **x'],
    [{ ...NOISE, match: { not: {} } }, '/match/not', 'would leave out every change'],
    [{ ...NOISE, match: { not: { addresses: ['a**'] } } }, '/match/not/addresses/0', 'holds ** within'],
    [{ ...NOISE, match: { not: { not: { actions: ['update'] } } } }, '/match/not/not', 'is not known here'],
    [{ ...NOISE, attributes: [] }, '/attributes', 'is empty'],
    [{ ...NOISE, attributes: ['a', 'b['] }, '/attributes/1', 'cannot be read from character 2 on'],
    [{ ...NOISE, attributes: ['tags.a**'] }, '/attributes/0', 'holds ** within'],
    [{ ...NOISE, attributes: many(51, 'a') }, '/attributes', 'more than 50 items'],
    [{ ...NOISE, attributes_mode: 'all' }, '/attributes_mode', 'must be one of only, any'],
    [{ ...NOISE, when: many(21, { path: 'a', op: 'exists' }) }, '/when', 'more than 20 items'],
    [{ ...NOISE, when_mode: 'some' }, '/when_mode', 'must be one of all, any'],
    [{ ...NOISE, when: [{ path: 'a', op: 'equals' }] }, '/when/0/op', 'must be one of exists, absent'],
    [{ ...NOISE, when: [{ path: '**.a', op: 'exists' }] }, '/when/0/path', 'holds **, which a condition cannot ask'],
    [{ ...NOISE, when: [{ path: 'a..b', op: 'exists' }] }, '/when/0/path', 'cannot be read from character 2 on'],
    [{ ...NOISE, when: [{ op: 'exists' }] }, '/when/0/path', 'is missing'],
    [{ ...NOISE, when: [{ path: 'a', op: 'exists', on: 'both' }] }, '/when/0/on', 'must be one of after'],
    [{ ...NOISE, when: [{ path: 'a', op: 'exists', negate: 'yes' }] }, '/when/0/negate', 'must be true or false'],
    [{ ...NOISE, attributes: ['a\0'] }, '/attributes/0', 'holds a NUL character'],
    [{ ...NOISE, 'a\0': 1 }, '', 'whose name holds a NUL character'],
    [{ ...NOISE, when: [{ path: 'a', op: 'eq', value: Number.NaN }] }, '/when/0/value', 'is no JSON value'],
    [{ ...NOISE, extra: 'x'.repeat(65_536) }, '', 'is too large; its JSON may have 64 KiB'],
    [{ ...NOISE, extra: many(65_536, 1) }, '', 'is too large'],
    [JSON.parse(`{"a":${'['.repeat(50)}${']'.repeat(50)}}`), '', 'is nested too deeply'],
  ])('%.120j at %j', (config, path, message) => {
    const [issue, ...others] = readIssues(parseNoiseConfig(config));

    expect(issue).toEqual({ path, message: expect.stringContaining(message) });
    expect(others).toEqual([]);
  });

  test.each<[object, string, string]>([
    [{ op: 'exists', value: 1 }, '/when/0/value', 'is not used by exists'],
    [{ op: 'changed', values: [1] }, '/when/0/values', 'is for in and not_in alone'],
    [{ op: 'eq' }, '/when/0/value', 'is missing; eq compares with it'],
    [{ op: 'eq', value: null }, '/when/0/value', 'ask with absent or exists instead'],
    [{ op: 'eq', value: 1, values: [1] }, '/when/0/values', 'is for in and not_in alone'],
    [{ op: 'in', value: [1] }, '/when/0/value', 'give a list as values'],
    [{ op: 'in' }, '/when/0/values', 'is missing; in needs a list of values'],
    [{ op: 'not_in', values: [] }, '/when/0/values', 'is empty'],
    [{ op: 'not_in', values: [1, null] }, '/when/0/values/1', 'is null'],
    [{ op: 'in', values: new Array(101).fill(1) }, '/when/0/values', 'more than 100 items'],
    [{ op: 'gt', value: 'ten' }, '/when/0/value', 'must be a number for gt'],
    [{ op: 'lte', value: true }, '/when/0/value', 'must be a number for lte'],
    [{ op: 'increased', value: 1 }, '/when/0/value', 'is not used by increased'],
    [{ op: 'length_gt', value: 1.5 }, '/when/0/value', 'must be a whole number'],
    [{ op: 'length_lt', value: -1 }, '/when/0/value', 'must be a whole number'],
    [{ op: 'matches', value: 7 }, '/when/0/value', 'must be a pattern in RE2 syntax'],
    [{ op: 'matches', value: '(?=a)' }, '/when/0/value', 'is no RE2 pattern'],
    [{ op: 'matches', value: '(a)\\1' }, '/when/0/value', 'look-around and back-references do not exist'],
    [{ op: 'matches', value: '.{900}.{900}' }, '/when/0/value', 'repeats too much'],
    [{ op: 'matches', value: 'a'.repeat(513) }, '/when/0/value', 'longer than 512 characters'],
    [{ op: 'became', value: true }, '/when/0/value', 'must be a list of two'],
    [{ op: 'became', value: [1, 2, 3] }, '/when/0/value', 'must be a list of two'],
    [{ op: 'removed', value: null }, '/when/0/value', 'is null'],
    [{ op: 'cidr_includes', value: '10.0.0.0/33' }, '/when/0/value', 'must be an address or a block'],
    [{ op: 'cidr_wider_than', value: 129 }, '/when/0/value', 'the length of a prefix'],
    [{ op: 'cidr_wider_than', value: 'x' }, '/when/0/value', 'the length of a prefix'],
  ])('for a condition %.80j at %j', (condition, path, message) => {
    const [issue] = withCondition(condition);

    expect(issue).toEqual({ path, message: expect.stringContaining(message) });
  });

  test.each<[object, string, string]>([
    [{ level: 'severe' }, '/level', 'must be one of none, low, medium, high, critical'],
    [{ effect: 'block' }, '/effect', 'must be one of raise, cap'],
    [{ message: '  ' }, '/message', 'is empty; write what people shall read'],
    [{ message: 'x'.repeat(301) }, '/message', 'longer than 300 characters'],
    [{ attributes: ['a'] }, '/attributes', 'is not known here'],
  ])('for a risk rule with %.40j at %j', (members, path, message) => {
    expect(readIssues(parseRiskConfig({ ...RISK, ...members }))).toEqual([
      { path, message: expect.stringContaining(message) },
    ]);
  });

  test.each<[unknown, string, string]>([
    [{}, '', 'must be a list'],
    [[{ ...POLICY, id: 'Not A Slug' }], '/0/id', 'lower-case letters, digits and dashes'],
    [[POLICY, { ...POLICY, name: 'B' }], '/1/id', 'is the id of rule 0 too'],
    [[{ ...POLICY, level: undefined }], '/0/level', 'is missing; cap needs a level'],
    [[{ ...POLICY, effect: 'set', level: undefined }], '/0/level', 'is missing; set needs a level'],
    [[{ ...POLICY, enabled: 1 }], '/0/enabled', 'must be true or false'],
    [[{ ...POLICY, reason: 'x'.repeat(501) }], '/0/reason', 'longer than 500 characters'],
    [[{ ...POLICY, expires_at: '2026-02-30T00:00:00Z' }], '/0/expires_at', 'must be a time such as'],
    [[{ ...POLICY, expires_at: '2026-02-01' }], '/0/expires_at', 'must be a time such as'],
    [[{ ...POLICY, match: { branches: ['a**'] } }], '/0/match/branches/0', 'holds ** within'],
    [many(101, POLICY), '', 'more than 100 items'],
  ])('for a policy with %.60j at %j', (rules, path, message) => {
    expect(readIssues(parsePolicyRules(rules))).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  test('with at most twenty things that are wrong', () => {
    const addresses = many(50, 'a**');

    expect(readIssues(parseNoiseConfig({ ...NOISE, match: { addresses } }))).toHaveLength(20);
  });

  test('when it refers to itself', () => {
    const config: Record<string, unknown> = { ...NOISE };
    config.a = config.b = config.c = config;

    expect(readIssues(parseNoiseConfig(config))).toHaveLength(1);
  });
});
