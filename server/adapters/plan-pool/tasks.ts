import type { NoiseOccurrence } from '../../../engine/index.ts';
import type { DryRun, OrgRules, Preview, ProposedRules, RuleToTry, RunContext } from '../../../engine/rules/index.ts';

/** What crosses the border between the event loop and the plan threads; everything here can be cloned or transferred. */

export interface IntakeTask {
  task: 'intake';
  raw: Uint8Array;
}

export interface AnalyzeTask {
  task: 'analyze';
  payload: Uint8Array;
  judgement: OrgJudgement;
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

export interface Fault {
  error_class: 'invalid_plan_json' | 'unsupported_plan_version';
  message: string;
}

export type IntakeReply =
  | { body: unknown; plan: { payload: Uint8Array } | { fault: Fault } | null }
  /** The body is no JSON we accept. */
  | { refused: { error_class: string; message: string } };

export type AnalyzeReply =
  | {
      text: string;
      provider: 'aws' | 'gcp' | 'azure' | null;
      resource_count: number;
      occurrences: NoiseOccurrence[];
    }
  | { fault: Fault };

export type PlanTask = IntakeTask | AnalyzeTask | DryRunTask | PreviewTask;
export type PlanReply = IntakeReply | AnalyzeReply | DryRun | Preview;
