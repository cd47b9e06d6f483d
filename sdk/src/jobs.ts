import { compactPlan } from './compact.ts';
import type { CallOptions, Schemas } from './contract.ts';
import { DpaJobError, DpaTimeoutError, DpaUsageError } from './errors.ts';
import { readRetryAfter, sleep } from './retry.ts';
import type { Send } from './transport.ts';

type JobPoll = Schemas['JobPoll'];

/** Most analyses end before `Retry-After`, so the interval starts here and grows to that value. */
const FIRST_WAIT_MS = 200;
const GROWTH = 1.5;
const DEFAULT_TIMEOUT_MS = 600_000;

export interface WaitOptions {
  signal?: AbortSignal;
  /** Time limit for the job, in milliseconds; default: ten minutes. */
  timeout_ms?: number;
  /** Called with the job after each poll. */
  on_poll?: (job: JobPoll) => void;
}

/** Results of jobs, by kind. */
export interface JobResults {
  analyze: Schemas['AnalyzeResult'];
  fix: Schemas['FixResult'];
}
export type JobKind = JobPoll['kind'];

/** A finished job; `kind` determines the type of its result. */
export type DoneJob<Kind extends JobKind = JobKind> = Kind extends JobKind
  ? Omit<JobPoll, 'kind' | 'status' | 'result'> & {
      kind: Kind;
      status: 'done';
      result: Kind extends keyof JobResults ? JobResults[Kind] : Exclude<JobPoll['result'], undefined>;
    }
  : never;

export interface JobOptions<Kind extends JobKind = JobKind> extends WaitOptions {
  /** Default: the organization of the client. */
  org_id?: string;
  job_id: string;
  /** The expected kind: it determines the type of the result, and a job of another kind is an error. */
  kind?: Kind;
}

export interface AnalyzeOptions extends WaitOptions {
  /** Default: the organization of the client. */
  org_id?: string;
  /** Output of `terraform show -json`: text, its bytes, or the parsed object. */
  plan: string | Uint8Array | object;
  /** Origin of the plan: repository, pull request, branch, commit. */
  ci?: Schemas['CiContext'];
  /** Identifies this attempt, such as the ID of a CI job: the same key within 24 hours returns the same analysis. */
  idempotency_key?: string;
}

/** Sends the plan compressed, without the members that the service never reads. */
export async function submitPlan(
  send: Send,
  options: AnalyzeOptions & { org_id: string },
): Promise<Schemas['AnalyzeAccepted']> {
  const { org_id, plan, ci, idempotency_key, signal } = options;
  const { body } = await send('analyzePlan', {
    path: { id: org_id },
    headers: { 'Idempotency-Key': idempotency_key },
    body: { plan_json: compactPlan(plan), ...(ci === undefined ? {} : { ci }) },
    ...toCallOptions(signal),
  });
  return body as Schemas['AnalyzeAccepted'];
}

/**
 * Polls a job until it ends. A poll without news costs a tenth of a request in the rate limit.
 *
 * @returns the finished job
 * @throws DpaJobError if it ended with an error, DpaTimeoutError if it did not end in time, DpaUsageError if it has another
 * kind than expected
 */
export async function waitForJob<Kind extends JobKind>(
  send: Send,
  options: JobOptions<Kind> & { org_id: string },
): Promise<DoneJob<Kind>> {
  const { org_id, job_id, kind, signal, timeout_ms = DEFAULT_TIMEOUT_MS, on_poll } = options;
  const path = { id: org_id, job_id };
  const until = Date.now() + timeout_ms;
  let etag: string | null = null;
  let job: JobPoll | undefined;
  let longest_ms = FIRST_WAIT_MS;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * GROWTH, longest_ms)) {
    const conditional = etag === null ? {} : { headers: { 'If-None-Match': etag } };
    const reply = await send('getLlmJob', { path, ...conditional, ...toCallOptions(signal) });
    if (reply.status !== 304) job = reply.body as JobPoll;
    if (job !== undefined) on_poll?.(job);
    if (job !== undefined && kind !== undefined) assertKind(job, kind);
    if (job?.status === 'done') return job as DoneJob<Kind>;
    if (job?.status === 'error') throw new DpaJobError(job, reply.request_id);
    if (Date.now() + wait > until) throw new DpaTimeoutError('getLlmJob', reply.request_id, timeout_ms, job_id);
    etag = reply.headers.get('etag');
    longest_ms = (readRetryAfter(reply.headers) ?? longest_ms / 1_000) * 1_000;
    await sleep(wait, signal);
  }
}

function assertKind(job: JobPoll, kind: JobKind): void {
  if (job.kind === kind) return;
  throw new DpaUsageError(`job ${job.job_id} has the kind "${job.kind}", not "${kind}": pass that kind, or no kind`);
}

function toCallOptions(signal: AbortSignal | undefined): CallOptions {
  return signal === undefined ? {} : { signal };
}
