import type { JsonValue } from '../../result.ts';
import type { Form } from './forms.ts';

/**
 * Which pairs of values a rule speaks of. It is decided by looking at them, so another value is another change; what the
 * plan marks as sensitive is never looked at.
 */
export type Signature =
  /** The same items in another order. */
  (
    | { is: 'reorder' }
    /** Two texts that mean the same once both are written in one way. */
    | { is: 'same'; form: Form }
    /** Both values are names of one thing; each group lists the names of one. */
    | { is: 'alias'; groups: JsonValue[][] }
    /**
     * Equal JSON documents, once members that hold nothing or one of the named defaults are left out;
     * `unordered` where every list in the document is a set.
     */
    | { is: 'json'; defaults?: Record<string, JsonValue>; unordered?: true }
    /** Access policies of one meaning. */
    | { is: 'policy' }
    /** One side is null, the other holds nothing but null, false, 0, empty values, or one of `values`. */
    | { is: 'hollow'; values?: JsonValue[] }
    /** A value that the service chose gives way to nothing; `text` is a pattern of the whole value, neither is any value. */
    | { is: 'unset'; values?: JsonValue[]; text?: string }
    /** One of the listed steps, in this direction only. */
    | { is: 'step'; pairs: [JsonValue, JsonValue][] }
    /** Known now, computed anew by any update. */
    | { is: 'recomputed' }
    /** A key that a service wrote into a map and the configuration lacks; the pattern is of the whole key. */
    | { is: 'foreign_key'; keys: string }
    /** A key of a map moved to or from the provider's defaults: the map that holds both has it unchanged. */
    | { is: 'merged'; into: string }
    /** A number above zero, between the bounds that stand beside it. */
    | { is: 'scaled'; min: string; max: string }
    /** A date and time, or the promise of one. */
    | { is: 'moment' }
    /** A text that gives way to one that a pattern of the whole value describes. */
    | { is: 'becomes'; from: string; to: string }
  ) & {
    /** Values that must stand beside the leaf, or else at the top of the resource, after the change. */
    where?: Record<string, JsonValue>;
  };

export type RuleCategory =
  | 'computed_drift'
  | 'provider_default'
  | 'ordering'
  | 'json_formatting'
  | 'timestamp'
  | 'autoscaling'
  | 'tag_merge'
  | 'case_normalization'
  | 'eventual_consistency'
  | 'deprecated_field';

/** One known pattern of plan noise, as its data file holds it. */
export interface NoiseRule {
  /** `N-AWS-001` */
  id: string;
  category: RuleCategory;
  severity: 'harmless' | 'warning' | 'caution';
  title: string;
  description: string;
  /** First release of the provider that no longer plans this; null where none is known. */
  fixed_in_version: string | null;
  /** Exact types, or `*` for every type of the provider. */
  resource_types: string[];
  /** Names with dots, list indexes left out; a last `*` is any key, a last `**` the place itself and all below it. */
  paths: string[];
  signature: Signature;
  /** How the configuration is written so that the difference goes away. */
  remedy: string;
}
