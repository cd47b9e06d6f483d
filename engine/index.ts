/** Public API of the engine: takes a plan, returns an analyzed and redacted result. No I/O, no clock. */

export type { LinkCandidate } from './analysis/link-candidates.ts';
export type { UnknownPattern } from './analysis/unknown-patterns.ts';
export { type AnalyzeOptions, analyzePlan, createAnalysis, type PlanAnalyzer } from './analyze.ts';
export { type PackAttestation, parseAttestation } from './audit/attestation.ts';
export { type Checkpoint, checkpointOrigin, openCheckpoint, signCheckpoint } from './audit/checkpoint.ts';
export {
  type ConsistencyProblem,
  checkConsistency,
  createConsistencyProver,
  isConsistencyProof,
  parseConsistencyProof,
} from './audit/consistency.ts';
export { AuditDetailError, auditDetailText } from './audit/detail.ts';
export { AuditDumpError, type ChainAnchor, parseAnchors, parseAuditRow } from './audit/dump.ts';
export { createMerkleTree, type MerkleState, type MerkleTree } from './audit/merkle.ts';
export { formatVerifierKey, parseVerifierKey, toRawPublicKey, type VerifierKey } from './audit/note.ts';
export {
  type AttestedLog,
  checkProof,
  createEntryProver,
  type EntryProof,
  type ProofProblem,
  parseProof,
  toLeaf,
} from './audit/proof.ts';
export { type AuditChainRow, canonicalAuditText, hashAuditRow, type StoredAuditRow } from './audit/row.ts';
export {
  type ChainFinding,
  type ChainReport,
  type ChainsVerification,
  createChainsVerification,
} from './audit/verification.ts';
export {
  type ChainBreak,
  type ChainPosition,
  type ChainWalk,
  type ChainWalkResult,
  createChainWalk,
} from './audit/walk.ts';
export { builtinCatalog, type Catalog, type CatalogProvider } from './catalog.ts';
export type { KnownLive } from './changes/types.ts';
export type { DocumentParsers } from './documents/types.ts';
export { fixOptions } from './fix/options.ts';
export { fixSubject } from './fix/pattern.ts';
export type { FixOption, FixProposal } from './fix/types.ts';
export { dropLeading, dropTrailing } from './lib/trim.ts';
export { findCheckLevel } from './model/check-level.ts';
export { plural } from './model/counts.ts';
export { compareLevels } from './model/levels.ts';
export * from './model/result.ts';
export type { RuleBook } from './model/rule-book.ts';
export { writeNarrative } from './narrative/narrative.ts';
export { type Acceptance, predictAcceptance } from './noise/acceptance.ts';
export { isGuardedPath } from './noise/guarded-paths.ts';
export type { NoiseOccurrence } from './noise/occurrence.ts';
export { compactPlan } from './plan/compact.ts';
export { PlanError, type PlanErrorClass } from './plan/errors.ts';
export { planHash } from './plan/hash.ts';
export { looksLikePlan } from './plan/looks-like-plan.ts';
export type { PlanLimits } from './plan/types.ts';
export { scrubText } from './redact/scrub-text.ts';
export { type Cause, collectCauses } from './render/causes.ts';
export {
  cell as inertCell,
  evidenceLine,
  formatConcern,
  name as inertName,
  names as inertNames,
  sentence as inertSentence,
} from './render/cells.ts';
export { CONCERNS_NOTE, CONCERNS_TITLE, describeConcerns, type ShownConcern } from './render/concerns.ts';
export { describeReversalCause, formatMoreReversals } from './render/drift.ts';
export { type Evidence, findEvidence } from './render/evidence.ts';
export { codeHtml, codeSpan, escapeInvisible, prose as inertProse } from './render/inert.ts';
export { LEVEL_MARKS } from './render/levels.ts';
export { pathRank } from './render/path-rank.ts';
export { formatVerdict, renderText, type TextOptions } from './render/text.ts';
export { WITHHELD } from './render/unevaluated.ts';
export type { ShownValue } from './render/values.ts';
export { countTypes, createView, type Row, type ShownReason, type View } from './render/view.ts';
export { escapeQuickActions } from './review/escape-quick-actions.ts';
export { readMark } from './review/mark.ts';
export { type MarkdownOptions, renderMarkdown, renderReview } from './review/render.ts';
export { toSnapshot } from './review/snapshot.ts';
export * from './review/types.ts';
export { describeLevel, isByBuiltinRules } from './review/verdict.ts';
export { isAttributeRule } from './risk/attributes/rule-ids.ts';
export {
  findOwnerKind,
  OWNER_KINDS,
  type OwnerKind,
  type ParsedOwner,
  parseOwner,
} from './risk/destinations/known-owner.ts';
export { ENGINE_VERSION } from './version.ts';
