import type { NoiseClass } from '../result.ts';
import { hasExactly } from './answer.ts';
import { cutMiddle, quoteData } from './data-text.ts';
import { inputsOf } from './prompt.ts';
import { CLASSIFY_VERSION, getPrompt } from './prompts/index.ts';
import { isRecord, parseAnswer } from './strict-json.ts';
import type { Prompt, Unusable } from './types.ts';

/** A difference that no rule knows. It has no value: what differs is told by its shape alone. */
export interface UnknownPattern {
  /** Source address without the registry host, with a version if it is known: `hashicorp/aws`. */
  provider: string;
  resource_type: string;
  /** Path with every index written `[*]`. */
  attribute: string;
  /** One of the shapes of the fingerprint: `null_to_empty`, `reorder`, `value_change` … */
  change_shape: string;
}

export type ClassifyVerdict = Exclude<NoiseClass, 'known_benign'>;

const MAX_PATTERNS = 50;
const MAX_TEXT = 160;

/**
 * The question whether shapes of noise are known to be benign. A pattern is known by its number, so that no name has to
 * come back.
 *
 * @param patterns of which the first 50 are asked
 * @throws RangeError for a prompt version that this release does not have
 */
export function buildClassifyPrompt(patterns: readonly UnknownPattern[], prompt_version = CLASSIFY_VERSION): Prompt {
  const { system, schema, version } = getPrompt(prompt_version);
  const asked = patterns.slice(0, MAX_PATTERNS).map(({ provider, resource_type, attribute, change_shape }, i) => ({
    id: i + 1,
    provider: cutMiddle(provider, MAX_TEXT),
    resource_type: cutMiddle(resource_type, MAX_TEXT),
    attribute: cutMiddle(attribute, MAX_TEXT),
    shape: cutMiddle(change_shape, MAX_TEXT),
  }));
  const user = quoteData({ patterns: asked });
  return { system, user, schema, prompt_version: version, inputs: inputsOf(user, asked.length) };
}

/**
 * Reads an answer to `buildClassifyPrompt`.
 *
 * @returns one verdict for each pattern, in their order; `novel` for those that were not asked or not answered
 */
export function readClassifyAnswer(
  text: string,
  patterns: readonly UnknownPattern[],
): { verdicts: ClassifyVerdict[] } | Unusable {
  const parsed = parseAnswer(text);
  if ('unusable' in parsed) return parsed;
  const { verdicts: given } = parsed.object;
  if (!hasExactly(parsed.object, ['verdicts']) || !Array.isArray(given)) return misfit();
  const verdicts: ClassifyVerdict[] = patterns.map(() => 'novel');
  const seen = new Set<number>();
  for (const item of given) {
    if (!isRecord(item) || !hasExactly(item, ['id', 'verdict'])) return misfit();
    const { id, verdict } = item;
    if (verdict !== 'likely_benign' && verdict !== 'novel') return misfit();
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 1 || id > Math.min(patterns.length, MAX_PATTERNS)) {
      return { unusable: 'the answer names a pattern that was not asked' };
    }
    if (seen.has(id)) return { unusable: 'the answer names a pattern twice' };
    seen.add(id);
    verdicts[id - 1] = verdict;
  }
  return { verdicts };
}

function misfit(): Unusable {
  return { unusable: 'the answer does not fit the schema' };
}
