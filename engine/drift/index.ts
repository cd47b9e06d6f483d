/**
 * Public API for drift: compares states with what a cloud account has. Separate from the engine's main API, because an
 * analysis of a plan never loads it. No I/O, no clock.
 */

export { listMappedTypes } from './arguments/mapping.ts';
export { findConsoleUrl } from './console-url.ts';
export { createDrift, type DriftComputation, type DriftEnd, type DriftOptions } from './drift.ts';
export { listStateNames } from './identifiers.ts';
export {
  decideIgnore,
  findIgnoreRule,
  type IgnorableItem,
  type IgnoreDecision,
  type IgnoreRule,
} from './ignore.ts';
export { describeCounts, describeCoverage, listWorst, nameItem } from './narrative.ts';
export { renderDriftText } from './text.ts';
export { findJoinRule, type JoinRule, listJoinTypes, listManagers } from './type-rules.ts';
export type * from './types.ts';
