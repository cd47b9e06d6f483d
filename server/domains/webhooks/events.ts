import { InvalidInput } from '../../lib/errors.ts';
import type { ReceivedHeaders } from './signature.ts';
import type { DeliveryHeaders, ScmProvider } from './types.ts';

/** Events that the pull request bot uses; all others are stored without a body and not processed. */
const HANDLED_EVENTS: Record<ScmProvider, ReadonlySet<string>> = {
  github: new Set(['check_run', 'check_suite', 'issue_comment', 'pull_request', 'pull_request_review', 'workflow_run']),
  gitlab: new Set(['Job Hook', 'Merge Request Hook', 'Note Hook', 'Pipeline Hook']),
};

const ID_HEADERS: Record<ScmProvider, { event: string; id: readonly string[] }> = {
  github: { event: 'x-github-event', id: ['x-github-delivery'] },
  // Signed ids come first, because others could be changed in transit.
  gitlab: { event: 'x-gitlab-event', id: ['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'] },
};
const LONGEST_NAME = 255;

/** @throws InvalidInput if the headers do not contain the id of the delivery */
export function readDeliveryHeaders(provider: ScmProvider, headers: ReceivedHeaders): DeliveryHeaders {
  const { event: event_header, id: id_headers } = ID_HEADERS[provider];
  const event = headers[event_header];
  const provider_delivery_id = id_headers.map((name) => headers[name]).find((id) => id !== undefined && id !== '');
  if (!isName(event) || !isName(provider_delivery_id)) {
    throw new InvalidInput(
      `the delivery must contain its event and its id: send ${event_header} and ${id_headers.at(-1)}`,
    );
  }
  return { provider_delivery_id, event, is_handled: HANDLED_EVENTS[provider].has(event) };
}

function isName(value: string | string[] | undefined): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME;
}
