import type { ExposedAccount, Exposure } from '../../../engine/drift/index.ts';
import type { Prompt, SendValues } from '../../../engine/explain/index.ts';
import type {
  FixProposal,
  KnownLive,
  LinkCandidate,
  NoiseOccurrence,
  RiskLevel,
  SkipReason,
  UnknownPattern,
} from '../../../engine/index.ts';
import type { OrgRules, ProposedRules, RuleToTry, RunContext } from '../../../engine/rules/index.ts';
import type { ErrorClass } from '../../lib/error-classes.ts';
import type { RunFacts } from '../../pages/result/run.ts';
import type { DriftLive } from '../drift-pool/types.ts';

/** Messages between the event loop and the plan threads; everything here can be cloned or transferred. */

export interface IntakeTask {
  task: 'intake';
  raw: Uint8Array;
}

/** Trims an untrusted JSON document to a size that an event loop can parse. */
export interface TrimTask {
  task: 'trim';
  raw: Uint8Array;
}

export interface AnalyzeTask {
  task: 'analyze';
  payload: Uint8Array;
  judgement: OrgJudgement;
  /** What a model may be shown; null if no model is called. */
  send_values: SendValues | null;
  /** Fingerprints that a model classified as likely benign. */
  likely_benign: string[];
  /**
   * 16 random hexadecimal digits if the organization has an inventory. `live_resource_id` of a change that may be about
   * one of its resources is then this mark and the ID of the change, which the caller replaces; else it is null.
   */
  link_mark: string | null;
  /** What scans know about the resources of changes, by ID of the change. */
  live: [change_id: string, KnownLive][];
}

/** The rule book for the evaluation. */
export interface OrgJudgement {
  noise_key: Uint8Array;
  rules: OrgRules;
  context: RunContext;
}

/** Tests a rule on a stored analysis. */
export interface DryRunTask {
  task: 'dry-run';
  result_text: string;
  rule: RuleToTry;
}

/** Previews the effect of rules on a stored analysis. */
export interface PreviewTask {
  task: 'preview';
  result_text: string;
  rules: ProposedRules;
}

/** Finds the plans in an archive that a CI run uploaded. */
export interface ArchiveTask {
  task: 'archive';
  zip: Uint8Array;
  options: ArchiveOptions;
}

export interface ArchiveOptions {
  /** Name of the artifact: globs match it before the path of a file. */
  name: string;
  /** Globs over `name/path` of the files to read; null = every file whose name ends in .json. */
  patterns: string[] | null;
  max_plans: number;
  /** Maximum unpacked size of all files. */
  max_bytes: number;
}

/** A plan of an archive, pruned and compressed, or why it cannot be read; an empty path stands for the archive. */
export type FoundArchivePlan = { path: string } & (
  | { plan_hash: string; payload: Uint8Array<ArrayBuffer>; error?: never }
  | { error: string; plan_hash?: never; payload?: never }
);

export interface OpenedArchive {
  plans: FoundArchivePlan[];
  /** Number of JSON files that are not plans. */
  skipped: number;
  /** Unpacked size of its files in bytes. */
  unpacked_bytes: number;
  /** Why nothing was read, for people. */
  refused: string | null;
}

/** Why a plan was rejected. `plan_too_complex` occurs only in a job's error: the analysis exceeded its budget. */
export interface PlanFault {
  error_class: 'invalid_plan_json' | 'unsupported_plan_version' | 'plan_too_complex';
  message: string;
}

/** The content of `plan_json`: a plan, pruned and compressed for storage, or the reason why it is not one. */
export type PlanIntake = { payload: Uint8Array } | { fault: PlanFault };

export interface TakenPlan {
  body: unknown;
  plan: PlanIntake | null;
}

export type IntakeReply =
  | TakenPlan
  /** The body is not acceptable JSON. */
  | { refused: { error_class: ErrorClass; message: string } };

export interface AnalyzedPlan {
  /** The engine's PlanAnalysis as JSON text. */
  text: string;
  /** The cloud of most changes; null if it is none of the three. */
  provider: 'aws' | 'gcp' | 'azure' | null;
  resource_count: number;
  /** The noise patterns that occurred. */
  occurrences: NoiseOccurrence[];
  /** Owners that the provider configuration and prior values name, at most 200. */
  owners: string[];
  /** The changes with a mark; none without `link_mark`. */
  link_candidates: LinkCandidate[];
  /** Patterns that a model could classify as noise: at most 50. */
  unknown_patterns: UnknownPattern[];
  /** The prompt for a model; null if no model is called. */
  prompt: Prompt | null;
}

export type AnalyzeReply = AnalyzedPlan | { fault: PlanFault };

/** Adds the response of a model to a result, as far as it can be verified. */
export interface ExplainTask {
  task: 'explain';
  /** The engine's analysis as JSON text. */
  text: string;
  answer: string;
  prompt_version: string;
  send_values: SendValues;
  /** Whether concerns of the model count for checks and commands. */
  count_concerns: boolean;
  judgement: Pick<OrgJudgement, 'rules' | 'context'>;
}

export type ExplainReply =
  | {
      text: string;
      parsed: unknown;
      /** The new levels of the changes that the model raised, by ID of the change. */
      raised: Record<string, RiskLevel>;
    }
  | { unusable: string };

/** Adds the reason why no model wrote the text to a result. */
export interface UnexplainedTask {
  task: 'unexplained';
  text: string;
  why: { reason: string } | { skip_reason: SkipReason };
}

/** Generates fixes for a noise pattern. */
export interface FixTask {
  task: 'fix';
  /** The last result that contains the pattern; null if it is no longer stored. */
  result_text: string | null;
  pattern: FixPattern;
  /** What a model may be shown; null if no model is called. */
  send_values: SendValues | null;
}

export interface FixReply {
  proposal: FixProposal;
  /** The prompt for a model; null if no model is called. */
  prompt: Prompt | null;
}

/** Orders and describes fixes as a model responded, as far as it can be verified. */
export interface AdviseTask {
  task: 'advise';
  proposal: FixProposal;
  /** The user part of the prompt. */
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

/** Judges which live resources are public. */
export interface ExposuresTask {
  task: 'exposures';
  accounts: readonly ExposedAccountLives[];
}

/** Resources of one account, and those that decide whether they are public. */
export interface ExposedAccountLives {
  account: ExposedAccount;
  resources: readonly ListedLive[];
  neighbors: readonly ListedLive[];
}

/** A live resource with its properties as JSON text. */
export type ListedLive = Omit<DriftLive, 'normalized_type' | 'iac_resource_id'>;

/** By ID of the live resource. */
export type ExposuresReply = Record<string, Exposure>;

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
  | ExposuresTask
  | PageTask;
