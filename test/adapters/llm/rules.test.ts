import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toLlmAnswer } from '../../../server/adapters/llm/answer.ts';
import { readWait } from '../../../server/adapters/llm/faults.ts';
import { inferenceProfile } from '../../../server/adapters/llm/inference-profile.ts';
import { isThinkingClaude } from '../../../server/adapters/llm/provider.ts';
import { portableSchema } from '../../../server/adapters/llm/schema.ts';

describe('inference profiles', () => {
  test.each([
    ['anthropic.claude-sonnet-5-5', 'eu-central-1', 'eu.anthropic.claude-sonnet-5-5'],
    ['anthropic.claude-sonnet-5-5', 'us-east-1', 'us.anthropic.claude-sonnet-5-5'],
    ['anthropic.claude-sonnet-5-5', 'us-gov-west-1', 'us-gov.anthropic.claude-sonnet-5-5'],
    ['anthropic.claude-sonnet-5-5', 'ap-northeast-1', 'jp.anthropic.claude-sonnet-5-5'],
    ['anthropic.claude-sonnet-5-5', 'ap-southeast-2', 'au.anthropic.claude-sonnet-5-5'],
    ['anthropic.claude-sonnet-5-5', 'ap-south-1', 'global.anthropic.claude-sonnet-5-5'],
    ['anthropic.claude-sonnet-5-5', 'sa-east-1', 'global.anthropic.claude-sonnet-5-5'],
    ['anthropic.claude-haiku-4-5-20251001-v1:0', 'eu-west-1', 'eu.anthropic.claude-haiku-4-5-20251001-v1:0'],
    ['amazon.nova-pro-v1:0', 'ap-south-1', 'apac.amazon.nova-pro-v1:0'],
  ])('the inference profile of %s in %s is %s', (model, region, profile) => {
    expect(inferenceProfile(model, region)).toBe(profile);
  });

  test.each([
    'eu.anthropic.claude-sonnet-5-5',
    'global.anthropic.claude-sonnet-5-5',
    'us-gov.anthropic.claude-sonnet-5-5',
    'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc',
  ])('%s is used unchanged', (model) => {
    expect(inferenceProfile(model, 'us-east-1')).toBe(model);
  });
});

describe('the wait before a retry', () => {
  const now = new Date('2026-11-21T10:00:00Z');

  test.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '120' }, 120],
    [{ 'retry-after': '1.5' }, 1.5],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }, 30],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after-ms': '250' }, 0.25],
    [{ 'retry-after-ms': 'x', 'retry-after': '3' }, 3],
    [{ 'retry-after': '1e9' }, undefined],
  ])('the wait for %p is %p', (headers, seconds) => {
    expect(readWait(new Headers(headers), now)).toBe(seconds);
  });

  test('the wait is never out of bounds, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.-+eE :GMTSatNov') }), (text) => {
        const seconds = readWait(new Headers({ 'retry-after': text, 'retry-after-ms': text }), now);
        expect(seconds ?? 0).toBeGreaterThanOrEqual(0);
        expect(seconds ?? 0).toBeLessThanOrEqual(86_400);
      }),
    );
  });
});

describe('portable schemas', () => {
  test('a portable schema omits unsupported keywords, but keeps properties with the same names', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      title: 'x',
      required: ['pattern', 'const'],
      additionalProperties: false,
      properties: {
        pattern: { type: 'string', pattern: '^a', minLength: 1, description: 'the pattern' },
        const: { anyOf: [{ const: 'high' }, { type: 'null' }] },
        level: { type: ['string', 'null'], enum: ['a', null], default: 'a' },
        list: { type: 'array', minItems: 2, items: { $ref: '#/$defs/format' } },
      },
      $defs: { format: { type: 'integer', minimum: 0, maximum: 9 } },
    };

    expect(portableSchema(schema)).toEqual({
      type: 'object',
      required: ['pattern', 'const'],
      additionalProperties: false,
      properties: {
        pattern: { type: 'string', description: 'the pattern' },
        const: { anyOf: [{ enum: ['high'] }, { type: 'null' }] },
        level: { type: ['string', 'null'], enum: ['a', null] },
        list: { type: 'array', items: { $ref: '#/$defs/format' } },
      },
      $defs: { format: { type: 'integer' } },
    });
  });
});

describe('parsing a response', () => {
  const good = { text: '{}', model: 'm', input_tokens: 1, output_tokens: 2 };

  test.each([-1, 1.5, '3', null, Number.NaN, undefined])(
    'a response with %p tokens has an unknown token count',
    (tokens) => {
      expect(toLlmAnswer({ ...good, input_tokens: tokens }, 'asked')).toEqual({ ...good, input_tokens: null });
    },
  );

  test.each([undefined, '', 'a b', 'x'.repeat(201), 7])(
    'a response from %p counts as from the requested model',
    (model) => {
      expect(toLlmAnswer({ ...good, model }, 'asked').model).toBe('asked');
    },
  );

  test('a response is at most 256 KiB', () => {
    expect(toLlmAnswer({ ...good, text: 'é'.repeat(131_072) }, 'asked').text).toHaveLength(131_072);
    expect(() => toLlmAnswer({ ...good, text: `${'é'.repeat(131_072)}x` }, 'asked')).toThrow(/larger than 256 KiB/);
  });
});

test.each([
  ['claude-sonnet-5-5', true],
  ['claude-opus-5', true],
  ['eu.anthropic.claude-haiku-5-5', true],
  ['claude-opus-10', true],
  ['claude-opus-4-8', false],
  ['claude-sonnet-4-20250514', false],
  ['claude-3-5-haiku-20241022', false],
])('%s reasons without being asked: %p', (model, thinks) => {
  expect(isThinkingClaude(model)).toBe(thinks);
});
