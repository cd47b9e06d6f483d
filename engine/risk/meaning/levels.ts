import type { RiskLevel } from '../../model/result.ts';
import type { Traits } from '../traits.ts';
import type { KnownEffect, Move } from './types.ts';

/** The level of a change that weakens, completely or in part, and of one without a known direction. */
interface EffectLevels {
  all: RiskLevel;
  part: RiskLevel;
  neutral: RiskLevel;
}

const LEVELS: Record<KnownEffect, EffectLevels> = {
  metadata: { all: 'low', part: 'low', neutral: 'none' },
  description: { all: 'low', part: 'low', neutral: 'none' },
  capacity: { all: 'medium', part: 'medium', neutral: 'low' },
  tuning: { all: 'low', part: 'low', neutral: 'low' },
  schedule: { all: 'medium', part: 'low', neutral: 'low' },
  version: { all: 'medium', part: 'medium', neutral: 'low' },
  guard: { all: 'high', part: 'medium', neutral: 'medium' },
  exposure: { all: 'high', part: 'medium', neutral: 'medium' },
  identity: { all: 'high', part: 'medium', neutral: 'medium' },
  encryption: { all: 'high', part: 'medium', neutral: 'medium' },
  secret: { all: 'medium', part: 'low', neutral: 'low' },
  data_path: { all: 'medium', part: 'medium', neutral: 'medium' },
  routing: { all: 'medium', part: 'medium', neutral: 'medium' },
  retention: { all: 'high', part: 'medium', neutral: 'low' },
  observability: { all: 'medium', part: 'medium', neutral: 'low' },
  disruptive: { all: 'medium', part: 'low', neutral: 'low' },
  destructive: { all: 'high', part: 'medium', neutral: 'low' },
};

/** Turning these off on a security service hides an attack. */
const DETECTS: ReadonlySet<string> = new Set(['security', 'iam', 'encryption']);

/** Computes the level of one changed argument from what it does, which way it moves, and what its type holds. */
export function findEffectLevel(effect: KnownEffect, { direction, degree }: Move, traits: Traits): RiskLevel {
  if (direction === 'strengthening') return effect === 'metadata' || effect === 'description' ? 'none' : 'low';
  const levels = LEVELS[effect];
  if (direction === 'neutral') return levels.neutral;
  if (effect === 'observability' && degree === 'all' && traits.categories.some((category) => DETECTS.has(category)))
    return 'high';
  return levels[degree];
}
