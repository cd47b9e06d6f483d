/**
 * The engine's third public face: what stands between an analysis and a language model, both ways. A model gets names and
 * harmless values, as data; of what it says, only what can be held against the analysis is kept.
 */
export { buildClassifyPrompt, type ClassifyVerdict, readClassifyAnswer, type UnknownPattern } from './classify.ts';
export { narrativeWith } from './compose.ts';
export { buildPrompt, type PromptOptions } from './prompt.ts';
export { CLASSIFY_VERSION, getPrompt, NARRATIVE_VERSION } from './prompts/index.ts';
export { applyProposals, type LastWord } from './raise.ts';
export { readAnswer } from './read.ts';
export type * from './types.ts';
export { beforeProposals } from './withdraw.ts';
