import type { FixProposal, FixSubject } from '../fix/types.ts';
import { quoteData } from './data-text.ts';
import { type FixProjection, projectFix } from './fix-project.ts';
import { describeInputs, type PromptOptions } from './prompt.ts';
import { FIX_VERSION, getPrompt } from './prompts/index.ts';
import type { Prompt } from './types.ts';

/**
 * Builds the prompt about the fix options of a pattern. The user message contains the pattern and texts from rules; it
 * determines everything that an answer may use.
 *
 * @throws RangeError for a prompt version that this release does not have
 */
export function buildFixPrompt(subject: FixSubject, proposal: FixProposal, options: PromptOptions): Prompt {
  return render(projectFix(subject, proposal, options.send_values), options.prompt_version ?? FIX_VERSION);
}

/**
 * Rebuilds the prompt from a stored user message.
 *
 * @returns null if the text is not a user message of this prompt
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

/** Parses a stored user message; null for any other text. */
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
