import { inertName } from '../../engine/index.ts';
import { DpaApiError, DpaConnectionError, DpaJobError, DpaTimeoutError } from '../../sdk/src/index.ts';
import type { CommandContext } from './types.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Why there is no answer, in our own words alone: what a server writes into an error may be anything.
 *
 * @param settings_url where an account of a model provider is set; null = nowhere to link to
 * @throws what is no error of a call
 */
export function describeError(error: unknown, { org }: CommandContext, settings_url: string | null): string {
  if (error instanceof DpaApiError)
    return `${describeRefusal(error, { slug: org.slug, settings_url })} ${formatRequestId(error)}`;
  if (error instanceof DpaJobError) return `The work failed. Ask again in an hour. ${formatRequestId(error)}`;
  if (error instanceof DpaTimeoutError || error instanceof DpaConnectionError) {
    return `The service gave no answer in time. Ask again in a few minutes. ${formatRequestId(error)}`;
  }
  throw error;
}

function formatRequestId({ request_id }: { request_id: string }): string {
  return `(request ${inertName(request_id)})`;
}

interface OrgLinks {
  slug: string;
  settings_url: string | null;
}

function describeRefusal(error: DpaApiError, links: OrgLinks): string {
  const { status, retry_after } = error;
  if (status === 402) return describePaymentRequired(error, links);
  if (status === 429)
    return `The organization has asked for as much as it may for now. Ask again ${formatWait(retry_after)}.`;
  if (status === 401 || status === 403) return 'The service refuses the key of this bot: an admin has to link it anew.';
  if (status === 404) return 'No plan of the organization has shown this.';
  if (status === 409) return 'The same is being worked on already. Ask again in a minute.';
  if (status >= 500 || error.error_class === 'foreign_answer') {
    return `The service cannot answer now. Ask again ${formatWait(retry_after)}.`;
  }
  return `The service refuses this with status ${status}.`;
}

/** openapi.yaml, PlatformModelError */
function describePaymentRequired({ body }: DpaApiError, { settings_url }: OrgLinks): string {
  const reset = typeof body === 'object' && body !== null && 'week_resets_at' in body ? body.week_resets_at : null;
  const is_off = typeof body === 'object' && body !== null && 'code' in body && body.code === 'plan_hard_off';
  const when =
    !is_off && typeof reset === 'string' && INSTANT.test(reset)
      ? ` until ${reset.slice(0, 16).replace('T', ' ')} UTC`
      : '';
  const own = settings_url === null ? 'an own model account' : `[an own model account](${settings_url})`;
  return `The plan of the organization has no call of a language model left${when}. With ${own} there is no such limit.`;
}

function formatWait(seconds: number | undefined): string {
  if (seconds === undefined) return 'in a few minutes';
  return seconds < 120 ? `in ${Math.ceil(seconds)} seconds` : `in ${Math.ceil(seconds / 60)} minutes`;
}
