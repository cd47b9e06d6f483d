import { describe, expect, test } from '@jest/globals';
import { compareValues, type Effect, findEffect, inferEffect } from '../../../engine/effects/index.ts';

function makeEffect(partial: Partial<Effect>): Effect {
  return { effect: 'guard', safe_end: null, sentinel: null, inferred: false, ...partial };
}

describe('compareValues', () => {
  test.each([
    ['true', true, false, 'weaker'],
    ['true', 'false', 'true', 'safer'],
    ['true', null, false, 'weaker'],
    ['false', false, true, 'weaker'],
    ['false', null, false, 'safer'],
    ['more', 30, 7, 'weaker'],
    ['more', '7', '30', 'safer'],
    ['more', '30d', '24h', 'weaker'],
    ['more', 'P7D', 'P1M', 'safer'],
    ['more', '86400s', 'PT24H', undefined],
    ['more', 'sometimes', '7', undefined],
    ['less', 3600, 7200, 'weaker'],
    ['set', 'arn:aws:kms:1', null, 'weaker'],
    ['set', null, ['a'], 'safer'],
    ['set', '', [], undefined],
    ['unset', 'x', null, 'safer'],
    ['restrict', ['10.0.0.0/8'], ['10.0.0.0/8', '0.0.0.0/0'], 'weaker'],
    ['restrict', ['a', 'b'], ['a'], 'safer'],
    ['restrict', ['a'], ['b', 'c'], undefined],
    ['extend', ['oncall', 'team'], ['team'], 'weaker'],
    ['extend', [], ['team'], 'safer'],
    [null, 1, 2, undefined],
  ] as const)('safe end %s: %j to %j is %s', (safe_end, before, after, direction) => {
    expect(compareValues(makeEffect({ safe_end }), before, after)).toBe(direction);
  });

  test('orders the values of an enumeration', () => {
    const effect = makeEffect({ safe_end: ['TLS_1_0', 'TLS_1_1', 'TLS_1_2'], effect: 'encryption' });

    expect(compareValues(effect, 'TLS_1_2', 'TLS_1_0')).toBe('weaker');
    expect(compareValues(effect, 'tls_1_0', 'tls_1_1')).toBe('safer');
  });

  test('counts a sentinel as the end that it stands for', () => {
    const retention = findEffect('aws_cloudwatch_log_group', 'retention_in_days')!;

    expect(compareValues(retention, 0, 30)).toBe('weaker');
    expect(compareValues(retention, 30, 0)).toBe('safer');
  });

  test('ranks values that no list has by the vocabulary', () => {
    expect(compareValues(makeEffect({ effect: 'guard' }), 'ENFORCED', 'DISABLED')).toBe('weaker');
    expect(compareValues(makeEffect({ effect: 'exposure' }), 'private', 'public-read')).toBe('weaker');
    expect(compareValues(makeEffect({ effect: 'encryption' }), 'TLSv1.2_2021', 'TLSv1.1_2016')).toBe('weaker');
    expect(compareValues(makeEffect({ effect: 'metadata' }), 'private', 'public')).toBeUndefined();
  });

  test('judges an argument of an unknown provider by its inferred effect', () => {
    const effect = inferEffect('acme_store', 'deletion_protection', true);

    expect(compareValues(effect, true, false)).toBe('weaker');
  });
});
