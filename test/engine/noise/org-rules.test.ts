import { describe, expect, test } from '@jest/globals';
import { classifyNoise } from '../../../engine/noise/classify.ts';
import type { Sighting } from '../../../engine/noise/patterns.ts';
import { type BookNoiseRule, NO_RULES, type RuleBook } from '../../../engine/rule-book.ts';
import { aDiff, anUpdate } from './builders.ts';

const KEY = Buffer.alloc(32, 7);

function aRule(id: string, paths: string[], more: Partial<BookNoiseRule> = {}): BookNoiseRule {
  return { id, severity: 'harmless', only: true, covers: ({ path }) => paths.includes(path), ...more };
}

const withRules = (...rules: BookNoiseRule[]): RuleBook => ({ ...NO_RULES, noiseRules: () => rules });

/** A book that suppresses these fingerprints at one address. */
function suppressing(address: string, ...fingerprints: string[]): RuleBook {
  return {
    ...NO_RULES,
    hasSuppressions: (at) => at === address,
    suppression: (fingerprint, at) =>
      at === address && fingerprints.includes(fingerprint) ? `of ${fingerprint}` : null,
  };
}

const scaled = () => anUpdate('aws_ecs_service', [aDiff('desired_count', 2, 5)]);

describe('a suppression', () => {
  const { fingerprints } = classifyNoise(scaled(), { key: KEY });
  const book = suppressing('aws_ecs_service.this', ...fingerprints);

  test('makes its pattern known noise at its address', () => {
    const change = scaled();

    expect(classifyNoise(change, { key: KEY, book })).toMatchObject({
      classification: 'known_benign',
      severity: null,
      suppression_id: `of ${fingerprints[0]}`,
    });
    expect(change.diffs[0]!.noise).toBe('known_benign');
  });

  test('does not hold for another value, another address or another attribute beside it', () => {
    const another = anUpdate('aws_ecs_service', [aDiff('desired_count', 2, 6)]);
    const elsewhere = anUpdate('aws_ecs_service', [aDiff('desired_count', 2, 5)], { address: 'aws_ecs_service.that' });
    const beside = anUpdate('aws_ecs_service', [aDiff('desired_count', 2, 5), aDiff('propagate_tags', 'NONE', 'TASK')]);

    for (const change of [another, elsewhere, beside]) {
      expect(classifyNoise(change, { key: KEY, book })).toMatchObject({
        classification: 'novel',
        suppression_id: null,
      });
    }
    expect(beside.diffs.map(({ noise }) => noise)).toEqual(['known_benign', 'novel']);
  });

  test('finds a pattern behind the two hundredth too', () => {
    const change = anUpdate(
      'aws_glue_job',
      Array.from({ length: 260 }, (_, i) => aDiff(['default_arguments', `--k${i}`], '1', '2')),
    );
    const last = anUpdate('aws_glue_job', [aDiff(['default_arguments', '--k259'], '1', '2')]);
    const fingerprints = classifyNoise(last, { key: KEY }).fingerprints;

    classifyNoise(change, { key: KEY, book: suppressing('aws_glue_job.this', ...fingerprints) });

    expect(change.diffs.filter(({ noise }) => noise !== 'novel')).toEqual([change.diffs[259]]);
  });
});

