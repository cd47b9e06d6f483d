import type { PlanAnalysis } from '../../../engine/index.ts';
import type { Schemas } from '../../../sdk/src/index.ts';
import { splitRepo } from '../ci-context.ts';
import { type Connection, openConnection } from '../connection.ts';
import { Failure } from '../failure.ts';
import { createStatusLine } from '../progress.ts';
import { buildSubmission, type ReportFormat, writeReport } from '../submission/report.ts';
import { writeTable } from '../table.ts';
import { shouldUseColor } from '../terminal.ts';

export interface JobsOptions {
  org?: string;
  url?: string;
  wait?: boolean;
  format: ReportFormat;
  top: number;
  timeout: number;
  limit: number;
  repo?: string;
  pr?: number;
}

type Job = Schemas['JobPoll'];
type ScanRun = Schemas['ListedScanRun'];

const PAGE = 200;
const HEAD = ['JOB', 'STATUS', 'LEVEL', 'AGE', 'SOURCE', 'BRANCH', 'COMMIT'];

/** Prints one job, or the newest analyses if there is no ID. */
export async function jobs(job_id: string | undefined, options: JobsOptions): Promise<void> {
  const connection = await openConnection(options);
  process.stdout.write(
    job_id === undefined ? await list(connection, options) : await show(connection, job_id, options),
  );
}

async function show({ dpa, org_id }: Connection, job_id: string, options: JobsOptions): Promise<string> {
  const { wait = false, timeout, format } = options;
  const status = createStatusLine();
  if (wait) status.show(`waiting for job ${job_id}`);
  try {
    const job = wait
      ? await dpa.waitForJob({ org_id, job_id, timeout_ms: timeout * 1_000 })
      : await dpa.call('getLlmJob', { path: { id: org_id, job_id } });
    status.clear();
    // Another service can respond with any JSON.
    if (job?.kind === undefined)
      throw new Failure('the server that responded is not a dpa service: check DPA_URL or --url');
    return format === 'json' ? `${JSON.stringify(job, null, 2)}\n` : renderJob(job, options);
  } finally {
    status.clear();
  }
}

function renderJob(job: Job, { format, top }: JobsOptions): string {
  const page = { top, color: shouldUseColor(process.stdout), width: process.stdout.columns ?? 100 };
  if (job.status === 'error') return `${job.kind}: failed: ${job.error ?? 'no reason given'}\n`;
  if (job.status === 'pending')
    return `${job.kind}: pending since ${job.created_at}; use --wait to wait for the verdict\n`;
  if (job.kind !== 'analyze') return `${JSON.stringify(job.result, null, 2)}\n`;
  const result = job.result as PlanAnalysis;
  const plan = { path: job.job_id, state: 'done' as const, job_id: job.job_id, note: null, retry_at: null, result };
  return writeReport(buildSubmission([{ ...plan, scan_run_id: null }]), format, page);
}

async function list({ dpa, org_id }: Connection, { repo, pr, limit, format }: JobsOptions): Promise<string> {
  const query = {
    ...splitRepo(repo),
    ...(pr === undefined ? {} : { pr_number: pr }),
    limit: Math.min(limit, PAGE),
  };
  const runs: ScanRun[] = [];
  for await (const run of dpa.scans.list({ org_id, ...query })) {
    // Scans of cloud accounts are not analyses.
    if (run.cloud_account_id === null) runs.push(run);
    if (runs.length >= limit) break;
  }
  if (format === 'json') return `${JSON.stringify(runs, null, 2)}\n`;
  const now = new Date();
  return runs.length === 0
    ? 'no analyses yet\n'
    : writeTable(
        HEAD,
        runs.map((run) => toRow(run, now)),
      );
}

function toRow(run: ScanRun, now: Date): string[] {
  const { job_id, status, risk_level, created_at, repo_owner, repo_name, pr_number, branch, commit_sha } = run;
  const pull_request = pr_number === null ? '' : `#${pr_number}`;
  const source = repo_name === null ? '-' : `${repo_owner ?? ''}/${repo_name}${pull_request}`;
  return [
    job_id ?? '-',
    status,
    risk_level ?? '-',
    formatAge(new Date(created_at), now),
    source,
    branch ?? '-',
    commit_sha?.slice(0, 7) ?? '-',
  ];
}

/** `40s`, `5m`, `3h`, `12d`. */
function formatAge(at: Date, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - at.getTime()) / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
