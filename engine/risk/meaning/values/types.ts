import type { MaybeJson } from '../../../changes/values.ts';
import type { Effect } from '../../../effects/index.ts';
import type { RiskLevel } from '../../../model/result.ts';
import type { Traits } from '../../traits.ts';

/** One changed argument, with the words of its surroundings: lower case, without plural s. */
export interface Argument {
  /** Names on its path without indexes; of a pair of name and value, the last is the name. */
  names: readonly string[];
  /** Words of its own name; of a pair of name and value, the words of the name. */
  words: ReadonlySet<string>;
  /** Words of the names of the blocks around it. */
  outer: ReadonlySet<string>;
  /** Words of the resource type, without the provider. */
  type: ReadonlySet<string>;
  before: MaybeJson;
  after: MaybeJson;
  effect: Effect;
  /** It is in a map whose keys nobody has documented. */
  is_free: boolean;
  traits: Traits;
  /** The object that contains the argument, after the change. */
  parent: MaybeJson;
  /** The object that contains the argument, before the change. */
  former: MaybeJson;
  /** The objects around the argument after the change, the innermost first; the last is the resource. */
  holders: readonly MaybeJson[];
  /** What the object is for, as its type and names say. */
  purpose: Purpose;
}

export type Purpose = 'backup' | 'security' | 'alarm' | 'business' | 'other';

/** What a changed value means, beyond the effect of its argument. */
export interface ValueFinding {
  rule: `R-VAL-${string}`;
  /** Below medium, the finding is not reported, but the argument is known to be harmless. */
  level: RiskLevel;
  direction: 'weakening' | 'strengthening' | 'neutral';
  /** One plain sentence without a period and without values. */
  consequence: string;
  /** The finding goes beyond what rules for the same argument can see. */
  beyond_rules?: boolean;
}

export type ValueReader = (argument: Argument) => ValueFinding | null;
