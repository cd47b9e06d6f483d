import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addConcerns,
  addExplanation,
  applyProposals,
  buildPrompt,
  type PolicyAdjuster,
  undoProposals,
} from '../../../engine/explain/index.ts';
import {
  analyzePlan,
  CONCERN_CATEGORIES,
  compareLevels,
  findCheckLevel,
  type PlanAnalysis,
  RISK_LEVELS,
} from '../../../engine/index.ts';
import { maxLevel } from '../../../engine/model/levels.ts';
import { aDiff } from '../noise/builders.ts';
import { aChange, anAnalysis } from '../render/builders.ts';
import { INJECTIONS } from './injections.ts';
import { buildAnswer, read, tryRead } from './model.ts';
import { buildPlan, type Entry, GRAVE } from './plans.ts';

const ALARM: Entry = {
  address: 'northwind_sampler.errors',
  type: 'northwind_sampler',
  before: { period: 60, evaluation_periods: 1, treat_missing_data: null, alarm_actions: [], alarm_description: 'a' },
  after: { period: 3600, evaluation_periods: 24, treat_missing_data: null, alarm_actions: [], alarm_description: 'b' },
};
const SCALING: Entry = {
  address: 'northwind_pool.web["eu"]',
  type: 'northwind_pool',
  before: { cooldown: 60, enabled: true, kinds: ['tcp', 'http'] },
  after: { cooldown: 7200, enabled: true, kinds: ['tcp'] },
};
const analysis = analyzePlan(buildPlan([ALARM, SCALING]));
const VALID = {
  address: ALARM.address,
  path: 'period',
  category: 'silenced_alarm',
  level: 'high',
  sentence: 'Errors have to last for a long time before anyone learns of them.',
  before: 60,
  after: 3600,
};

const DOOR: Entry = {
  address: 'northwind_door.main',
  type: 'northwind_door',
  before: {
    source: 'lane-nine',
    query: 'avg(last_5m):load{env:prod} > 90',
    rules: '{"limits":{"retries":5},"members":["team-a","team-b"],"a b":{"c":1}}',
  },
  after: {
    source: 'standard',
    query: 'avg(last_5m):load{env:prod} > 95',
    rules: '{"limits":{"retries":6},"members":["team-a","team-b","team-c"],"a b":{"c":2}}',
  },
};
const doors = analyzePlan(buildPlan([DOOR]));

const readConcerns = (concerns: unknown, about: PlanAnalysis = analysis) => read(about, { concerns });
const counting: PolicyAdjuster = (_, level) => ({ level, reasons: [] });

