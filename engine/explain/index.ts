/**
 * The engine's third public face: what stands between an analysis and a language model, both ways. A model gets names and
 * harmless values, as data; of what it says, only what can be held against the analysis is kept.
 */
export {
  buildClassifyPrompt,
  type ClassifyVerdict,
  readClassifyAnswer,
  rebuildClassifyPrompt,
} from './classify.ts';
export { composeNarrative } from './compose.ts';
export { buildFixPrompt, rebuildFixPrompt } from './fix-prompt.ts';
export { applyFixReading, readFixAnswer } from './fix-read.ts';
export { buildPrompt, type PromptOptions } from './prompt.ts';
export { applyProposals, type PolicyAdjuster } from './raise.ts';
export { readAnswer } from './read.ts';
export type * from './types.ts';
export { undoProposals } from './undo-proposals.ts';
