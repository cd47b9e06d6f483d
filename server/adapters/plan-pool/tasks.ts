import type { Prompt, SendValues } from '../../../engine/explain/index.ts';
import type { FixProposal, NoiseOccurrence, SkipReason, UnknownPattern } from '../../../engine/index.ts';
import type { OrgRules, ProposedRules, RuleToTry, RunContext } from '../../../engine/rules/index.ts';
import type { ErrorClass } from '../../lib/error-classes.ts';
import type { RunFacts } from '../../pages/result/run.ts';

/** What crosses the border between the event loop and the plan threads; everything here can be cloned or transferred. */

export interface IntakeTask {
  task: 'intake';
  raw: Uint8Array;
}

/** Cuts a JSON document of a stranger down to what an event loop can read. */
export interface TrimTask {
  task: 'trim';
  raw: Uint8Array;
}

export interface AnalyzeTask {
  task: 'analyze';
  payload: Uint8Array;
  judgement: OrgJudgement;
  /** What a model may be shown; null = none is asked. */
  send_values: SendValues | null;
  /** Fingerprints that a model has called so. */
  likely_benign: string[];
}

/** By what an org has its plans judged. */
export interface OrgJudgement {
  noise_key: Uint8Array;
  rules: OrgRules;
  context: RunContext;
}

/** Tries a rule on a stored analysis. */
export interface DryRunTask {
  task: 'dry-run';
  result_text: string;
  rule: RuleToTry;
}

/** Tells what rules would make of a stored analysis. */
export interface PreviewTask {
  task: 'preview';
  result_text: string;
  rules: ProposedRules;
}

/** Finds the plans in an archive that a CI run has uploaded. */
export interface ArchiveTask {
  task: 'archive';
  zip: Uint8Array;
  options: ArchiveOptions;
}

export interface ArchiveOptions {
  /** Of the artifact: what globs see before the path of a file. */
  name: string;
  /** Globs over `name/path` of the files to read; null = every file whose name ends in .json. */
  patterns: string[] | null;
  max_plans: number;
  /** All files together, unpacked. */
  max_bytes: number;
}

/** A plan of an archive, pruned and compressed, or why it cannot be read; a path of `` stands for the archive. */
export type FoundArchivePlan = { path: string } & (
  | { plan_hash: string; payload: Uint8Array<ArrayBuffer>; error?: never }
  | { error: string; plan_hash?: never; payload?: never }
);

export interface OpenedArchive {
  plans: FoundArchivePlan[];
  /** JSON files that are something else. */
  skipped: number;
  /** Bytes that its files took, unpacked. */
  unpacked_bytes: number;
  /** Why nothing was read of it, in words for people. */
  refused: string | null;
}

export interface Fault {
  error_class: 'invalid_plan_json' | 'unsupported_plan_version' | 'plan_too_complex';
  message: string;
}

export type IntakeReply =
  | { body: unknown; plan: { payload: Uint8Array } | { fault: Fault } | null }
  /** The body is no JSON we accept. */
  | { refused: { error_class: ErrorClass; message: string } };

export type AnalyzeReply =
  | {
      text: string;
      provider: 'aws' | 'gcp' | 'azure' | null;
      resource_count: number;
      occurrences: NoiseOccurrence[];
      /** What a model could still call noise. */
      unknown_patterns: UnknownPattern[];
      /** The question to a model; null when none is asked. */
      prompt: Prompt | null;
    }
  | { fault: Fault };

/** Puts what a model has said into a result, as far as it can be held against it. */
export interface ExplainTask {
  task: 'explain';
  /** The engine's analysis as JSON text. */
  text: string;
  answer: string;
  prompt_version: string;
  send_values: SendValues;
  judgement: Pick<OrgJudgement, 'rules' | 'context'>;
}

export type ExplainReply = { text: string; parsed: unknown } | { unusable: string };

/** Says in a result why no model wrote its text. */
export interface UnexplainedTask {
  task: 'unexplained';
  text: string;
  why: { reason: string } | { skip_reason: SkipReason };
}

/** Finds ways to be rid of a pattern. */
export interface FixTask {
  task: 'fix';
  /** The last result that shows the pattern; null when it is kept no more. */
  result_text: string | null;
  pattern: FixPattern;
  /** What a model may be shown; null = none is asked. */
  send_values: SendValues | null;
}

export interface FixReply {
  proposal: FixProposal;
  /** The question to a model; null when none is asked. */
  prompt: Prompt | null;
}

/** Puts the ways to be rid of a pattern into the order and the words of a model, as far as they stand. */
export interface AdviseTask {
  task: 'advise';
  proposal: FixProposal;
  /** The user part of the question. */
  user: string;
  answer: string;
}

export type AdviseReply = { proposal: FixProposal; parsed: unknown } | { unusable: string };

export interface FixPattern {
  resource_type: string;
  resource_address: string;
  attribute: string;
  classification: 'known_benign' | 'likely_benign' | 'novel';
  matched_rule_id: string | null;
}

/** Writes the page of a stored result. */
export interface PageTask {
  task: 'page';
  result_text: string;
  run: RunFacts;
}

export type PlanTask =
  | IntakeTask
  | TrimTask
  | ArchiveTask
  | AnalyzeTask
  | DryRunTask
  | PreviewTask
  | ExplainTask
  | UnexplainedTask
  | FixTask
  | AdviseTask
  | PageTask;
