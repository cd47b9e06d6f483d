import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { hasExactly } from './answer.ts';
import { parseAnswer } from './strict-json.ts';
import type { Unusable } from './types.ts';

/** The texts of an answer for one option. */
export interface OptionAnswer {
  option: string;
  summary: string;
  detail: string;
  pros: string[];
  cons: string[];
}

/** An answer about options that matches the schema; its content is not checked yet. */
export interface FixAnswer {
  order: string[];
  options: OptionAnswer[];
  /** 0 to 1. */
  confidence: number;
}

const MAX_POINTS = 20;

/**
 * Validates an answer against the fix schema: all fields, no others, correct types, and each option once.
 *
 * @param names names of all options
 */
export function validateFixAnswer(text: string, names: readonly string[]): FixAnswer | Unusable {
  const parsed = parseAnswer(text);
  if ('unusable' in parsed) return parsed;
  const { object } = parsed;
  const { order, options, confidence } = object;
  if (!hasExactly(object, ['order', 'options', 'confidence'])) {
    return { unusable: 'the answer does not have exactly the fields of the schema' };
  }
  if (!isTexts(order) || !containsEach(order, names))
    return { unusable: 'the answer does not list each option once in order' };
  if (!Array.isArray(options) || !options.every(isOptionAnswer))
    return { unusable: 'the answer does not match the schema' };
  if (
    !containsEach(
      options.map(({ option }) => option),
      names,
    )
  ) {
    return { unusable: 'the answer does not describe each option once' };
  }
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
    return { unusable: 'the confidence of the answer is not a number from 0 to 1' };
  }
  return { order, options, confidence };
}

function containsEach(answered: readonly string[], names: readonly string[]): boolean {
  return answered.length === names.length && names.every((name) => answered.includes(name));
}

function isTexts(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.length <= MAX_POINTS && value.every((item) => typeof item === 'string');
}

function isOptionAnswer(value: JsonValue): value is JsonObject & OptionAnswer {
  if (!isObject(value) || !hasExactly(value, ['option', 'summary', 'detail', 'pros', 'cons'])) return false;
  const { option, summary, detail, pros, cons } = value;
  return [option, summary, detail].every((text) => typeof text === 'string') && isTexts(pros) && isTexts(cons);
}
