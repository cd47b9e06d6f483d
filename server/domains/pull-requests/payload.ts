/** Where plans of pull requests wait, sealed, until their result was read. */
export const PAYLOAD_PREFIX = 'pull-request-plans/';

/** A row that takes in another plan takes another id with it: no two plans ever share a key. */
export function payloadKey(orgId: string, plan_id: string): string {
  return `${PAYLOAD_PREFIX}${orgId}/${plan_id}`;
}

/** Binds a sealed plan to its row: under another org or id it does not open. */
export function payloadAad(orgId: string, plan_id: string): string {
  return `pull_request_plans.payload|${orgId}|${plan_id}`;
}