describe('a noise rule of the org', () => {
  test('goes before the built-in rules and before shapes', () => {
    const change = anUpdate('aws_glue_job', [aDiff('timeout', 80, '80')]);

    expect(classifyNoise(change, { book: withRules(aRule('own', ['timeout'])) })).toMatchObject({
      classification: 'known_benign',
      severity: 'harmless',
      matched_rule_id: null,
      matched_custom_rule_id: 'own',
    });
  });

  test('that wants to be the only cause holds only when it covers every changed attribute', () => {
    const change = () => anUpdate('aws_glue_job', [aDiff('max_retries', 1, 2), aDiff('glue_version', '3.0', '4.0')]);
    const one = change();
    const any = change();

    expect(classifyNoise(one, { book: withRules(aRule('own', ['max_retries'])) }).classification).toBe('novel');
    expect(one.diffs.map(({ noise }) => noise)).toEqual(['novel', 'novel']);

    classifyNoise(any, { book: withRules(aRule('own', ['max_retries'], { only: false })) });
    expect(any.diffs.map(({ noise }) => noise)).toEqual(['known_benign', 'novel']);
  });

  test('is not kept from holding by what only follows from the change', () => {
    const follows = aDiff('tags_all', {}, null, { after_unknown: true });
    const change = anUpdate('aws_glue_job', [aDiff('max_retries', 1, 2), follows]);

    expect(classifyNoise(change, { book: withRules(aRule('own', ['max_retries'])) }).classification).not.toBe('novel');
  });

  test('of several the one that calls for most care counts', () => {
    const book = withRules(aRule('mild', ['max_retries']), aRule('grave', ['max_retries'], { severity: 'warning' }));
    const change = anUpdate('aws_glue_job', [aDiff('max_retries', 1, 2)]);

    expect(classifyNoise(change, { book })).toMatchObject({ severity: 'warning', matched_custom_rule_id: 'grave' });
  });

  test('that calls for caution names the pattern and excuses nothing', () => {
    const book = withRules(aRule('careful', ['max_retries'], { severity: 'caution' }));
    const change = anUpdate('aws_glue_job', [aDiff('max_retries', 1, 2)]);

    expect(classifyNoise(change, { book })).toMatchObject({
      classification: 'novel',
      severity: 'caution',
      matched_custom_rule_id: 'careful',
    });
  });

  test('says nothing of a create, a delete or a replace', () => {
    for (const action of ['create', 'delete', 'replace'] as const) {
      const change = anUpdate('aws_glue_job', [aDiff('max_retries', 1, 2)], { action });
      expect(classifyNoise(change, { book: withRules(aRule('own', ['max_retries'])) }).classification).toBe('novel');
    }
  });
});

test('a built-in rule that the org has switched off does not match', () => {
  const judged = (book: RuleBook) =>
    classifyNoise(anUpdate('aws_sqs_queue', [aDiff('sqs_managed_sse_enabled', true, false)]), { book });
  const { matched_rule_id } = judged(NO_RULES);

  expect(matched_rule_id).toMatch(/^N-AWS-/);
  const off = judged({ ...NO_RULES, disabled_noise: new Set([matched_rule_id ?? '']) });
  expect(off).toMatchObject({ matched_rule_id: null, severity: null });
});

describe('what is told of the patterns seen', () => {
  test('each once, with its verdict, without what only follows from others', () => {
    const sightings: Sighting[] = [];
    const change = anUpdate('aws_glue_job', [
      aDiff('timeout', 80, '80'),
      aDiff('max_retries', 1, 2),
      aDiff('arn', 'arn:x', null, { after_unknown: true }),
    ]);

    const { fingerprints } = classifyNoise(change, { key: KEY, sightings });

    expect(sightings.map(({ attribute, classification }) => [attribute, classification])).toEqual([
      ['timeout', 'likely_benign'],
      ['max_retries', 'novel'],
    ]);
    expect(fingerprints).toEqual(sightings.map(({ fingerprint }) => fingerprint).sort());
  });

  test('where one pattern is noise in one place and none in another, it is none', () => {
    const sightings: Sighting[] = [];
    const book = withRules(aRule('own', ['rule.0.port'], { only: false }));
    const diffs = [aDiff(['rule', 0, 'port'], 1, 2, { path: 'rule.0.port' }), aDiff(['rule', 1, 'port'], 1, 2)];

    classifyNoise(anUpdate('aws_glue_job', diffs), { key: KEY, book, sightings });

    expect(sightings.map(({ attribute, classification }) => [attribute, classification])).toEqual([
      ['rule[*].port', 'novel'],
    ]);
  });
});
