import type { Concern, ConcernCategory, PlanAnalysis, RiskLevel } from '../model/result.ts';
import type { Difference } from './evidence.ts';
import { showPair } from './values.ts';

export const CONCERNS_TITLE = 'Concerns of the language model';
/** Shown under the title: nobody may mistake a concern for a rule. */
export const CONCERNS_NOTE = 'These come from a language model, not from rules. The risk level does not include them.';

const CATEGORIES: Record<ConcernCategory, string> = {
  exposure: 'Exposure',
  data_loss: 'Data loss',
  outage: 'Outage',
  silenced_alarm: 'Silenced alarm',
  foreign_destination: 'Foreign destination',
  identity: 'Identity',
};

/** A concern of a language model, with the value that it cites. Texts are raw. */
export interface ShownConcern {
  level: RiskLevel;
  category: string;
  address: string;
  text: string;
  difference: Difference;
}

export function describeConcerns({ concerns = [] }: { concerns?: readonly Concern[] }): ShownConcern[] {
  return concerns.map(describeConcern);
}

function describeConcern({ level, category, address, sentence, path, before, after }: Concern): ShownConcern {
  const difference = { path, within: null, ...showPair(before, after) };
  return { level, category: CATEGORIES[category], address, text: sentence, difference };
}

/** Why a check or a command can fail although the level is lower; empty if no concern counts. */
export function describeCheckLevel({ risk }: Pick<PlanAnalysis, 'risk'>): string[] {
  if (risk.check_level === undefined) return [];
  return [`A concern of the language model counts as ${risk.check_level} risk here, as the organization has chosen.`];
}
