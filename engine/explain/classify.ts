import type { UnknownPattern } from '../analysis/unknown-patterns.ts';
import type { NoiseClass } from '../result.ts';
import { hasExactly } from './answer.ts';
import { quoteData } from './data-text.ts';
import { describeInputs } from './prompt.ts';
import { CLASSIFY_VERSION, getPrompt } from './prompts/index.ts';
import { isRecord, parseAnswer } from './strict-json.ts';
import type { Prompt, Unusable } from './types.ts';

export type ClassifyVerdict = Exclude<NoiseClass, 'known_benign'>;

/** An answer whether patterns are benign: a verdict for each, in the order of the question. */
interface ClassifyReading {
  verdicts: ClassifyVerdict[];
}

/**
 * The question whether shapes of noise are known to be benign. It tells names of schemas and no value, and knows a pattern
 * by its number, so that no name has to come back.
 *
 * @param patterns at most 50, as an analysis tells them
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
 * The question as a stored user part tells it, written anew.
 *
 * @returns null where the text is none of ours
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
 * @param pattern_count how many patterns the question had
 * @returns `novel` for those that were not answered
 */
export function readClassifyAnswer(text: string, pattern_count: number): ClassifyReading | Unusable {
  const parsed = parseAnswer(text);
  if ('unusable' in parsed) return parsed;
  const { verdicts: given } = parsed.object;
  if (!hasExactly(parsed.object, ['verdicts']) || !Array.isArray(given)) return invalidAnswer();
  const verdicts = Array.from({ length: pattern_count }, (): ClassifyVerdict => 'novel');
  const seen = new Set<number>();
  for (const item of given) {
    if (!isRecord(item) || !hasExactly(item, ['id', 'verdict'])) return invalidAnswer();
    const { id, verdict } = item;
    if (verdict !== 'likely_benign' && verdict !== 'novel') return invalidAnswer();
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 1 || id > pattern_count) {
      return { unusable: 'the answer names a pattern that was not asked' };
    }
    if (seen.has(id)) return { unusable: 'the answer names a pattern twice' };
    seen.add(id);
    verdicts[id - 1] = verdict;
  }
  return { verdicts };
}

function invalidAnswer(): Unusable {
  return { unusable: 'the answer does not fit the schema' };
}
