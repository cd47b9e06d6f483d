import type { NoiseOccurrence } from '../../../engine/index.ts';
import type { OrgRules, RunContext } from '../../../engine/rules/index.ts';
import type { CiContext, Provider } from '../scans/index.ts';

/** Longest accepted text of a CI field, and more rules, stand in openapi.yaml, CiContext. */
export type CiInput = { [Field in keyof CiContext]?: NonNullable<CiContext[Field]> };

/** Why a plan was refused; the same classes before the 202 and in a job's error. */
export interface PlanFault {
  error_class: 'invalid_plan_json' | 'unsupported_plan_version';
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
}

/** By what an org has its plans judged. */
export interface OrgJudgement {
  noise_key: Uint8Array;
  rules: OrgRules;
  context: RunContext;
}

/** Plan text is handled on worker threads only: the event loop of no process ever parses it. */
export interface PlanPool {
  /**
   * Reads the body of an analyze request.
   *
   * @returns `body` with the plan replaced by a short stand-in of the same JSON type, fit for contract validation;
   *   `plan` is null when `plan_json` is missing or no string
   * @throws InvalidInput `invalid_json`
   */
  intake(raw: Buffer): Promise<{ body: unknown; plan: PlanIntake | null }>;
  analyze(
    payload: Uint8Array,
    judgement: OrgJudgement,
    signal: AbortSignal,
  ): Promise<AnalyzedPlan | { fault: PlanFault }>;
}

export interface PlanBlobs {
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Buffer | undefined>;
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<{ key: string; modified_at: Date }>;
}

export interface Sealer {
  seal(plain: Uint8Array, aad: string): Buffer;
  open(sealed: Uint8Array, aad: string): Buffer;
}

export type JobStatus = 'pending' | 'running' | 'done' | 'error';

export interface LlmJob {
  id: string;
  org_id: string;
  kind: 'analyze' | 'fix' | 'drift-narrative' | 'iac-gen';
  status: JobStatus;
  scan_run_id: string;
  payload_key: string | null;
  error: string | null;
  error_class: string | null;
  attempts: number;
  created_at: Date;
  finished_at: Date | null;
}

/** A job while this process holds it: `attempts` is the fence, a later claim makes this one's writes void. */
export type Claim = LlmJob & { payload_key: string };
