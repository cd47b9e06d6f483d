import type { SendValues } from '../../../engine/explain/index.ts';
import type { DryRun, Preview, ProposedRules, RuleToTry } from '../../../engine/rules/index.ts';
import type { RunFacts } from '../../pages/result/run.ts';
import type {
  AdviseReply,
  AdviseTask,
  AnalyzeReply,
  AnalyzeTask,
  ArchiveOptions,
  ExplainReply,
  ExplainTask,
  ExposedAccountLives,
  ExposuresReply,
  FixReply,
  FixTask,
  OpenedArchive,
  OrgJudgement,
  TakenPlan,
  UnexplainedTask,
} from './tasks.ts';

export type { AnalyzedPlan, ExposedAccountLives, ListedLive, OrgJudgement, PlanFault, PlanIntake } from './tasks.ts';

/**
 * Worker threads that parse and analyze plans. Each task has a time and memory budget that grows with its input; a task
 * that exceeds it is terminated, with the result that the method documents. Organizations alternate.
 */
export interface PlanPool {
  /**
   * Reads the body of an analyze request.
   *
   * @returns `body` with the plan replaced by a short placeholder of the same JSON type, for contract validation;
   *   `plan` is null if `plan_json` is missing or not a string
   * @throws InvalidInput `invalid_json`; Unprocessable `body_too_complex` if it exceeds its budget
   */
  intake(org_id: string, raw: Buffer): Promise<TakenPlan>;
  /**
   * @returns the document trimmed to a size that an event loop can parse; null if it is not JSON or exceeds the budget
   */
  trimJson(org_id: string, raw: Uint8Array): Promise<Uint8Array | null>;
  /** @returns `refused` if it exceeds its budget */
  openArchive(org_id: string, zip: Uint8Array, options: ArchiveOptions, signal: AbortSignal): Promise<OpenedArchive>;
  /** @returns the fault `plan_too_complex` if it exceeds its budget */
  analyze(
    org_id: string,
    payload: Uint8Array,
    options: {
      judgement: OrgJudgement;
      send_values: SendValues | null;
      /** Fingerprints that a model classified as such. */
      likely_benign: string[];
      /** See `AnalyzeTask`; null by default. */
      link_mark?: string | null;
      /** See `AnalyzeTask`; nothing by default. */
      live?: AnalyzeTask['live'];
      /** The plan comes from an archive, and can be larger than a request. */
      from_archive?: boolean;
    },
    signal: AbortSignal,
  ): Promise<AnalyzeReply>;
  /** The result with the verified parts of a model's response; `unusable` if it exceeds its budget. */
  explain(org_id: string, task: Omit<ExplainTask, 'task'>): Promise<ExplainReply>;
  /** The result with the reason why no model wrote its text. */
  markUnexplained(org_id: string, text: string, why: UnexplainedTask['why']): Promise<string>;
  /**
   * Generates the fixes of a pattern, and the prompt about them. If it exceeds its budget, they are generated without
   * the stored result.
   */
  fix(org_id: string, task: Omit<FixTask, 'task'>): Promise<FixReply>;
  /** The fixes with the verified parts of a model's response; `unusable` if it exceeds its budget. */
  advise(org_id: string, task: Omit<AdviseTask, 'task'>): Promise<AdviseReply>;
  /** @param result_text a stored result. @throws Unprocessable `rule_too_complex` if it exceeds its budget */
  dryRun(org_id: string, result_text: string, rule: RuleToTry): Promise<DryRun>;
  /** @throws Unprocessable `rule_too_complex` if it exceeds its budget */
  preview(org_id: string, result_text: string, rules: ProposedRules): Promise<Preview>;
  /** Which live resources are public, by their IDs; empty if it exceeds its budget. */
  findExposures(org_id: string, accounts: readonly ExposedAccountLives[]): Promise<ExposuresReply>;
  /** A complete HTML document. @throws Unprocessable `plan_too_complex` if it exceeds its budget */
  resultPage(org_id: string, result_text: string, run: RunFacts): Promise<string>;
  /** Rejects if tasks wait and none ends, or threads do not start. */
  check(): Promise<void>;
  /** Terminates the threads and their tasks. */
  close(): Promise<void>;
}
