/** Prefix of submitted plans, which are stored encrypted until their job has ended. */
export const PAYLOAD_PREFIX = 'plans/';

export function payloadKey(orgId: string, job_id: string): string {
  return `${PAYLOAD_PREFIX}${orgId}/${job_id}`;
}

/** Binds an encrypted plan to its job: it cannot be decrypted under another id. */
export function payloadAad(orgId: string, job_id: string): string {
  return `llm_jobs.payload|${orgId}|${job_id}`;
}
