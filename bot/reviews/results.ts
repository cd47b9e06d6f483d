import { LRUCache } from 'lru-cache';
import type { PlanAnalysis } from '../../engine/index.ts';
import { type Client, isApiError } from '../../sdk/src/index.ts';
import { NOTES } from '../notes.ts';

/** The state of an analysis. `gone`: it has expired. */
export type JobResult =
  | { state: 'pending' }
  | { state: 'done'; analysis: PlanAnalysis; trace_ids: readonly string[] }
  | { state: 'error'; message: string }
  | { state: 'gone' };

/** A result can have megabytes; a large pull request has twelve results. */
const MAX_CACHED_RESULTS = 24;
const GONE = new Set([404, 410]);

/** Reads results of analyses and caches recent ones, because results never change. */
export function createResults() {
  const done = new LRUCache<string, JobResult>({ max: MAX_CACHED_RESULTS });

  /** @throws errors of the SDK, except for a job that does not exist */
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
    if (job.status === 'error') return { state: 'error', message: job.error ?? NOTES.analysis_failed };
    if (job.status !== 'done' || job.result === undefined || !('changes' in job.result)) return { state: 'pending' };
    return { state: 'done', analysis: job.result as PlanAnalysis, trace_ids: job.result.trace_ids };
  } catch (error) {
    if (isApiError(error) && GONE.has(error.status)) return { state: 'gone' };
    throw error;
  }
}
