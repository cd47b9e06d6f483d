import type { UnknownPattern } from '../analysis/unknown-patterns.ts';
import { isObject } from '../lib/is-object.ts';
import type { NoiseClass } from '../model/result.ts';
import { hasExactly } from './answer.ts';
import { quoteData } from './data-text.ts';
import { describeInputs } from './prompt.ts';
import { CLASSIFY_VERSION, getPrompt } from './prompts/index.ts';
import { parseAnswer } from './strict-json.ts';
import type { Prompt, Unusable } from './types.ts';

export type ClassifyVerdict = Exclude<NoiseClass, 'known_benign'>;

/** A verdict for each pattern, in the order of the prompt. */
interface ClassifyReading {
  verdicts: ClassifyVerdict[];
}

/**
 * Builds the prompt that asks whether noise patterns are benign. It contains schema names but no values, and identifies
 * patterns by number, so that the answer contains no names.
 *
 * @param patterns at most 50, from `unknownPatterns()`
 */
export function buildClassifyPrompt(patterns: readonly UnknownPattern[]): Prompt {
  const entries = patterns.map(({ provider, provider_version, resource_type, attribute, change_shape }, i) => ({
    id: i + 1,
    provider,
    lowest_version: provider_version,
    resource_type,
    attribute,
    shape: change_shape,
  }));
  return render(entries, CLASSIFY_VERSION);
}

/**
 * Rebuilds the prompt from a stored user message.
 *
 * @returns null if the text is not a user message of this prompt
 * @throws RangeError for a prompt version that this release does not have
 */
export function rebuildClassifyPrompt(user: string, prompt_version: string): Prompt | null {
  try {
    const { patterns } = JSON.parse(user) as { patterns?: unknown };
    return Array.isArray(patterns) ? render(patterns, prompt_version) : null;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return null;
  }
}

function render(patterns: readonly unknown[], prompt_version: string): Prompt {
  const { system, schema, version } = getPrompt(prompt_version);
  const user = quoteData({ patterns });
  return { system, user, schema, prompt_version: version, inputs: describeInputs(user, patterns.length) };
}

/**
 * Reads an answer to `buildClassifyPrompt`.
 *
 * @param pattern_count number of patterns in the prompt
 * @returns `novel` for patterns without an answer
 */
export function readClassifyAnswer(text: string, pattern_count: number): ClassifyReading | Unusable {
  const parsed = parseAnswer(text);
  if ('unusable' in parsed) return parsed;
  const { verdicts: given } = parsed.object;
  if (!hasExactly(parsed.object, ['verdicts']) || !Array.isArray(given)) return invalidAnswer();
  const verdicts = Array.from({ length: pattern_count }, (): ClassifyVerdict => 'novel');
  const seen = new Set<number>();
  for (const item of given) {
    if (!isObject(item) || !hasExactly(item, ['id', 'verdict'])) return invalidAnswer();
    const { id, verdict } = item;
    if (verdict !== 'likely_benign' && verdict !== 'novel') return invalidAnswer();
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 1 || id > pattern_count) {
      return { unusable: 'the answer contains an unknown pattern id' };
    }
    if (seen.has(id)) return { unusable: 'the answer contains a pattern id twice' };
    seen.add(id);
    verdicts[id - 1] = verdict;
  }
  return { verdicts };
}

function invalidAnswer(): Unusable {
  return { unusable: 'the answer does not match the schema' };
}
