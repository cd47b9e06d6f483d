import { pickFields } from '../../contract/pick-fields.ts';
import type { LlmJob } from './types.ts';

/**
 * Renders the contract's JobPoll as JSON text. A finished result is inserted as it was stored: it can be megabytes, and
 * the event loop does not need to parse it.
 */
export function pollText(job: LlmJob, result_text: string | null): string {
  const head = JSON.stringify({
    job_id: job.id,
    kind: job.kind,
    status: isEnded(job) ? job.status : 'pending',
    ...pickFields(job, ['created_at', 'finished_at']),
    ...(job.status === 'error' ? pickFields(job, ['error', 'error_class']) : {}),
  });
  return result_text === null ? head : `${head.slice(0, -1)},"result":${result_text}}`;
}

export function isEnded(job: LlmJob): boolean {
  return job.status === 'done' || job.status === 'error';
}
