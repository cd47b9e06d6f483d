/**
 * Public API for language models: builds prompts from an analysis and verifies answers. A model receives names and
 * harmless values as data; only statements that can be verified against the analysis are kept.
 */
export { addConcerns } from './apply-concerns.ts';
export {
  buildClassifyPrompt,
  type ClassifyVerdict,
  readClassifyAnswer,
  rebuildClassifyPrompt,
} from './classify.ts';
export { addExplanation } from './compose.ts';
export { buildDriftPrompt, type DriftExplanation, type ExplainedDrift, readDriftAnswer } from './drift.ts';
export { buildFixPrompt, rebuildFixPrompt } from './fix-prompt.ts';
export { applyFixReading, readFixAnswer } from './fix-read.ts';
export { buildPrompt, type PromptOptions, readSendValues } from './prompt.ts';
export { applyProposals, type PolicyAdjuster } from './raise.ts';
export { readAnswer } from './read.ts';
export type * from './types.ts';
export { undoProposals } from './undo-proposals.ts';
