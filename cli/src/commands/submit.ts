import { readFile } from 'node:fs/promises';
import type { RiskLevel } from '../../../engine/index.ts';
import { type CiJob, type GitHubEvent, readCiJob, splitRepo } from '../ci-context.ts';
import { type Connection, openConnection } from '../connection.ts';
import { EXIT_TOO_RISKY, shouldFail } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { readAllInput } from '../input.ts';
import { createStatusLine } from '../progress.ts';
import { awaitPlan, createRuleBookReader, submitPlan } from '../submission/plan.ts';
import { buildSubmission, collectResults, isComplete, type ReportFormat, writeReport } from '../submission/report.ts';
import { assertReportFiles, writeReportFiles } from '../submission/report-files.ts';
import type { SubmittedPlan } from '../submission/types.ts';
import { shouldUseColor } from '../terminal.ts';

export interface SubmitOptions {
  org?: string;
  url?: string;
  wait?: boolean;
  failOn?: RiskLevel;
  format: ReportFormat;
  top: number;
  /** Files to write the report to, `.json` or `.md`. */
  report: string[];
  /** Seconds. */
  timeout: number;
  repo?: string;
  pr?: number;
  commit?: string;
  branch?: string;
}

/** Sends plans to the service, optionally waits for the verdicts, prints them and sets the exit code. */
export async function submit(paths: string[], options: SubmitOptions): Promise<void> {
  const { failOn, wait = failOn !== undefined } = options;
  assertInputs(paths, options);
  const connection = await openConnection(options);
  const queued = await send(connection, paths, await readJob(options));
  const submission = buildSubmission(wait ? await awaitAll(connection, queued, options.timeout * 1_000) : queued);

  await writeReportFiles(submission.plans, options.report, options.top);
  if (collectResults(submission).some((result) => shouldFail(result, failOn))) process.exitCode = EXIT_TOO_RISKY;
  if (!isComplete(submission)) process.exitCode = 1;
  const page = { top: options.top, color: shouldUseColor(process.stdout), width: process.stdout.columns ?? 100 };
  process.stdout.write(writeReport(submission, options.format, page));
}

function assertInputs(paths: string[], { report }: SubmitOptions): void {
  if (paths.filter((path) => path === '-').length > 1) throw new Failure('standard input (-) can be used only once');
  assertReportFiles(report);
}

/** Sends plans one after the other, because each is in memory as a whole; the service analyzes them in the meantime. */
async function send(connection: Connection, paths: string[], job: CiJob): Promise<SubmittedPlan[]> {
  const plans: SubmittedPlan[] = [];
  const readRuleBook = createRuleBookReader(connection);
  for (const path of paths) {
    plans.push(await submitPlan(connection, { path, plan: await readAllInput(path), job }, readRuleBook));
  }
  return plans;
}

async function awaitAll(connection: Connection, queued: SubmittedPlan[], timeout_ms: number): Promise<SubmittedPlan[]> {
  const status = createStatusLine();
  const plans: SubmittedPlan[] = [];
  try {
    for (const plan of queued) {
      status.show(`waiting for the verdict on ${plan.path} (${plans.length + 1} of ${queued.length})`);
      plans.push(await awaitPlan(connection, plan, timeout_ms));
    }
  } finally {
    status.clear();
  }
  return plans;
}

/** Options override the values of the CI job. */
async function readJob({ repo, pr, commit, branch }: SubmitOptions): Promise<CiJob> {
  const job = readCiJob(process.env, await readEvent(process.env['GITHUB_EVENT_PATH']));
  if (repo !== undefined && !repo.includes('/')) throw new Failure(`--repo ${repo}: use <owner>/<name>`);
  const { repo_url, ...detected } = job.ci;
  return {
    ...job,
    ci: {
      ...detected,
      ...(repo === undefined && repo_url !== undefined ? { repo_url } : {}),
      ...splitRepo(repo),
      ...(pr === undefined ? {} : { pr_number: pr }),
      ...(commit === undefined ? {} : { commit_sha: commit }),
      ...(branch === undefined ? {} : { branch }),
    },
  };
}

/** Without the event, the commit is GitHub's temporary merge commit; that is no reason to fail. */
async function readEvent(path: string | undefined): Promise<GitHubEvent> {
  if (!path) return {};
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return {};
  }
}
