import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Clock } from './clock.ts';
import type { Decided } from './decide.ts';
import type { FireOrg } from './fire-org-service.ts';
import { type DueOrg, listDueOrgs } from './firings-store.ts';

/** Organizations that are looked at before the list is read again, so that a new one waits only for these. */
const MOST_ORGS = 24;
/** Organizations at the same time, each with a connection. */
const CONCURRENCY = 4;

export interface FiringDeps extends Pick<ServiceDeps, 'platform_db' | 'log'> {
  fireOrg: FireOrg;
  clock: Clock;
  /** Is called for each run. */
  onFired: (run: Pick<Decided, 'outcome' | 'late_ms'>) => void;
}

/** Starts the runs of all organizations that are due. Any number of processes can do this at the same time. */
export function createFiring({ platform_db, fireOrg, clock, onFired, log }: FiringDeps) {
  /** Organizations that failed when they were last tried. */
  const failing = new Set<string>();

  /** Fires what the organizations with the longest wait have due. @returns whether more may be due */
  async function fire(): Promise<boolean> {
    const orgs = (await listDueOrgs(platform_db, await clock(platform_db), MOST_ORGS)).reverse();
    let count = 0;
    const fireNext = async () => {
      for (let org = orgs.pop(); org !== undefined; org = orgs.pop()) count += await attempt(org);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, fireNext));
    return count > 0;
  }

  /** An organization whose schedules cannot be fired does not keep others from theirs. */
  async function attempt(org: DueOrg): Promise<number> {
    const { org_id } = org;
    try {
      const decided = await fireOrg(org);
      failing.delete(org_id);
      decided.forEach(onFired);
      return decided.length;
    } catch (error) {
      if (!failing.has(org_id)) log.warn({ err: error, org_id }, 'schedules were not fired; they are tried again');
      failing.add(org_id);
      return 0;
    }
  }

  return { fire };
}
