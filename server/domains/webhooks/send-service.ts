import type { GuardedFetch } from '../../adapters/egress/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { openAddress } from './address.ts';
import type { GetSecrets } from './secret-service.ts';
import { type Attempt, buildHeaders, classifyStatus, readWait } from './sending.ts';
import type { StoredTarget } from './types.ts';

const TIMEOUT_MS = 10_000;

export interface SenderDeps extends Pick<ServiceDeps, 'sealer' | 'now'> {
  guardedFetch: GuardedFetch;
  getSecrets: GetSecrets;
  /** How long a server may take to respond; ten seconds by default. */
  send_timeout_ms?: number;
}

/** Makes one attempt to deliver a message. */
export type Send = (
  orgId: string,
  config: { id: string } & Pick<StoredTarget, 'provider_base_url' | 'target_ct'>,
  message: { id: string; body: string },
) => Promise<Attempt>;

/** Takes at most ten seconds; a redirect is a failure, and the body of the response is not read. */
export function createSender(deps: SenderDeps): Send {
  const { guardedFetch, getSecrets, sealer, send_timeout_ms = TIMEOUT_MS, now } = deps;
  return async (orgId, config, message) => {
    const begun = now();
    const headers = buildHeaders(await getSecrets(orgId, config.id), message, begun);
    const address = openAddress(sealer, orgId, config);
    const signal = AbortSignal.timeout(send_timeout_ms);
    const { host } = new URL(address);
    const outcome = (http_status: number | null, error: string | null, retry_after_ms: number | null): Attempt => {
      return { http_status, error, duration_ms: now().getTime() - begun.getTime(), retry_after_ms };
    };
    try {
      const answer = await guardedFetch(address, { method: 'POST', headers, body: message.body, signal });
      await answer.body?.cancel();
      if (classifyStatus(answer.status) === 'delivered') return outcome(answer.status, null, null);
      const error = `${host} responded with status ${answer.status}`;
      return outcome(answer.status, error, readWait(answer.headers.get('retry-after'), now()));
    } catch (error) {
      if (signal.aborted)
        return outcome(null, `${host} did not respond within ${send_timeout_ms / 1000} seconds`, null);
      return outcome(null, isOurs(error) ? error.message : `${host} closed the connection`, null);
    }
  };
}

/** Errors of the guard contain only this service's words; others may echo the request. */
function isOurs(error: unknown): error is Error {
  return error instanceof Error && error.name === 'EgressError';
}
