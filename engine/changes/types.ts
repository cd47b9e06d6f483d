/**
 * One normalized resource change. Every rule reads this object. Its values are raw and must not leave the engine.
 */

import type { Action, AttributeDiff, JsonObject, LiveDrift, LiveFacts } from '../model/result.ts';
import type { Mask } from '../plan/types.ts';

/** What scans know about the resource of a change, with the values that differ. */
export interface KnownLive extends LiveFacts {
  drift: (LiveDrift & { attributes: AttributeDiff[] }) | null;
}

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
  /** IDs that the object has before the change, most specific first. */
  object_ids: string[];
  /** null when the side does not exist (create, delete) or is not an object. */
  before: JsonObject | null;
  after: JsonObject | null;
  unknown: Mask;
  before_sensitive: Mask;
  after_sensitive: Mask;
  /**
   * Every changed leaf with its raw values, in document order of `after`, then those only in `before`. `direction` is
   * 'neutral' and `noise` is 'novel' until the rules set them.
   */
  diffs: AttributeDiff[];
  /** Absent if scans know nothing about the resource. */
  live?: KnownLive;
}
