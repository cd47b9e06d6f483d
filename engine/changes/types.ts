/**
 * One resource change, normalised once; every rule reads this same object (values still raw, never to leave the engine).
 */
import type { Mask } from '../plan/types.ts';
import type { Action, AttributeDiff, JsonObject } from '../result.ts';

export interface ResourceChange {
  address: string;
  previous_address: string | null;
  module_address: string | null;
  mode: 'managed' | 'data';
  type: string;
  name: string;
  index: string | number | null;
  deposed: string | null;
  provider: string;
  provider_name: string;
  actions: string[];
  action: Action;
  action_label: string;
  action_reason: string | null;
  replace_paths: (string | number)[][];
  importing: { id: string } | null;
  /** null when the side does not exist (create, delete) or is not an object. */
  before: JsonObject | null;
  after: JsonObject | null;
  unknown: Mask;
  before_sensitive: Mask;
  after_sensitive: Mask;
  /**
   * Every changed leaf with its RAW values, in document order of `after`, then of what `before` alone holds.
   * `direction` is 'neutral' and `noise` is 'novel' until the rules have set them.
   */
  diffs: AttributeDiff[];
}
