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

/** What is asked of every answer to one version of a prompt. */
export interface EvaluationSet<C extends EvaluationCase = EvaluationCase> {
  prompt_version: string;
  must_not_say: string[];
  cases: C[];
}

export interface EvaluationCase {
  name: string;
  /** A plan as `show -json` writes it, as small as it can be. */
  plan: unknown;
  /** Of each list one has to stand in the text, whatever its letter case. */
  must_mention: string[][];
  must_not_say: string[];
  /** Characters. */
  max_length: number;
}

interface FixCase extends EvaluationCase {
  address: string;
  attribute: string;
  /** Kinds of which one has to be the first option. */
  first: string[];
}

/** A case that can be put to a model. */
export interface Task {
  prompt: Prompt;
  judge(answer: string): Verdict;
}

export interface Verdict {
  /** What is wrong with an answer; empty when it passes. */
  faults: string[];
  /** What of it the service would leave out. */
  dropped: Dropped[];
}

type MakeTask = (one: EvaluationCase, set: EvaluationSet) => Task;

const TASKS: Record<string, MakeTask> = { narrative: createNarrativeTask, fix: createFixTask };

/** Reads a set: `<kind>-<number>.json`. */
export function readSet(file: string): EvaluationSet {
  return JSON.parse(readFileSync(file, 'utf8')) as EvaluationSet;
}

/** Whether there is a way to ask the prompts of a version. */
export function canEvaluate(prompt_version: string): boolean {
  return Object.hasOwn(TASKS, parseKind(prompt_version));
}

function parseKind(prompt_version: string): string {
  return prompt_version.replace(/-\d+$/, '');
}

/** @throws RangeError for a version whose kind nobody knows how to ask, or that this release does not have */
export function createTask(one: EvaluationCase, set: EvaluationSet): Task {
  const make = TASKS[parseKind(set.prompt_version)];
  if (make === undefined) throw new RangeError(`no way to ask "${set.prompt_version}"`);
  return make(one, set);
}

/**
 * What a text lacks, and what too much is said.
 *
 * @param text as it would be shown
 * @param raw_answer by the model, with what is never shown
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

/** Judges what a model said itself: the lines that rules add would mention everything anyway. */
function createNarrativeTask(one: EvaluationCase, set: EvaluationSet): Task {
  const analysis = analyzePlan(Buffer.from(JSON.stringify(one.plan)));
  const { prompt_version } = set;
  const { known, ...prompt } = buildPrompt(analysis, { send_values: 'redacted', prompt_version });
  return {
    prompt,
    judge(answer) {
      const reading = readAnswer(answer, analysis, known);
      if ('unusable' in reading) return { faults: [reading.unusable], dropped: [] };
      const text = [reading.narrative, ...reading.notes.map(({ note }) => note)].join('\n');
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
