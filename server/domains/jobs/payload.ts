/** Where submitted plans wait, sealed, until their job has ended. */
export const PAYLOAD_PREFIX = 'plans/';

export function payloadKey(orgId: string, job_id: string): string {
  return `${PAYLOAD_PREFIX}${orgId}/${job_id}`;
}

/** Binds a sealed plan to its job: under another name it does not open. */
export function payloadAad(orgId: string, job_id: string): string {
  return `llm_jobs.payload|${orgId}|${job_id}`;
}
