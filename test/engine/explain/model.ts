import { buildPrompt, type Reading, readAnswer } from '../../../engine/explain/index.ts';
import type { PlanAnalysis, RiskLevel } from '../../../engine/index.ts';

export interface AnswerFields {
  what_will_happen: string;
  why_it_matters: string;
  what_to_check: string[];
  notes: { address: string; note: string }[];
  proposals: { address: string; level: RiskLevel; reason: string }[];
  overall: { level: RiskLevel; reason: string } | null;
  /** Not in answers to the first prompt. */
  concerns: unknown;
}

/** A valid answer with one harmless sentence and the given overrides. */
export function buildAnswer(fields: Partial<AnswerFields>): string {
  return JSON.stringify({
    what_will_happen: 'Settings of a queue are changed.',
    why_it_matters: '',
    what_to_check: [],
    notes: [],
    proposals: [],
    overall: null,
    ...fields,
  });
}

export function read(analysis: PlanAnalysis, fields: Partial<AnswerFields>): Reading {
  const reading = tryRead(analysis, buildAnswer(fields));
  if ('unusable' in reading) throw new TypeError(reading.unusable);
  return reading;
}

export function tryRead(analysis: PlanAnalysis, text: string): ReturnType<typeof readAnswer> {
  return readAnswer(text, analysis, buildPrompt(analysis, { send_values: 'redacted' }).known);
}

/** The accepted part of a sentence; empty if it was dropped. */
export function filterSentence(analysis: PlanAnalysis, sentence: string): string {
  return read(analysis, { what_will_happen: 'Something goes on here.', why_it_matters: sentence }).why_it_matters;
}
