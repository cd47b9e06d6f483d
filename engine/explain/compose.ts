import type { PlanAnalysis } from '../model/result.ts';
import { writeNarrative } from '../narrative/narrative.ts';
import type { Reading } from './types.ts';

/**
 * Adds the accepted parts of a model's explanation to an analysis and writes its final narrative.
 *
 * @param analysis result of `applyProposals`
 */
export function addExplanation(analysis: PlanAnalysis, reading: Reading): PlanAnalysis {
  const { what_will_happen, why_it_matters, what_to_check, notes } = reading;
  const explanation = { what_will_happen, why_it_matters, what_to_check, notes };
  const explained = { ...analysis, narrative_status: 'ready' as const, explanation };
  return { ...explained, narrative: writeNarrative(explained) };
}
