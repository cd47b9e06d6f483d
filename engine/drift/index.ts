/**
 * Public API for drift: compares states with what a cloud account has. Separate from the engine's main API, because an
 * analysis of a plan never loads it. No I/O, no clock.
 */
export { createDrift, type DriftComputation, type DriftEnd, type DriftOptions } from './drift.ts';
export { type ExposedAccount, type Exposure, findExposures } from './exposure.ts';
export { type DriftFilter, filterDrift } from './filter.ts';
export { type GeneratedIac, generateIac } from './iac/generate-iac.ts';
export { describesType, listObjectNames, listStateNames } from './identifiers.ts';
export {
  decideIgnore,
  findIgnoreRule,
  type IgnorableItem,
  type IgnoreDecision,
  type IgnoreRule,
} from './ignore.ts';
export { renderDriftMarkdown } from './markdown.ts';
export { CLOUD_NAMES } from './narrative.ts';
export { findStateOwner } from './places.ts';
export {
  countOwners,
  type ListedAccount,
  type SplitInventory,
  type StateOwner,
  splitInventory,
} from './split-inventory.ts';
export { renderDriftText } from './text.ts';
export { findJoinRule, type JoinRule, listJoinTypes } from './type-rules.ts';
export type * from './types.ts';
