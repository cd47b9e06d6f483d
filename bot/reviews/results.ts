import { LRUCache } from 'lru-cache';
import type { PlanAnalysis } from '../../engine/index.ts';
import { type Client, isApiError } from '../../sdk/src/index.ts';

/** How far an analysis has come. `gone`: nothing is kept of it any more. */
export type JobResult =
  | { state: 'pending' }
  | { state: 'done'; analysis: PlanAnalysis; trace_ids: readonly string[] }
  | { state: 'error'; message: string }
  | { state: 'gone' };

/** A result may have megabytes; a large pull request has twelve of them. */
const MAX_CACHED_RESULTS = 24;
const GONE = new Set([404, 410]);

/** Reads results of analyses, and remembers those that were read lately: they never change. */
export function createResults() {
  const done = new LRUCache<string, JobResult>({ max: MAX_CACHED_RESULTS });

  /** @throws what the SDK throws, but for a job that is not there */
  async function read(dpa: Client, org_id: string, job_id: string): Promise<JobResult> {
    const known = done.get(`${org_id} ${job_id}`);
    if (known !== undefined) return known;
    const result = await fetchResult(dpa, org_id, job_id);
    if (result.state === 'done') done.set(`${org_id} ${job_id}`, result);
    return result;
  }

  return { read };
}

export type Results = ReturnType<typeof createResults>;

async function fetchResult(dpa: Client, org_id: string, job_id: string): Promise<JobResult> {
  try {
    const job = await dpa.call('getLlmJob', { path: { id: org_id, job_id } });
    if (job.status === 'error') return { state: 'error', message: job.error ?? 'The analysis failed.' };
    if (job.status !== 'done' || job.result === undefined || !('changes' in job.result)) return { state: 'pending' };
    return { state: 'done', analysis: job.result as PlanAnalysis, trace_ids: job.result.trace_ids };
  } catch (error) {
    if (isApiError(error) && GONE.has(error.status)) return { state: 'gone' };
    throw error;
  }
}
