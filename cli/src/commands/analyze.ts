import {
  createAnalysis,
  type PlanAnalysis,
  PlanError,
  type RiskLevel,
  type RuleBook,
  renderMarkdown,
  renderText,
} from '../../../engine/index.ts';
import { readCiJob } from '../ci-context.ts';
import { createParserLoader } from '../document-parsers.ts';
import { EXIT_TOO_RISKY, shouldFail } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { readInput } from '../input.ts';
import { findInputFiles, type JsonFile } from '../json-files.ts';
import { prepareForBytes } from '../large-input.ts';
import { isLikelyPlan } from '../plan-files.ts';
import type { SubmittedPlan } from '../submission/types.ts';
import { shouldUseColor } from '../terminal.ts';

export interface AnalyzeCommandOptions {
  format: 'text' | 'json' | 'markdown';
  failOn?: RiskLevel;
  top: number;
  /** Files to write the result to, `.json` or `.md`, in the same format as `dpa submit`. */
  report: string[];
  /** File with the rules of the organization. */
  rules?: string;
  /** Repository and branch for rules that match on them; detected in CI. */
  repo?: string;
  branch?: string;
}

/** Analyzes plans, prints the verdict and sets the exit code. */
export async function analyze(paths: string[], options: AnalyzeCommandOptions): Promise<void> {
  if (options.report.length > 0) (await import('../submission/report-files.ts')).assertReportFiles(options.report);
  const files = await findInputFiles(paths);
  const [only] = files as [JsonFile];
  return files.length > 1 || only.is_from_folder ? analyzeMany(files, options) : analyzeOne(only, options);
}

async function analyzeOne(file: JsonFile, options: AnalyzeCommandOptions): Promise<void> {
  const plan = (await judgeFile(file, await loadRules(options))) as SubmittedPlan;
  await writeReports([plan], options);
  if (plan.result === null) throw new Failure(String(plan.note));
  if (shouldFail(plan.result, options.failOn)) process.exitCode = EXIT_TOO_RISKY;
  process.stdout.write(render(plan.result, options));
}

async function judge(path: string, rules: { book?: RuleBook }): Promise<PlanAnalysis> {
  const { observe, parsers } = createParserLoader();
  const analysis = createAnalysis({ ...rules, parsers });
  let bytes = 0;
  for await (const chunk of readInput(path)) {
    bytes += chunk.length;
    prepareForBytes(bytes);
    await observe(chunk);
    analysis.write(chunk);
  }
  return analysis.end();
}

/** Prints one verdict for all plans, in the same format as `dpa submit`. */
async function analyzeMany(files: JsonFile[], options: AnalyzeCommandOptions): Promise<void> {
  const { isComplete, collectResults, buildSubmission, writeReport } = await import('../submission/report.ts');
  const rules = await loadRules(options);
  const plans: SubmittedPlan[] = [];
  for (const file of files) {
    const plan = await judgeFile(file, rules);
    if (plan !== null) plans.push(plan);
  }
  if (plans.length === 0) throw new Failure(`none of the ${files.length} JSON files is a plan`);
  await writeReports(plans, options);
  const submission = buildSubmission(plans);
  if (collectResults(submission).some((result) => shouldFail(result, options.failOn)))
    process.exitCode = EXIT_TOO_RISKY;
  if (!isComplete(submission)) process.exitCode = 1;
  process.stdout.write(writeReport(submission, options.format, toRenderOptions(options)));
}

async function writeReports(plans: SubmittedPlan[], { report, top }: AnalyzeCommandOptions): Promise<void> {
  if (report.length === 0) return;
  const { writeReportFiles } = await import('../submission/report-files.ts');
  await writeReportFiles(plans, report, top);
}

/** Returns null for a file in a folder that is not meant as a plan. */
async function judgeFile(
  { path, is_from_folder }: JsonFile,
  rules: { book?: RuleBook },
): Promise<SubmittedPlan | null> {
  const empty_result = { path, job_id: null, scan_run_id: null, note: null, retry_at: null, result: null };
  try {
    return { ...empty_result, state: 'done', result: await judge(path, rules) };
  } catch (error) {
    if (!(error instanceof PlanError || error instanceof Failure)) throw error;
    if (is_from_folder && error instanceof PlanError && !(await isLikelyPlan(path))) return null;
    return { ...empty_result, state: 'failed', note: error.message };
  }
}

/** Loads the rule language only if there is a rules file. */
async function loadRules({ rules, repo, branch }: AnalyzeCommandOptions): Promise<{ book?: RuleBook }> {
  if (rules === undefined) return {};
  const { readRules } = await import('../rules-file.ts');
  const { repo_owner, repo_name, branch: detected } = readCiJob(process.env).ci;
  const run_context = {
    repo: repo ?? (repo_owner && repo_name ? `${repo_owner}/${repo_name}` : null),
    branch: branch ?? detected ?? null,
  };
  return { book: await readRules(rules, { ...run_context, now: new Date() }) };
}

function render(result: PlanAnalysis, { format, top }: AnalyzeCommandOptions): string {
  if (format === 'json') return `${JSON.stringify(result, null, 2)}\n`;
  if (format === 'markdown') return renderMarkdown(result, { top });
  return renderText(result, toRenderOptions({ top }));
}

function toRenderOptions({ top }: Pick<AnalyzeCommandOptions, 'top'>) {
  return { color: shouldUseColor(process.stdout), top, width: process.stdout.columns ?? 100 };
}
