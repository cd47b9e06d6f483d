import { inertName } from '../../engine/index.ts';
import { DpaApiError, DpaConnectionError, DpaJobError, DpaTimeoutError } from '../../sdk/src/index.ts';
import { NOTES } from '../notes.ts';
import type { CommandContext } from './types.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Explains why there is no answer. Uses fixed texts only, because the error message of a server can contain anything.
 *
 * @param settings_url page with the settings of model accounts; null = no link
 * @throws errors other than those of a call
 */
export function describeError(error: unknown, { org }: CommandContext, settings_url: string | null): string {
  if (error instanceof DpaApiError)
    return `${describeRefusal(error, { slug: org.slug, settings_url })} ${formatRequestId(error)}`;
  if (error instanceof DpaJobError) return `The job failed. Try again in an hour. ${formatRequestId(error)}`;
  if (error instanceof DpaTimeoutError || error instanceof DpaConnectionError) {
    return `The service did not respond in time. Try again in a few minutes. ${formatRequestId(error)}`;
  }
  throw error;
}

/** Identifies the request in the log of the service. */
export function formatRequestId({ request_id }: { request_id: string }): string {
  return `(request ${inertName(request_id)})`;
}

interface OrgLinks {
  slug: string;
  settings_url: string | null;
}

function describeRefusal(error: DpaApiError, links: OrgLinks): string {
  const { status, retry_after } = error;
  if (status === 402) return describePaymentRequired(error, links);
  if (status === 429) return `The organization has reached its rate limit. Try again ${formatWait(retry_after)}.`;
  if (status === 401 || status === 403) return NOTES.api_key_invalid;
  if (status === 404) return 'This pattern is not known in the organization.';
  if (status === 409) return 'The same request is already running. Try again in a minute.';
  if (status >= 500 || error.error_class === 'foreign_answer') {
    return `The service is not available. Try again ${formatWait(retry_after)}.`;
  }
  return `The service rejected the request with status ${status}.`;
}

/** openapi.yaml, PlatformModelError */
function describePaymentRequired({ body }: DpaApiError, { settings_url }: OrgLinks): string {
  const reset = typeof body === 'object' && body !== null && 'week_resets_at' in body ? body.week_resets_at : null;
  const is_off = typeof body === 'object' && body !== null && 'code' in body && body.code === 'plan_hard_off';
  const when =
    !is_off && typeof reset === 'string' && INSTANT.test(reset)
      ? ` until ${reset.slice(0, 16).replace('T', ' ')} UTC`
      : '';
  const own = settings_url === null ? 'its own model account' : `[its own model account](${settings_url})`;
  return `The organization has used its language-model quota${when}. With ${own} it has no such limit.`;
}

function formatWait(seconds: number | undefined): string {
  if (seconds === undefined) return 'in a few minutes';
  return seconds < 120 ? `in ${Math.ceil(seconds)} seconds` : `in ${Math.ceil(seconds / 60)} minutes`;
}
