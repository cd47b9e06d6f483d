import { describe, expect, test } from '@jest/globals';
import { RISK_LEVELS } from '../../../engine/result.ts';
import { compareLevels, isAtLeast, maxLevel, minLevel, stepDown, stepUp } from '../../../engine/risk/levels.ts';

describe('risk levels', () => {
  test('levels rise from none to critical', () => {
    const shuffled = ['high', 'none', 'critical', 'medium', 'low'] as const;

    expect([...shuffled].sort(compareLevels)).toEqual(RISK_LEVELS);
  });

  test('the highest of no levels is none', () => {
    expect(maxLevel()).toBe('none');
    expect(maxLevel('low', 'high', 'medium')).toBe('high');
  });

  test('the lower of two levels does not depend on their order', () => {
    expect(minLevel('low', 'high')).toBe('low');
    expect(minLevel('high', 'low')).toBe('low');
  });

  test('a level reaches its own floor', () => {
    expect(isAtLeast('high', 'high')).toBe(true);
    expect(isAtLeast('medium', 'high')).toBe(false);
  });

  test('steps stop at both ends', () => {
    expect(RISK_LEVELS.map(stepDown)).toEqual(['none', 'none', 'low', 'medium', 'high']);
    expect(RISK_LEVELS.map(stepUp)).toEqual(['low', 'medium', 'high', 'critical', 'critical']);
  });
});
