import type { OrgDatabase } from '../../db/index.ts';
import type { Logger } from '../../log.ts';
import * as store from './lease-store.ts';

export interface LeaseDeps {
  db: OrgDatabase;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
  lease_ms: number;
}

/**
 * Renews a lease while its holder works.
 *
 * @returns `signal` aborts as soon as another process has the pull request, or could take it before the next renewal
 */
export function keepAlive({ db, now, log, lease_ms }: LeaseDeps, lease: store.Lease) {
  const lost = new AbortController();
  const every_ms = lease_ms / 3;
  const abort = () => lost.abort();
  let deadline = setTimeout(abort, lease_ms);
  const heartbeat = setInterval(() => void renew(), every_ms);

  async function renew(): Promise<void> {
    const begun = performance.now();
    try {
      const until = new Date(now().getTime() + lease_ms);
      if (!(await db.inOrg(lease.org_id, (trx) => store.renewLease(trx, lease, until)))) return abort();
    } catch (error) {
      return log.warn({ err: error, pull_request_id: lease.id }, 'lease of a pull request not renewed');
    }
    if (lost.signal.aborted) return;
    clearTimeout(deadline);
    deadline = setTimeout(abort, lease_ms - (performance.now() - begun));
  }

  function stop(): void {
    clearInterval(heartbeat);
    clearTimeout(deadline);
    abort(); // a running renewal starts no new timer
  }

  return { signal: lost.signal, stop };
}