describe('a concern', () => {
  test.each([
    [
      { path: 'source', before: null, after: 'standard' },
      { before: 'lane-nine', after: 'standard' },
    ],
    [
      { path: 'rules.limits.retries', before: 5, after: 6 },
      { before: 5, after: 6 },
    ],
    [
      { path: 'rules.members[2]', before: null, after: null },
      { before: null, after: 'team-c' },
    ],
    [
      { path: 'query', before: '90', after: '95' },
      { before: DOOR.before?.['query'], after: DOOR.after?.['query'] },
    ],
  ])('about %j, of which the model saw a part, has the values of the plan', (cited, values) => {
    const { concerns } = readConcerns([{ ...VALID, address: DOOR.address, ...cited }], doors);

    expect(concerns).toEqual([{ ...VALID, address: DOOR.address, path: cited.path, ...values }]);
  });

  test.each([
    { path: 'source', before: 'lane-nine', after: 'standard' },
    { path: 'rules.members[2]', before: null, after: 'team-c' },
    { path: 'query', before: '5m', after: '5m' },
  ])('is dropped if it cites what the model did not see: %j', (cited) => {
    expect(readConcerns([{ ...VALID, address: DOOR.address, ...cited }], doors).concerns).toEqual([]);
  });

  test('with evidence is kept, by more than one level', () => {
    const { concerns, dropped } = readConcerns([VALID]);

    expect(analysis.changes.map(({ risk }) => risk.level)).toEqual(['low', 'low']);
    expect(concerns).toEqual([VALID]);
    expect(dropped).toEqual([]);
  });

  test.each([
    ['a list of values', { path: 'kinds[1]', before: 'http', after: null }],
    ['an index in its address', { path: 'cooldown', before: 60, after: 7200 }],
    ['backticks', { address: `\`${SCALING.address}\``, path: '`cooldown`', before: 60, after: 7200 }],
  ])('can cite %s', (_, cited) => {
    const claim = { ...VALID, address: SCALING.address, category: 'outage', ...cited };

    expect(readConcerns([claim]).concerns).toMatchObject([
      { address: SCALING.address, path: cited.path.replaceAll('`', ''), before: cited.before, after: cited.after },
    ]);
  });

  test.each([
    ['an invented address', { address: 'aws_sns_topic.other' }, 'is not a change of this plan'],
    ['the address of a type', { address: 'northwind_sampler' }, 'is not a change of this plan'],
    [
      'a path that did not change',
      { path: 'enabled', before: true, after: true },
      'names a path without a shown value',
    ],
    ['an invented path', { path: 'threshold' }, 'names a path without a shown value'],
    [
      'a value that was withheld',
      { path: 'alarm_description', before: 'a', after: 'b' },
      'names a path without a shown value',
    ],
    ['the path of another change', { path: 'cooldown', after: 7200 }, 'names a path without a shown value'],
    ['another value before', { before: 61 }, 'states values that differ from the plan'],
    ['another value after', { after: 360 }, 'states values that differ from the plan'],
    ['swapped values', { before: 3600, after: 60 }, 'states values that differ from the plan'],
    ['a value of another type', { after: '3600' }, 'states values that differ from the plan'],
    ['a list instead of a value', { after: [3600] }, 'states values that differ from the plan'],
    ['the level of the change', { level: 'low' }, 'is not above the level of the change'],
    ['a lower level', { level: 'none' }, 'is not above the level of the change'],
    ['another category', { category: 'cost' }, 'does not match the schema'],
    ['another level', { level: 'severe' }, 'does not match the schema'],
    ['a missing sentence', { sentence: undefined }, 'does not match the schema'],
    ['an additional field', { safe: true }, 'does not match the schema'],
    ['an empty sentence', { sentence: '' }, 'has no acceptable sentence'],
    ['a link', { sentence: 'See https://evil.example for more.' }, 'has no acceptable sentence'],
    ['markup', { sentence: 'This <b>period</b> is long.' }, 'has no acceptable sentence'],
    ['a mention', { sentence: 'Ask @octocat about the period.' }, 'has no acceptable sentence'],
    ['an invented number', { sentence: 'It waits for 4711 seconds.' }, 'has no acceptable sentence'],
    ['an invented name', { sentence: 'It also hides `aws_db_instance.main`.' }, 'has no acceptable sentence'],
    ['reassurance', { sentence: 'This change is safe and harmless.' }, 'has no acceptable sentence'],
    ['a decision', { sentence: 'You can merge this plan now.' }, 'has no acceptable sentence'],
  ])('with %s is dropped', (_, fields, why) => {
    const { concerns, dropped, what_will_happen } = readConcerns([{ ...VALID, ...fields }]);

    expect(concerns).toEqual([]);
    expect(dropped.at(-1)?.why).toBe(why);
    expect(what_will_happen).not.toBe('');
  });

  test.each([null, 7, 'x', [], {}, [VALID]])('that is %j is dropped', (claim) => {
    expect(readConcerns([claim, VALID])).toMatchObject({
      concerns: [VALID],
      dropped: [{ why: 'does not match the schema' }],
    });
  });

  test('is at most high', () => {
    expect(readConcerns([{ ...VALID, level: 'critical' }]).concerns).toEqual([VALID]);
  });

  test('about a change that rules call high or critical is dropped', () => {
    const grave = analyzePlan(buildPlan(GRAVE));
    const claim = { ...VALID, address: 'aws_db_instance.main', path: 'allocated_storage', before: 100, after: null };

    expect(readConcerns([claim], grave)).toMatchObject({
      concerns: [],
      dropped: [{ why: 'is not above the level of the change' }],
    });
  });

  test('cannot cite a value that the plan marks as sensitive, also if it is guessed', () => {
    const marked = { ...ALARM, before_sensitive: { period: true }, after_sensitive: { period: true } };
    const secret = analyzePlan(buildPlan([marked]));

    expect(readConcerns([VALID, { ...VALID, before: null, after: null }], secret).concerns).toEqual([]);
  });

  test('cannot cite a value that is unknown until apply', () => {
    const unknown = analyzePlan(buildPlan([{ ...ALARM, after: { period: null }, after_unknown: { period: true } }]));

    expect(readConcerns([{ ...VALID, after: null }], unknown).concerns).toEqual([]);
  });

  test('cannot cite a value if the model was shown names only', () => {
    const names_only = { ...buildPrompt(analysis, { send_values: 'names_only' }).known };

    expect(names_only.values.flat()).toEqual([]);
  });

  test.each([
    [undefined, 1],
    ['order' as const, 0],
  ])('about a list that is proven to mean the same (%j) has %d valid citations', (same, count) => {
    const [before, after] = [
      ['tcp', 'http'],
      ['http', 'tcp'],
    ];
    const diff = { ...aDiff('kinds', before, after), ...(same === undefined ? {} : { same }) };
    const reordered = anAnalysis([aChange('a.b', { level: 'low', attributes: [diff], attributes_total: 1 })]);

    expect(readConcerns([{ ...VALID, address: 'a.b', path: 'kinds', before, after }], reordered).concerns).toHaveLength(
      count,
    );
  });

  test('cannot cite a deposed object', () => {
    const deposed = analyzePlan(
      JSON.stringify({
        ...JSON.parse(buildPlan([ALARM])),
        resource_changes: JSON.parse(buildPlan([{ ...ALARM, actions: ['delete'], after: null }])).resource_changes.map(
          (change: object) => ({ ...change, deposed: '1234abcd' }),
        ),
      }),
    );

    expect(deposed.changes).toHaveLength(1);
    expect(readConcerns([{ ...VALID, after: null }], deposed).concerns).toEqual([]);
  });

  test('about lost data may say that data is deleted, others may not say that of an update', () => {
    const sentence = 'Old entries are deleted.';

    expect(readConcerns([{ ...VALID, category: 'data_loss', sentence }]).concerns).toMatchObject([{ sentence }]);
    expect(readConcerns([{ ...VALID, sentence }]).concerns).toEqual([]);
  });

  test('has a sentence of at most 300 characters, without its rejected parts', () => {
    const sentence = `${'It waits longer. '.repeat(40)}`;
    const mixed = 'See www.evil.example now. It waits longer.';

    expect(readConcerns([{ ...VALID, sentence }]).concerns?.[0]?.sentence.length).toBeLessThanOrEqual(300);
    expect(readConcerns([{ ...VALID, sentence: mixed }]).concerns?.[0]?.sentence).toBe('It waits longer.');
  });

  test('is absent from the reading of an answer that was not asked for concerns', () => {
    expect(read(analysis, {})).not.toHaveProperty('concerns');
    expect(read(analysis, { concerns: [] })).toHaveProperty('concerns', []);
  });
});

