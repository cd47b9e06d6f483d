import {
  buildPrompt,
  type PlanFacts,
  type Prompt,
  readAnswer,
  readClassifyAnswer,
  readFixAnswer,
  readSendValues,
  rebuildClassifyPrompt,
  rebuildFixPrompt,
  type Unusable,
  undoProposals,
} from '../../../engine/explain/index.ts';
import type { PlanAnalysis } from '../../../engine/index.ts';
import { scrubValue } from './clean.ts';
import { type Difference, findDifferences } from './compare.ts';
import type { TraceBody } from './types.ts';

/** One part that was rebuilt. */
export interface ReplayStep {
  name: 'prompt' | 'answer';
  differences: Difference[];
}

export interface Replay {
  steps: ReplayStep[];
  /** What could not be compared, and why. */
  not_compared: string | null;
}

/**
 * Rebuilds the prompt of a narrative from the stored result, and parses the stored response again. The stored prompt
 * states the organization's setting about values at that time.
 *
 * @throws RangeError for a prompt version that this release does not have
 */
export function replayNarrative(body: TraceBody, result: PlanAnalysis, prompt_version: string): Replay {
  const { digest } = body.inputs;
  const analysis = undoProposals(result);
  const send_values = readSendValues(body.user_prompt);
  const { system, user, inputs, known } = buildPrompt(analysis, { send_values, prompt_version });
  const stored = { inputs: body.inputs, system_prompt: body.system_prompt, user_prompt: body.user_prompt };
  const rebuilt_inputs = scrubValue({ inputs, system_prompt: system, user_prompt: user });
  const prompt: ReplayStep = { name: 'prompt', differences: findDifferences(stored, rebuilt_inputs) };
  // A response can be interpreted only with its own analysis.
  if (inputs.digest !== digest)
    return { steps: [prompt], not_compared: 'the response: it was given to a different prompt' };

  const answer: ReplayStep = {
    name: 'answer',
    differences: findDifferences(body.parsed, reparseAnswer(body, analysis, known)),
  };
  const masked = answer.differences.length > 0 && body.raw_response?.includes('(sensitive)');
  if (masked) return { steps: [prompt], not_compared: 'the response: parts of it were withheld when it was stored' };
  return { steps: [prompt, answer], not_compared: null };
}

/**
 * Parses the stored response of a fix job again. Its rules follow from the prompt alone, which is rebuilt from its own
 * data.
 *
 * @throws RangeError for a prompt version that this release does not have
 */
export function replayFix(body: TraceBody, prompt_version: string): Replay {
  return replayPrompt(body, rebuildFixPrompt(body.user_prompt, prompt_version), readFixAnswer);
}

/**
 * Parses the stored response of a classification again, with its prompt.
 *
 * @throws RangeError for a prompt version that this release does not have
 */
export function replayClassify(body: TraceBody, prompt_version: string): Replay {
  const rebuilt = rebuildClassifyPrompt(body.user_prompt, prompt_version);
  return replayPrompt(body, rebuilt, (answer) => readClassifyAnswer(answer, rebuilt?.inputs.resource_count ?? 0));
}

function replayPrompt(
  body: TraceBody,
  rebuilt: Prompt | null,
  read: (answer: string, user: string) => object | Unusable,
): Replay {
  const stored = { inputs: body.inputs, system_prompt: body.system_prompt, user_prompt: body.user_prompt };
  const rebuilt_inputs =
    rebuilt && scrubValue({ inputs: rebuilt.inputs, system_prompt: rebuilt.system, user_prompt: rebuilt.user });
  const prompt: ReplayStep = { name: 'prompt', differences: findDifferences(stored, rebuilt_inputs) };
  if (rebuilt?.inputs.digest !== body.inputs.digest) {
    return { steps: [prompt], not_compared: 'the response: it was given to a different prompt' };
  }
  const { raw_response } = body;
  const reading = raw_response === null ? null : read(raw_response, rebuilt.user);
  const parsed = reading === null || 'unusable' in reading ? null : scrubValue(reading);
  const answer: ReplayStep = { name: 'answer', differences: findDifferences(body.parsed, parsed) };
  const masked = answer.differences.length > 0 && raw_response?.includes('(sensitive)');
  if (masked) return { steps: [prompt], not_compared: 'the response: parts of it were withheld when it was stored' };
  return { steps: [prompt, answer], not_compared: null };
}

/** The used part of the response, in the form of a trace; null if nothing was used. */
function reparseAnswer({ raw_response }: TraceBody, analysis: PlanAnalysis, known: PlanFacts): unknown {
  if (raw_response === null) return null;
  const reading = readAnswer(raw_response, analysis, known);
  return 'unusable' in reading ? null : scrubValue(reading);
}
