import { explainedNarrative } from '../narrative.ts';
import type { PlanAnalysis } from '../result.ts';
import type { Reading } from './types.ts';

/**
 * The final text: every line that rules wrote, with what is left of the model's explanation between them.
 *
 * @param analysis after `applyProposals`, its narrative still the one that rules wrote
 * @returns Markdown, at most 6,000 characters
 */
export function composeNarrative(analysis: PlanAnalysis, { narrative, notes }: Reading): string {
  return explainedNarrative(analysis, { narrative, notes });
}