describe('many concerns', () => {
  const ENTRIES = Array.from({ length: 30 }, (_, i) => ({ ...ALARM, address: `northwind_sampler.a${i}` }));
  const many = analyzePlan(buildPlan(ENTRIES));
  const CLAIMS = ENTRIES.map(({ address }, i) => ({ ...VALID, address, level: i === 20 ? 'high' : 'medium' }));

  test('are cut to ten, highest level first, then in the order of the changes, whatever their order', () => {
    const concerns = readConcerns(CLAIMS, many).concerns ?? [];

    expect(concerns).toHaveLength(10);
    expect(concerns[0]).toMatchObject({ address: 'northwind_sampler.a20', level: 'high' });
    const rest = concerns.slice(1).map(({ address }) => many.changes.findIndex((one) => one.address === address));
    expect(rest).toEqual(rest.toSorted((a, b) => a - b));
    expect(readConcerns(CLAIMS.toReversed(), many).concerns).toEqual(concerns);
  });

  test('about one value count once', () => {
    expect(readConcerns([VALID, { ...VALID, category: 'outage' }])).toMatchObject({
      concerns: [VALID],
      dropped: [{ why: 'is a duplicate' }],
    });
  });

  test('by the hundred do not cost the explanation', () => {
    const text = buildAnswer({ concerns: Array(900).fill({}) });
    const reading = tryRead(analysis, text);

    expect(reading).toMatchObject({ what_will_happen: 'Settings of a queue are changed.', concerns: [] });
    expect('dropped' in reading && reading.dropped.at(-1)).toEqual({
      what: '850 more concerns',
      why: 'exceed the limit of 10',
    });
  });
});

