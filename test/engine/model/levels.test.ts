import { describe, expect, test } from '@jest/globals';
import { compareLevels, isAtLeast, maxLevel, minLevel, stepDown, stepUp } from '../../../engine/model/levels.ts';
import { RISK_LEVELS } from '../../../engine/model/result.ts';

describe('a risk level', () => {
  test('is ordered from none to critical', () => {
    const shuffled = ['high', 'none', 'critical', 'medium', 'low'] as const;

    expect([...shuffled].sort(compareLevels)).toEqual(RISK_LEVELS);
  });

  test('is none as the maximum of an empty list', () => {
    expect(maxLevel()).toBe('none');
    expect(maxLevel('low', 'high', 'medium')).toBe('high');
  });

  test('is the same minimum in either order of two levels', () => {
    expect(minLevel('low', 'high')).toBe('low');
    expect(minLevel('high', 'low')).toBe('low');
  });

  test('is at least itself but not at least a higher level', () => {
    expect(isAtLeast('high', 'high')).toBe(true);
    expect(isAtLeast('medium', 'high')).toBe(false);
  });

  test('stays the same when it is stepped beyond either end', () => {
    expect(RISK_LEVELS.map(stepDown)).toEqual(['none', 'none', 'low', 'medium', 'high']);
    expect(RISK_LEVELS.map(stepUp)).toEqual(['low', 'medium', 'high', 'critical', 'critical']);
  });
});
