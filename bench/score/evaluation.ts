import { readFileSync } from 'node:fs';
import {
  applyFixReading,
  buildFixPrompt,
  buildPrompt,
  type Dropped,
  type Prompt,
  readAnswer,
  readFixAnswer,
} from '../../engine/explain/index.ts';
import { analyzePlan, fixOptions, fixSubject } from '../../engine/index.ts';

/** The requirements for answers to one version of a prompt. */
export interface EvaluationSet<C extends EvaluationCase = EvaluationCase> {
  prompt_version: string;
  must_not_say: string[];
  cases: C[];
}

export interface EvaluationCase {
  name: string;
  /** A minimal plan in the format of `show -json`. */
  plan: unknown;
  /** The text must contain one item of each list, in any letter case. */
  must_mention: string[][];
  must_not_say: string[];
  /** In characters. */
  max_length: number;
}

interface FixCase extends EvaluationCase {
  address: string;
  attribute: string;
  /** The first option must be of one of these kinds. */
  first: string[];
}

/** A case that can be sent to a model. */
export interface Task {
  prompt: Prompt;
  judge(answer: string): Verdict;
}

export interface Verdict {
  /** Errors in an answer; empty if it passes. */
  faults: string[];
  /** Parts of the answer that the service would remove. */
  dropped: Dropped[];
}

type MakeTask = (one: EvaluationCase, set: EvaluationSet) => Task;

const TASKS: Record<string, MakeTask> = { narrative: createNarrativeTask, fix: createFixTask };

/** Reads a set from a file named `<kind>-<number>.json`. */
export function readSet(file: string): EvaluationSet {
  return JSON.parse(readFileSync(file, 'utf8')) as EvaluationSet;
}

/** Whether prompts of this version can be evaluated. */
export function canEvaluate(prompt_version: string): boolean {
  return Object.hasOwn(TASKS, parseKind(prompt_version));
}

function parseKind(prompt_version: string): string {
  return prompt_version.replace(/-\d+$/, '');
}

/** @throws RangeError if the kind of the version is unknown, or this release does not have the version */
export function createTask(one: EvaluationCase, set: EvaluationSet): Task {
  const make = TASKS[parseKind(set.prompt_version)];
  if (make === undefined) throw new RangeError(`no way to ask "${set.prompt_version}"`);
  return make(one, set);
}

/**
 * What a text must mention and does not, and what it must not contain.
 *
 * @param text as users see it
 * @param raw_answer the model's answer, including the parts that users do not see
 */
export function findTextFaults(text: string, raw_answer: string, one: EvaluationCase, set: EvaluationSet): string[] {
  const faults = one.must_mention
    .filter((words) => !words.some((word) => containsText(text, word)))
    .map((words) => `does not mention ${words.map((word) => `"${word}"`).join(' or ')}`);
  const forbidden = [...set.must_not_say, ...one.must_not_say].filter((words) => containsText(raw_answer, words));
  faults.push(...forbidden.map((words) => `says "${words}"`));
  if (text.length > one.max_length) faults.push(`has ${text.length} characters, more than ${one.max_length}`);
  return faults;
}

function containsText(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.toLowerCase());
}

/** Checks only what the model wrote: the lines that rules add would mention everything. */
function createNarrativeTask(one: EvaluationCase, set: EvaluationSet): Task {
  const analysis = analyzePlan(Buffer.from(JSON.stringify(one.plan)));
  const { prompt_version } = set;
  const { known, ...prompt } = buildPrompt(analysis, { send_values: 'redacted', prompt_version });
  return {
    prompt,
    judge(answer) {
      const reading = readAnswer(answer, analysis, known);
      if ('unusable' in reading) return { faults: [reading.unusable], dropped: [] };
      const { what_will_happen, why_it_matters, what_to_check, notes } = reading;
      const items = [...what_to_check.map(({ text }) => text), ...notes.map(({ note }) => note)];
      const text = [what_will_happen, why_it_matters, ...items].join('\n');
      return { faults: findTextFaults(text, answer, one, set), dropped: reading.dropped };
    },
  };
}

function createFixTask(one: EvaluationCase, set: EvaluationSet): Task {
  const { address, attribute, first } = one as FixCase;
  const { changes } = analyzePlan(Buffer.from(JSON.stringify(one.plan)));
  const change = changes.find((candidate) => candidate.address === address);
  if (change === undefined) throw new RangeError(`the plan of "${one.name}" changes no ${address}`);
  const { classification, matched_rule_id } = change.noise;
  const pattern = { resource_type: change.type, resource_address: address, attribute, classification, matched_rule_id };
  const subject = fixSubject(pattern, changes);
  const proposal = fixOptions(subject);
  const { prompt_version } = set;
  const prompt = buildFixPrompt(subject, proposal, { send_values: 'redacted', prompt_version });
  return {
    prompt,
    judge(answer) {
      const reading = readFixAnswer(answer, prompt.user);
      if ('unusable' in reading) return { faults: [reading.unusable], dropped: [] };
      const { fixes } = applyFixReading(proposal, reading);
      const kind = fixes[0]?.kind ?? 'nothing';
      const faults = first.includes(kind) ? [] : [`puts ${kind} first, not ${first.join(' or ')}`];
      const text = reading.options
        .flatMap(({ summary, detail, pros, cons }) => [summary ?? '', detail ?? '', ...pros, ...cons])
        .join('\n');
      return { faults: [...faults, ...findTextFaults(text, answer, one, set)], dropped: reading.dropped };
    },
  };
}