describe('concerns in a result', () => {
  const explain = (fields: Parameters<typeof buildAnswer>[0], policy: PolicyAdjuster | null, about = analysis) => {
    const reading = read(about, fields);
    const raised = applyProposals(about, reading.proposals, reading.overall);
    return { raised, result: addExplanation(addConcerns(raised, reading.concerns ?? [], policy), reading) };
  };

  test('change no level and no reason', () => {
    const { result } = explain({ concerns: [VALID] }, null);

    expect(result).toMatchObject({ risk_level: 'low', concerns: [VALID] });
    expect(result.changes).toEqual(analysis.changes);
    expect(result.risk).not.toHaveProperty('check_level');
    expect(findCheckLevel(result)).toBe('low');
    expect(result.narrative).not.toContain(VALID.sentence);
  });

  test('count for checks if the organization says so', () => {
    const { result } = explain({ concerns: [VALID] }, counting);

    expect(result).toMatchObject({ risk_level: 'low', risk: { check_level: 'high', deterministic_level: 'low' } });
    expect(findCheckLevel(result)).toBe('high');
  });

  test('count for no more than the risk policy allows', () => {
    const capped = explain({ concerns: [VALID] }, () => ({ level: 'medium', reasons: [] })).result;
    const set = explain({ concerns: [VALID] }, () => ({ level: 'none', reasons: [] })).result;

    expect(capped.risk.check_level).toBe('medium');
    expect(set.risk).not.toHaveProperty('check_level');
    expect(set.concerns).toEqual([VALID]);
  });

  test('do not count where the plan has their level anyway', () => {
    const about = analyzePlan(buildPlan([...GRAVE, ALARM]));

    expect(explain({ concerns: [VALID] }, counting, about).result.risk).not.toHaveProperty('check_level');
  });

  test('are removed when the prompt is rebuilt from a stored result', () => {
    const { result } = explain({ concerns: [VALID] }, counting);
    const rebuilt = undoProposals(JSON.parse(JSON.stringify(result)));

    expect(rebuilt).not.toHaveProperty('concerns');
    expect(rebuilt.risk).not.toHaveProperty('check_level');
    const user = (one: PlanAnalysis) => buildPrompt(one, { send_values: 'redacted' }).user;
    expect(user(rebuilt)).toBe(user(analysis));
  });

  const addresses = [ALARM.address, SCALING.address, 'aws_db_instance.main', 'aws_sqs_queue.jobs["a.b"]', '*', ''];
  const paths = ['period', 'evaluation_periods', 'cooldown', 'kinds[1]', 'delay_seconds', 'allocated_storage', ''];
  const values = fc.constantFrom<unknown>(60, 3600, 1, 24, 7200, 5, 30, 100, 'http', null, true, [], {}, 'x');
  const sentences = [VALID.sentence, ...INJECTIONS.map(([text]) => text)];
  /** An answer with one of these keys is rejected as a whole. */
  const FORBIDDEN = /"(?:__proto__|prototype|constructor)"/;
  const claim = fc.oneof(
    fc.jsonValue().filter((value) => !FORBIDDEN.test(JSON.stringify(value))),
    fc.constantFrom(...sentences).map((sentence) => ({ ...VALID, sentence })),
    fc.record({
      address: fc.constantFrom(...addresses),
      path: fc.constantFrom(...paths),
      category: fc.constantFrom(...CONCERN_CATEGORIES, 'other'),
      level: fc.constantFrom(...RISK_LEVELS),
      sentence: fc.constantFrom(...sentences),
      before: values,
      after: values,
    }),
  );

  test('of any kind lower nothing, change no level, and cite only what the plan has', () => {
    const about = analyzePlan(buildPlan([...GRAVE, ALARM, SCALING]));
    const easy = [about, analysis];
    fc.assert(
      fc.property(
        fc.array(claim, { maxLength: 30 }),
        fc.boolean(),
        fc.constantFrom(...easy),
        (concerns, counts, one) => {
          const { raised, result } = explain({ concerns }, counts ? counting : null, one);

          const { concerns: found = [], risk, narrative: _, narrative_status: __, explanation: ___, ...rest } = result;
          const { check_level, ...same_risk } = risk;
          expect({ ...raised, ...rest, risk: same_risk }).toEqual(raised);
          const highest = maxLevel(result.risk_level, ...found.map(({ level }) => level));
          expect(findCheckLevel(result)).toBe(counts ? highest : result.risk_level);
          expect(check_level === undefined || compareLevels(check_level, 'high') <= 0).toBe(true);
          expect(found.length).toBeLessThanOrEqual(10);
          for (const { address, path, before, after, level, sentence } of found) {
            const change = one.changes.find((candidate) => candidate.address === address);
            expect(compareLevels(level, change?.risk.level ?? 'critical')).toBeGreaterThan(0);
            expect(change?.attributes).toContainEqual(expect.objectContaining({ path, before, after }));
            expect(sentence).not.toMatch(/[<>`@#:/]{2}|evil|\bsafe\b/);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
