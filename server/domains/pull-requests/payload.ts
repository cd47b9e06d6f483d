/** Prefix of plans of pull requests, which are stored encrypted until their result was read. */
export const PAYLOAD_PREFIX = 'pull-request-plans/';

/** A row that gets another plan gets another id as well, so two plans never share a key. */
export function payloadKey(orgId: string, plan_id: string): string {
  return `${PAYLOAD_PREFIX}${orgId}/${plan_id}`;
}

/** Binds an encrypted plan to its row: it cannot be decrypted under another organization or id. */
export function payloadAad(orgId: string, plan_id: string): string {
  return `pull_request_plans.payload|${orgId}|${plan_id}`;
}
