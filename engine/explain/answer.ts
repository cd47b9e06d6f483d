import { isObject } from '../lib/is-object.ts';
import { type JsonObject, type JsonValue, RISK_LEVELS, type RiskLevel } from '../model/result.ts';
import { parseAnswer } from './strict-json.ts';
import type { Unusable } from './types.ts';

/** A model's answer that matches the schema; its content is not checked yet. */
export interface Answer {
  what_will_happen: string;
  why_it_matters: string;
  what_to_check: string[];
  notes: { address: string; note: string }[];
  proposals: { address: string; level: RiskLevel; reason: string }[];
  overall: { level: RiskLevel; reason: string } | null;
  /** Of any shape; absent before the prompt `narrative-2`. */
  concerns?: JsonValue[];
}

const MAX_ITEMS = 300;

/**
 * Validates an answer against the narrative schema: all fields, no others, correct types. Concerns are validated one by
 * one later, so that a bad one does not cost the explanation.
 */
export function validateAnswer(text: string): Answer | Unusable {
  const parsed = parseAnswer(text);
  if ('unusable' in parsed) return parsed;
  const { object } = parsed;
  const { what_will_happen, why_it_matters, what_to_check, notes, proposals, overall, concerns } = object;
  const members = ['what_will_happen', 'why_it_matters', 'what_to_check', 'notes', 'proposals', 'overall'];
  if (!hasExactly(object, members) && !hasExactly(object, [...members, 'concerns']))
    return { unusable: 'the answer does not have exactly the fields of the schema' };
  if (typeof what_will_happen !== 'string' || typeof why_it_matters !== 'string') return invalidMember('text');
  if (!isTypedList(what_to_check, isText)) return invalidMember('what_to_check');
  if (!isTypedList(notes, isNote)) return invalidMember('notes');
  if (!isTypedList(proposals, isProposal)) return invalidMember('proposals');
  if (overall !== null && !(isObject(overall) && hasExactly(overall, ['level', 'reason']) && isVerdict(overall))) {
    return invalidMember('overall');
  }
  if (concerns !== undefined && !Array.isArray(concerns)) return invalidMember('concerns');
  return {
    what_will_happen,
    why_it_matters,
    what_to_check,
    notes,
    proposals,
    overall: overall as Answer['overall'],
    ...(concerns === undefined ? {} : { concerns }),
  };
}

function invalidMember(member: string): Unusable {
  return { unusable: `the answer does not match the schema at ${member}` };
}

export function hasExactly(object: JsonObject, members: readonly string[]): boolean {
  return Object.keys(object).length === members.length && members.every((member) => Object.hasOwn(object, member));
}

function isTypedList<T extends JsonValue>(
  value: JsonValue | undefined,
  fits: (item: JsonValue) => item is T,
): value is T[] {
  return Array.isArray(value) && value.length <= MAX_ITEMS && value.every(fits);
}

function isText(value: JsonValue): value is string {
  return typeof value === 'string';
}

function isNote(value: JsonValue): value is { address: string; note: string } {
  if (!isObject(value) || !hasExactly(value, ['address', 'note'])) return false;
  return typeof value['address'] === 'string' && typeof value['note'] === 'string';
}

function isProposal(value: JsonValue): value is { address: string; level: RiskLevel; reason: string } {
  if (!isObject(value) || !hasExactly(value, ['address', 'level', 'reason'])) return false;
  return typeof value['address'] === 'string' && isVerdict(value);
}

function isVerdict({ level, reason }: JsonObject): boolean {
  return typeof reason === 'string' && RISK_LEVELS.some((known) => known === level);
}
