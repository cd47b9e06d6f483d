import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, tryLockOrg } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { CloudScans } from '../cloud-scans/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { Clock } from './clock.ts';
import { type Decided, decideDue, decideWaiting } from './decide.ts';
import type { DueOrg } from './firings-store.ts';
import * as firings from './firings-store.ts';
import type { Lifecycle } from './lifecycle-service.ts';
import { Room } from './room.ts';
import type { Scopes } from './scope-service.ts';
import * as store from './store.ts';
import type { Firing, FiringSchedule } from './types.ts';

/** Schedules of one organization in one transaction. */
const BATCH = 50;

export interface FireOrgDeps extends Pick<ServiceDeps, 'db'> {
  orgs: Pick<Orgs, 'getRoom'>;
  cloudScans: Pick<CloudScans, 'startScheduled'>;
  scopes: Scopes;
  lifecycle: Pick<Lifecycle, 'settle' | 'announce'>;
  clock: Clock;
}

interface FiringContext {
  room: Room;
  now: Date;
}

/** Starts the runs of one organization. */
export function createFireOrg({ db, orgs, cloudScans, scopes, lifecycle, clock }: FireOrgDeps) {
  /**
   * Starts runs that are due or wait, with their scans, in one transaction.
   *
   * @returns what was decided; empty if nothing is due, or if another process works on the organization
   */
  async function fireOrg({ org_id, has_waiting }: DueOrg): Promise<Decided[]> {
    return db.inOrg(org_id, async (trx) => {
      // Statements that do not depend on each other share a round trip.
      const [is_locked, now] = await Promise.all([tryLockOrg(trx, org_id), clock(trx)]);
      if (!is_locked) return [];
      const [waiting, due, room] = await Promise.all([
        has_waiting ? firings.claimWaiting(trx, org_id, now, BATCH) : [],
        store.claimDue(trx, org_id, now, BATCH),
        orgs.getRoom(trx, org_id, 'concurrent_scans'),
      ]);
      const context = { now, room: new Room(room) };
      const resumed = await resumeAll(trx, org_id, waiting, context);
      // Runs that go on can have changed the schedules.
      const current = resumed.length > 0 ? await store.claimDue(trx, org_id, now, BATCH) : due;
      const fired = await fireDue(trx, org_id, current, context);
      await lifecycle.announce(trx, org_id, listDisabled(fired));
      return [...resumed, ...fired];
    });
  }

  /** Starts waiting scans, as far as there is room. */
  async function resumeAll(
    trx: Db,
    org_id: string,
    waiting: readonly Firing[],
    context: FiringContext,
  ): Promise<Decided[]> {
    const decided: Decided[] = [];
    for (const firing of waiting) {
      decided.push(await resume(trx, org_id, firing, context));
    }
    return decided;
  }

  async function resume(trx: Db, org_id: string, firing: Firing, context: FiringContext): Promise<Decided> {
    const schedule = await store.lockSchedule(trx, org_id, firing.schedule_id);
    const accounts = schedule === undefined ? [] : (await scopes.load(trx, org_id, [schedule]))(schedule);
    const decided = decideWaiting({ firing, schedule, accounts, ...context });
    await cloudScans.startScheduled(trx, org_id, decided.scans);
    await firings.updateFiring(trx, org_id, firing.id, decided.changes);
    if (decided.state !== null) await store.saveStates(trx, org_id, [decided.state], context.now);
    await lifecycle.settle(trx, org_id, firing.id);
    return decided;
  }

  async function fireDue(
    trx: Db,
    org_id: string,
    claimed: readonly FiringSchedule[],
    context: FiringContext,
  ): Promise<Decided[]> {
    if (claimed.length === 0) return [];
    const { due, accountsOf } = await prepare(trx, org_id, claimed, context.now);
    const decided = due.map((schedule) =>
      decideDue({ id: newId(), schedule, accounts: accountsOf(schedule), ...context }),
    );
    const rows = decided.map(({ firing }) => firing);
    const added = await firings.insertFirings(trx, org_id, rows);
    const fired: Decided[] = decided.map((one) => (added.has(one.firing.id) ? one : one.repeated));
    const scans = fired.flatMap((one) => one.scans);
    const states = fired.flatMap(({ state }) => state ?? []);
    await Promise.all([
      scans.length > 0 ? cloudScans.startScheduled(trx, org_id, scans) : null,
      store.saveStates(trx, org_id, states, context.now),
    ]);
    return fired;
  }

  /** What due schedules scan. Their new runs replace earlier ones that still wait. */
  async function prepare(trx: Db, org_id: string, claimed: readonly FiringSchedule[], now: Date) {
    const waiting = claimed.filter((schedule) => schedule.has_waiting).map(({ id }) => id);
    if (waiting.length === 0) return { due: claimed, accountsOf: await scopes.load(trx, org_id, claimed) };
    const replaced = await firings.dropWaiting(trx, org_id, waiting);
    for (const firing_id of replaced) await lifecycle.settle(trx, org_id, firing_id);
    // Counting the replaced runs can have changed the schedules.
    const due = await store.claimDue(trx, org_id, now, BATCH);
    return { due, accountsOf: await scopes.load(trx, org_id, due) };
  }

  return fireOrg;
}

export type FireOrg = ReturnType<typeof createFireOrg>;

function listDisabled(decided: readonly Decided[]): string[] {
  return decided.flatMap(({ was_enabled, state }) =>
    state !== null && was_enabled && !state.enabled ? [state.id] : [],
  );
}
