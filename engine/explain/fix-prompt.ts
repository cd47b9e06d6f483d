import type { FixProposal, FixSubject } from '../fix/types.ts';
import { quoteData } from './data-text.ts';
import { type FixProjection, projectFix } from './fix-project.ts';
import { describeInputs, type PromptOptions } from './prompt.ts';
import { FIX_VERSION, getPrompt } from './prompts/index.ts';
import type { Prompt } from './types.ts';

/**
 * The question that a model gets about the ways to be rid of a pattern. Its user part holds, besides the pattern, only what
 * rules have written; everything that an answer may say follows from it.
 *
 * @throws RangeError for a prompt version that this release does not have
 */
export function buildFixPrompt(subject: FixSubject, proposal: FixProposal, options: PromptOptions): Prompt {
  return render(projectFix(subject, proposal, options.send_values), options.prompt_version ?? FIX_VERSION);
}

/**
 * The question as a stored user part tells it, written anew.
 *
 * @returns null where the text is none of ours
 * @throws RangeError for a prompt version that this release does not have
 */
export function rebuildFixPrompt(user: string, prompt_version: string): Prompt | null {
  const shown = readProjection(user);
  return shown === null ? null : render(shown, prompt_version);
}

function render(shown: FixProjection, prompt_version: string): Prompt {
  const { system, schema, version } = getPrompt(prompt_version);
  const user = quoteData(shown);
  return { system, user, schema, prompt_version: version, inputs: describeInputs(user, 1) };
}

/** What a user part of ours shows; null for any other text. */
export function readProjection(user: string): FixProjection | null {
  try {
    const shown = JSON.parse(user) as Partial<FixProjection> | null;
    if (typeof shown?.pattern?.address !== 'string' || typeof shown.pattern.attribute !== 'string') return null;
    if (!Array.isArray(shown.options) || typeof shown.order_is_fixed !== 'boolean') return null;
    return shown as FixProjection;
  } catch {
    return null;
  }
}
