import { describe, expect, test } from '@jest/globals';
import { type BookNoiseRule, NO_RULES, type RuleBook } from '../../../engine/model/rule-book.ts';
import { classifyNoise } from '../../../engine/noise/classify.ts';
import type { Sighting } from '../../../engine/noise/patterns.ts';
import { aDiff, anUpdate } from './builders.ts';

const KEY = Buffer.alloc(32, 7);

function aRule(id: string, paths: string[], more: Partial<BookNoiseRule> = {}): BookNoiseRule {
  return { id, severity: 'harmless', only: true, covers: ({ path }) => paths.includes(path), ...more };
}

const withRules = (...rules: BookNoiseRule[]): RuleBook => ({ ...NO_RULES, noiseRules: () => rules });

/** A rule book that suppresses these fingerprints at one address. */
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

  test('does not apply to another value, address or attribute', () => {
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

  test('finds a pattern after the two hundredth', () => {
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

describe('a noise rule of the organization', () => {
  test('takes precedence over built-in rules and shapes', () => {
    const change = anUpdate('aws_glue_job', [aDiff('timeout', 80, '80')]);

    expect(classifyNoise(change, { book: withRules(aRule('own', ['timeout'])) })).toMatchObject({
      classification: 'known_benign',
      severity: 'harmless',
      matched_rule_id: null,
      matched_custom_rule_id: 'own',
    });
  });

  test('with mode only applies if it covers every changed attribute', () => {
    const change = () => anUpdate('aws_glue_job', [aDiff('max_retries', 1, 2), aDiff('glue_version', '3.0', '4.0')]);
    const one = change();
    const any = change();

    expect(classifyNoise(one, { book: withRules(aRule('own', ['max_retries'])) }).classification).toBe('novel');
    expect(one.diffs.map(({ noise }) => noise)).toEqual(['novel', 'novel']);

    classifyNoise(any, { book: withRules(aRule('own', ['max_retries'], { only: false })) });
    expect(any.diffs.map(({ noise }) => noise)).toEqual(['known_benign', 'novel']);
  });

  test('is not prevented by computed attributes', () => {
    const follows = aDiff('tags_all', {}, null, { after_unknown: true });
    const change = anUpdate('aws_glue_job', [aDiff('max_retries', 1, 2), follows]);

    expect(classifyNoise(change, { book: withRules(aRule('own', ['max_retries'])) }).classification).not.toBe('novel');
  });

  test('with the highest severity wins among several', () => {
    const book = withRules(aRule('mild', ['max_retries']), aRule('grave', ['max_retries'], { severity: 'warning' }));
    const change = anUpdate('aws_glue_job', [aDiff('max_retries', 1, 2)]);

    expect(classifyNoise(change, { book })).toMatchObject({ severity: 'warning', matched_custom_rule_id: 'grave' });
  });

  test('with severity caution names the pattern and keeps the change novel', () => {
    const book = withRules(aRule('careful', ['max_retries'], { severity: 'caution' }));
    const change = anUpdate('aws_glue_job', [aDiff('max_retries', 1, 2)]);

    expect(classifyNoise(change, { book })).toMatchObject({
      classification: 'novel',
      severity: 'caution',
      matched_custom_rule_id: 'careful',
    });
  });

  test('does not apply to a create, a delete or a replace', () => {
    for (const action of ['create', 'delete', 'replace'] as const) {
      const change = anUpdate('aws_glue_job', [aDiff('max_retries', 1, 2)], { action });
      expect(classifyNoise(change, { book: withRules(aRule('own', ['max_retries'])) }).classification).toBe('novel');
    }
  });
});

test('a disabled built-in rule does not match', () => {
  const judged = (book: RuleBook) =>
    classifyNoise(anUpdate('aws_sqs_queue', [aDiff('sqs_managed_sse_enabled', true, false)]), { book });
  const { matched_rule_id } = judged(NO_RULES);

  expect(matched_rule_id).toMatch(/^N-AWS-/);
  const off = judged({ ...NO_RULES, disabled_noise: new Set([matched_rule_id ?? '']) });
  expect(off).toMatchObject({ matched_rule_id: null, severity: null });
});

describe('the patterns of an analysis', () => {
  test('are listed once with their classification, without computed attributes', () => {
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

  test('are novel if they are noise in one place and novel in another', () => {
    const sightings: Sighting[] = [];
    const book = withRules(aRule('own', ['rule.0.port'], { only: false }));
    const diffs = [aDiff(['rule', 0, 'port'], 1, 2, { path: 'rule.0.port' }), aDiff(['rule', 1, 'port'], 1, 2)];

    classifyNoise(anUpdate('aws_glue_job', diffs), { key: KEY, book, sightings });

    expect(sightings.map(({ attribute, classification }) => [attribute, classification])).toEqual([
      ['rule[*].port', 'novel'],
    ]);
  });
});
