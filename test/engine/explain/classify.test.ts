import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { buildClassifyPrompt, readClassifyAnswer, rebuildClassifyPrompt } from '../../../engine/explain/index.ts';
import { analyzePlan, createAnalysis, type UnknownPattern } from '../../../engine/index.ts';
import { entry, planText } from '../analysis/plans.ts';
import { HOSTILE_NAMES } from '../render/builders.ts';

const pattern = (attribute: string): UnknownPattern => ({
  fingerprint: '0'.repeat(32),
  provider: 'hashicorp/aws',
  provider_version: '5.31',
  resource_type: 'aws_lb_listener',
  attribute,
  change_shape: 'null_to_empty',
});
const PATTERNS = [pattern('tags_all'), pattern('default_action[*].order'), pattern('policy')];

describe('the prompt that asks whether noise is benign', () => {
  test('contains provider, type, path and shape under a number', () => {
    const { user, inputs, prompt_version } = buildClassifyPrompt(PATTERNS);

    expect(JSON.parse(user).patterns[1]).toEqual({
      id: 2,
      provider: 'hashicorp/aws',
      lowest_version: '5.31',
      resource_type: 'aws_lb_listener',
      attribute: 'default_action[*].order',
      shape: 'null_to_empty',
    });
    expect(inputs).toMatchObject({ char_count: user.length, resource_count: 3 });
    expect(prompt_version).toBe('classify-1');
  });

  test('is rebuilt from its own data and from no other text', () => {
    const prompt = buildClassifyPrompt(PATTERNS);

    expect(rebuildClassifyPrompt(prompt.user, prompt.prompt_version)).toEqual(prompt);
    for (const text of ['', 'null', '[]', '{"patterns":1}'])
      expect(rebuildClassifyPrompt(text, 'classify-1')).toBeNull();
    expect(() => rebuildClassifyPrompt(prompt.user, 'classify-0')).toThrow(RangeError);
  });

  test.each(HOSTILE_NAMES)('does not contain the name %j, which no schema has', (name) => {
    const at = (key: string) =>
      entry('aws_glue_job', 'a', { before: { map: { [key]: 'A' } }, after: { map: { [key]: 'a' } } });
    const named = entry('aws_glue_job', 'b', { before: { [name]: 'A' }, after: { [name]: 'a' } });
    const typed = entry(name, 'c', { before: { size: 'A' }, after: { size: 'a' } });
    const analysis = createAnalysis();
    analysis.write(Buffer.from(planText({ resource_changes: [at(name), named, typed] as never })));
    analysis.end();

    expect(analysis.unknownPatterns()).toEqual([]);
  });
});

describe('the answer about benign noise', () => {
  const answering = (...verdicts: unknown[]) => readClassifyAnswer(JSON.stringify({ verdicts }), PATTERNS.length);

  test('has one verdict per pattern, and novel if none was given', () => {
    expect(answering({ id: 2, verdict: 'likely_benign' }, { id: 1, verdict: 'novel' })).toEqual({
      verdicts: ['novel', 'likely_benign', 'novel'],
    });
    expect(answering()).toEqual({ verdicts: ['novel', 'novel', 'novel'] });
  });

  test.each([
    ['nothing', ''],
    ['prose', 'They are all benign.'],
    ['a list', '[]'],
    ['no verdicts', '{}'],
    ['verdicts of the wrong type', '{"verdicts":"likely_benign"}'],
    ['an answer with an additional field', '{"verdicts":[],"risk":"none"}'],
    ['an unknown verdict', '{"verdicts":[{"id":1,"verdict":"known_benign"}]}'],
    ['a verdict in capitals', '{"verdicts":[{"id":1,"verdict":"NOVEL"}]}'],
    ['text instead of a number', '{"verdicts":[{"id":"1","verdict":"novel"}]}'],
    ['an unknown pattern id', '{"verdicts":[{"id":4,"verdict":"likely_benign"}]}'],
    ['pattern id 0', '{"verdicts":[{"id":0,"verdict":"likely_benign"}]}'],
    ['a fractional pattern id', '{"verdicts":[{"id":1.5,"verdict":"likely_benign"}]}'],
    ['a duplicate pattern id', '{"verdicts":[{"id":1,"verdict":"novel"},{"id":1,"verdict":"likely_benign"}]}'],
    ['a duplicate key', '{"verdicts":[{"id":1,"verdict":"novel","verdict":"likely_benign"}]}'],
    ['a verdict with an additional field', '{"verdicts":[{"id":1,"verdict":"novel","why":"x"}]}'],
    ['null', '{"verdicts":[null]}'],
  ])('is unusable if it is %s', (_, text) => {
    expect(readClassifyAnswer(text, PATTERNS.length)).toEqual({ unusable: expect.stringContaining('the answer') });
  });
});

interface Case {
  provider: string;
  resource_type: string;
  attribute: string;
  before: string | null | unknown[];
  after: string | null | unknown[];
  expected: 'likely_benign' | 'novel';
  why: string;
}
const SET = JSON.parse(
  readFileSync(new URL('evaluations/patterns/classify-1.json', import.meta.url), 'utf8'),
) as Case[];

describe('the evaluation set of the classification prompt', () => {
  const changes = SET.map(({ provider, resource_type, attribute, before, after }, i) =>
    entry(
      resource_type,
      `n${i}`,
      { before: { [attribute]: before as never }, after: { [attribute]: after as never } },
      { provider_name: `registry.terraform.io/${provider}` },
    ),
  );
  const text = Buffer.from(planText({ resource_changes: changes as never }));
  const analysis = createAnalysis();
  analysis.write(text);
  analysis.end();
  const patterns = analysis.unknownPatterns();

  test('contains no pattern that a rule would decide', () => {
    expect(patterns.map(({ resource_type, attribute }) => `${resource_type}.${attribute}`).sort()).toEqual(
      SET.map(({ resource_type, attribute }) => `${resource_type}.${attribute}`).sort(),
    );
  });

  test('has a usable answer that changes no level', () => {
    const findVerdict = ({ resource_type, attribute }: UnknownPattern) =>
      SET.find((one) => one.resource_type === resource_type && one.attribute === attribute)?.expected;
    const answer = { verdicts: patterns.map((one, i) => ({ id: i + 1, verdict: findVerdict(one) })) };
    const read = readClassifyAnswer(JSON.stringify(answer), patterns.length);
    if ('unusable' in read) throw new Error(read.unusable);

    expect(read.verdicts).toEqual(patterns.map(findVerdict));
    const benign = patterns.filter((_, i) => read.verdicts[i] === 'likely_benign');
    const result = analyzePlan(text, { likely_benign: new Set(benign.map(({ fingerprint }) => fingerprint)) });
    expect(result.plan_noise.known_benign).toBe(benign.length);
    expect(result.risk).toEqual(analyzePlan(text).risk);
  });
});
