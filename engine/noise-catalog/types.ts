import type { ResourceChange } from '../changes/types.ts';
import type { AttributeDiff, JsonValue } from '../model/result.ts';
import type { Form } from './forms.ts';
import type { RefreshedForm } from './refreshed.ts';

/**
 * Which pairs of values a rule matches. Decided from the values, so other values are not matched; sensitive values are
 * never read.
 */
export type Signature =
  /** The same items in a different order. */
  (
    | { is: 'reorder' }
    /** Two texts with the same canonical form. */
    | { is: 'same'; form: Form }
    /** Both values are in one group of aliases. */
    | { is: 'alias'; groups: JsonValue[][] }
    /**
     * Equal JSON documents after removing empty members and the given defaults; `unordered` if every list is a set.
     */
    | { is: 'json'; defaults?: Record<string, JsonValue>; unordered?: true }
    /** Equivalent access policies. */
    | { is: 'policy' }
    /** One side is null, the other contains only null, false, 0, empty values, or one of `values`. */
    | { is: 'hollow'; values?: JsonValue[] }
    /** A value chosen by the service is unset; `text` is a pattern for the whole value; without both, any value. */
    | { is: 'unset'; values?: JsonValue[]; text?: string }
    /** One of the listed steps, in this direction only. */
    | { is: 'step'; pairs: [JsonValue, JsonValue][] }
    /** A known value that every update recomputes. */
    | { is: 'recomputed' }
    /**
     * A key that a service added to a map and the configuration lacks; the pattern matches the whole key. `own`: only the
     * service reads it.
     */
    | { is: 'foreign_key'; keys: string; own?: true }
    /** A key moved to or from the provider's defaults: the merged map is unchanged. */
    | { is: 'merged'; into: string }
    /** A number above zero, within the limits given by sibling attributes. */
    | { is: 'scaled'; min: string; max: string }
    /** A timestamp that becomes a later one, or is unknown until apply, and that nothing in the plan reads. */
    | { is: 'moment' }
    /** A record of the run that wrote it, in a tag, label or annotation that nothing in the plan reads. */
    | { is: 'stamp' }
    /** A computed attribute that has another value because the provider read the object again. */
    | { is: 'refreshed'; as: RefreshedForm }
    /** A computed attribute of a type whose arguments are known: the configuration cannot set it. `as` narrows its values. */
    | { is: 'recorded'; as?: RefreshedForm }
    /** A measured value that is unknown because the provider reads the object again. */
    | { is: 'reread' }
    /** A text that changes to another one; both match patterns for the whole value. */
    | { is: 'becomes'; from: string; to: string }
  ) & {
    /** Required values of sibling or top-level attributes after the change. */
    where?: Record<string, JsonValue>;
  };

/** What a rule may ask about the type and about the rest of the plan. */
export interface RuleContext {
  /** Whether something in the plan may read this leaf of the metadata of a resource. */
  isRead(change: ResourceChange, diff: AttributeDiff): boolean;
  /** Whether the configuration can set the attribute of a leaf, and what it sets has an effect. */
  isArgument(change: ResourceChange, diff: AttributeDiff): boolean;
  /** Whether all arguments of the type are known, and the attribute of a leaf is none of them. */
  isComputed(change: ResourceChange, diff: AttributeDiff): boolean;
}

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

/** One known noise pattern, as stored in the data file. */
export interface NoiseRule {
  /** `N-AWS-001`, or `N-ANY-001` for a rule about every provider */
  id: string;
  category: RuleCategory;
  severity: 'harmless' | 'warning' | 'caution';
  title: string;
  description: string;
  /** First provider release with a fix; null if unknown. */
  fixed_in_version: string | null;
  /** Exact types, or `*` for every type of the provider. */
  resource_types: string[];
  /** Dotted names without list indexes; a final `*` matches any key, a final `**` the path and everything below it. */
  paths: string[];
  signature: Signature;
  /** How to change the configuration so that the difference disappears. */
  remedy: string;
}
