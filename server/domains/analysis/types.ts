import type { Prompt, SendValues } from '../../../engine/explain/index.ts';
import type { FixProposal, NoiseOccurrence, SkipReason, UnknownPattern } from '../../../engine/index.ts';
import type { OrgRules, RunContext } from '../../../engine/rules/index.ts';
import type { NoisePattern } from '../noise/index.ts';
import type { CiContext, Provider, ScanRun } from '../scans/index.ts';

/** Longest accepted text of a CI field, and more rules, stand in openapi.yaml, CiContext. */
export type CiInput = { [Field in keyof CiContext]?: NonNullable<CiContext[Field]> };

/** Why a plan was refused. `plan_too_complex` only in a job's error: judging it exceeded its budget. */
export interface PlanFault {
  error_class: 'invalid_plan_json' | 'unsupported_plan_version' | 'plan_too_complex';
  message: string;
}

/** What came in `plan_json`: a plan, pruned and compressed for storage, or the reason why it is none. */
export type PlanIntake = { payload: Uint8Array } | { fault: PlanFault };

export interface AnalyzedPlan {
  /** The engine's PlanAnalysis as JSON text. */
  text: string;
  /** The cloud of most changes; null when that is none of the three. */
  provider: Provider | null;
  resource_count: number;
  /** The noise patterns that were seen. */
  occurrences: NoiseOccurrence[];
  /** What a model could still call noise: at most 50. */
  unknown_patterns: UnknownPattern[];
  /** The question to a model; null when none is asked. */
  prompt: Prompt | null;
}

/** An analysis with its text as it will be read. */
export interface Narrated {
  /** The contract's AnalyzeResult without what only the service knows, as JSON text. */
  text: string;
  narrative_status: Extract<ScanRun['narrative_status'], 'ready' | 'fallback' | 'skipped'>;
  trace_ids: string[];
  /** The platform's model has explained it: what the gate took is used. */
  is_billed: boolean;
}

/** By what an org has its plans judged. */
export interface OrgJudgement {
  noise_key: Uint8Array;
  rules: OrgRules;
  context: RunContext;
}

/**
 * Plan text is handled on worker threads only: the event loop of no process ever parses it. Every task has a budget of
 * time and memory, and organizations take turns on the threads.
 */
export interface PlanPool {
  /**
   * Reads the body of an analyze request.
   *
   * @returns `body` with the plan replaced by a short stand-in of the same JSON type, fit for contract validation;
   *   `plan` is null when `plan_json` is missing or no string
   * @throws InvalidInput `invalid_json`; Unprocessable `body_too_complex` beyond its budget
   */
  intake(org_id: string, raw: Buffer): Promise<{ body: unknown; plan: PlanIntake | null }>;
  /**
   * @param options `likely_benign`: fingerprints that a model has called so
   * @returns the fault `plan_too_complex` beyond its budget
   */
  analyze(
    org_id: string,
    payload: Uint8Array,
    options: { judgement: OrgJudgement; send_values: SendValues | null; likely_benign: string[] },
    signal: AbortSignal,
  ): Promise<AnalyzedPlan | { fault: PlanFault }>;
  /** Puts what of a model's answer stands into the text of an analysis; `unusable` beyond its budget. */
  explain(
    org_id: string,
    task: {
      text: string;
      answer: string;
      prompt_version: string;
      send_values: SendValues;
      judgement: Pick<OrgJudgement, 'rules' | 'context'>;
    },
  ): Promise<{ text: string; parsed: unknown } | { unusable: string }>;
  /** Says in the text of an analysis why no model explains it. */
  markUnexplained(org_id: string, text: string, why: { reason: string } | { skip_reason: SkipReason }): Promise<string>;
  /**
   * Works out the ways to be rid of a pattern, and the question to a model about them.
   *
   * @param task `result_text`: of the last analysis that shows the pattern; null when it is kept no more.
   *   `send_values`: null where no model is asked; then `prompt` is null
   */
  fix(
    org_id: string,
    task: { result_text: string | null; pattern: NoisePattern; send_values: SendValues | null },
  ): Promise<{ proposal: FixProposal; prompt: Prompt | null }>;
  /** Puts what of a model's answer stands into those ways; `unusable` beyond its budget. */
  advise(
    org_id: string,
    task: { proposal: FixProposal; user: string; answer: string },
  ): Promise<{ proposal: FixProposal; parsed: unknown } | { unusable: string }>;
}

export interface Sealer {
  seal(plain: Uint8Array, aad: string): Buffer;
  open(sealed: Uint8Array, aad: string): Buffer;
}
