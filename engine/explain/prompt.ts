import { hash } from 'node:crypto';
import type { PlanAnalysis } from '../model/result.ts';
import { quoteData } from './data-text.ts';
import { collectFacts } from './facts.ts';
import { MAX_CHARS, type Projection, project } from './project.ts';
import { getPrompt, NARRATIVE_VERSION } from './prompts/index.ts';
import type { PlanFacts, Prompt, PromptInputs, SendValues } from './types.ts';

export interface PromptOptions {
  send_values: SendValues;
  /** Default: the newest version. */
  prompt_version?: string;
}

/**
 * Builds the prompt about an analysis, and the names and numbers that an answer may use.
 *
 * The user message is one JSON document of at most 24,000 characters. From the plan it contains only names, paths and
 * short harmless values; with `names_only`, no values.
 *
 * @throws RangeError for a prompt version that this release does not have
 */
export function buildPrompt(analysis: PlanAnalysis, options: PromptOptions): Prompt & { known: PlanFacts } {
  const { system, schema, version } = getPrompt(options.prompt_version ?? NARRATIVE_VERSION);
  const shown = project(analysis, options.send_values);
  let user = quoteData(shown);
  while (user.length > MAX_CHARS && dropLast(shown)) user = quoteData(shown);
  const known = collectFacts(analysis, shown);
  return { system, user, schema, prompt_version: version, inputs: describeInputs(user, shown.changes.length), known };
}

/** Which values a stored user message was allowed to contain; `redacted` for a text that is not a user message. */
export function readSendValues(user: string): SendValues {
  try {
    const shown = JSON.parse(user) as Partial<Projection> | null;
    return shown?.values_shown === 'none' ? 'names_only' : 'redacted';
  } catch {
    return 'redacted';
  }
}

/** Drops the least important entry, if names exceed the reserved length. */
function dropLast(shown: Projection): boolean {
  const group = shown.other_changes.pop();
  const dropped = group?.count ?? (shown.changes.pop() === undefined ? 0 : 1);
  shown.not_listed += dropped;
  return dropped > 0 || shown.escalations.pop() !== undefined;
}

export function describeInputs(user: string, resource_count: number): PromptInputs {
  return { digest: hash('sha256', user, 'hex'), char_count: user.length, resource_count };
}
