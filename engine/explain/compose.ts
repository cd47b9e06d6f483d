import type { PlanAnalysis } from '../model/result.ts';
import { explainedNarrative } from '../narrative/narrative.ts';
import type { Reading } from './types.ts';

/**
 * Builds the final narrative: all facts from rules, and the accepted parts of the model's explanation.
 *
 * @param analysis result of `applyProposals`, with the deterministic narrative
 * @returns Markdown, at most 6,000 characters
 */
export function composeNarrative(analysis: PlanAnalysis, { narrative, notes }: Reading): string {
  return explainedNarrative(analysis, { narrative, notes });
}
