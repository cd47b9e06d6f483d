import type { Prompt, SendValues } from '../../../engine/explain/index.ts';
import type { FixProposal, NoiseOccurrence, SkipReason, UnknownPattern } from '../../../engine/index.ts';
import type { OrgRules, RunContext } from '../../../engine/rules/index.ts';
import type { NoisePattern } from '../noise/index.ts';
import type { CiContext, Provider, ScanRun } from '../scans/index.ts';

/** Maximum length of a CI field; openapi.yaml has more rules in CiContext. */
export type CiInput = { [Field in keyof CiContext]?: NonNullable<CiContext[Field]> };

/** Why a plan was rejected. `plan_too_complex` occurs only in a job's error: the analysis exceeded its budget. */
export interface PlanFault {
  error_class: 'invalid_plan_json' | 'unsupported_plan_version' | 'plan_too_complex';
  message: string;
}

/** The content of `plan_json`: a plan, pruned and compressed for storage, or the reason why it is not one. */
export type PlanIntake = { payload: Uint8Array } | { fault: PlanFault };

export interface AnalyzedPlan {
  /** The engine's PlanAnalysis as JSON text. */
  text: string;
  /** The cloud of most changes; null if it is none of the three. */
  provider: Provider | null;
  resource_count: number;
  /** The noise patterns that occurred. */
  occurrences: NoiseOccurrence[];
  /** Patterns that a model could classify as noise: at most 50. */
  unknown_patterns: UnknownPattern[];
  /** The prompt for a model; null if no model is called. */
  prompt: Prompt | null;
}

/** An analysis with its final text. */
export interface Narrated {
  /** The contract's AnalyzeResult without the fields that only the service knows, as JSON text. */
  text: string;
  narrative_status: Extract<ScanRun['narrative_status'], 'ready' | 'fallback' | 'skipped'>;
  trace_ids: string[];
  /** Whether the platform's model wrote the text, so that the reserved quota is used. */
  is_billed: boolean;
}

/** The rule book for the evaluation. */
export interface OrgJudgement {
  noise_key: Uint8Array;
  rules: OrgRules;
  context: RunContext;
}

/**
 * Handles plan text on worker threads only; no event loop ever parses it. Every task has a time and memory budget, and
 * organizations alternate.
 */
export interface PlanPool {
  /**
   * Reads the body of an analyze request.
   *
   * @returns `body` with the plan replaced by a short placeholder of the same JSON type, for contract validation;
   *   `plan` is null if `plan_json` is missing or not a string
   * @throws InvalidInput `invalid_json`; Unprocessable `body_too_complex` if it exceeds its budget
   */
  intake(org_id: string, raw: Buffer): Promise<{ body: unknown; plan: PlanIntake | null }>;
  /**
   * @param options `likely_benign`: fingerprints that a model classified as such
   * @returns the fault `plan_too_complex` if it exceeds its budget
   */
  analyze(
    org_id: string,
    payload: Uint8Array,
    options: { judgement: OrgJudgement; send_values: SendValues | null; likely_benign: string[] },
    signal: AbortSignal,
  ): Promise<AnalyzedPlan | { fault: PlanFault }>;
  /** Adds the verified parts of a model's response to the text of an analysis; `unusable` if it exceeds its budget. */
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
  /** Adds the reason why no model wrote the text of an analysis. */
  markUnexplained(org_id: string, text: string, why: { reason: string } | { skip_reason: SkipReason }): Promise<string>;
  /**
   * Generates the fixes of a pattern, and the prompt about them.
   *
   * @param task `result_text`: the last analysis with the pattern; null if it is no longer stored. `send_values`: null
   *   if no model is called; then `prompt` is null
   */
  fix(
    org_id: string,
    task: { result_text: string | null; pattern: NoisePattern; send_values: SendValues | null },
  ): Promise<{ proposal: FixProposal; prompt: Prompt | null }>;
  /** Adds the verified parts of a model's response to the fixes; `unusable` if it exceeds its budget. */
  advise(
    org_id: string,
    task: { proposal: FixProposal; user: string; answer: string },
  ): Promise<{ proposal: FixProposal; parsed: unknown } | { unusable: string }>;
}

export interface Sealer {
  seal(plain: Uint8Array, aad: string): Buffer;
  open(sealed: Uint8Array, aad: string): Buffer;
}
