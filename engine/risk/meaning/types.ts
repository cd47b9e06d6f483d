import type { EffectName } from '../../effects/index.ts';

export type KnownEffect = Exclude<EffectName, 'unknown'>;

/** How a value moves between the dangerous and the safe end of its argument. */
export interface Move {
  direction: 'weakening' | 'strengthening' | 'neutral';
  /** `all`: turned off completely, or opened to everyone. */
  degree: 'all' | 'part';
}
