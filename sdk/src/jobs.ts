import { compactPlan } from './compact.ts';
import type { CallOptions, Schemas } from './contract.ts';
import { DpaJobError, DpaTimeoutError, DpaUsageError } from './errors.ts';
import { readRetryAfter, sleep } from './retry.ts';
import type { Send } from './transport.ts';

type JobPoll = Schemas['JobPoll'];

/** Most analyses end sooner than `Retry-After` says: it is what the waits grow to. */
const FIRST_WAIT_MS = 200;
const GROWTH = 1.5;
const DEFAULT_TIMEOUT_MS = 600_000;

export interface WaitOptions {
  signal?: AbortSignal;
  /** How long to wait for the end of the job, in milliseconds; ten minutes unless given. */
  timeout_ms?: number;
  /** Hears of the job as each poll finds it. */
  on_poll?: (job: JobPoll) => void;
}

/** What jobs make, by their kind. */
export interface JobResults {
  analyze: Schemas['AnalyzeResult'];
  fix: Schemas['FixResult'];
}
export type JobKind = JobPoll['kind'];

/** A job that is done; of several kinds, `kind` tells which result it has. */
export type DoneJob<Kind extends JobKind = JobKind> = Kind extends JobKind
  ? Omit<JobPoll, 'kind' | 'status' | 'result'> & {
      kind: Kind;
      status: 'done';
      result: Kind extends keyof JobResults ? JobResults[Kind] : Exclude<JobPoll['result'], undefined>;
    }
  : never;

export interface JobOptions<Kind extends JobKind = JobKind> extends WaitOptions {
  /** The client's unless given. */
  org_id?: string;
  job_id: string;
  /** What the job is expected to make: its result then has that type, and another job is refused. */
  kind?: Kind;
}

export interface AnalyzeOptions extends WaitOptions {
  /** The client's unless given. */
  org_id?: string;
  /** Output of `terraform show -json`: text, its bytes, or the parsed object. */
  plan: string | Uint8Array | object;
  /** Where the plan comes from: repository, pull request, branch, commit. */
  ci?: Schemas['CiContext'];
  /** Names this one attempt, such as the id of a CI job: sent again within 24 hours it finds the same analysis. */
  idempotency_key?: string;
}

/** Sends the plan without what is never read, compressed. */
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
 * Polls a job to its end; polls that find nothing new cost a tenth of a request.
 *
 * @returns the job, which is done
 * @throws DpaJobError when it ended in an error, DpaTimeoutError when it did not end in time, DpaUsageError when it is of
 * another kind than expected
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
  throw new DpaUsageError(`job ${job.job_id} is of kind "${job.kind}", not "${kind}": ask for that kind, or for any`);
}

function toCallOptions(signal: AbortSignal | undefined): CallOptions {
  return signal === undefined ? {} : { signal };
}
