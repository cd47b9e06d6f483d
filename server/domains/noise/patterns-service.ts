import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Counts } from './counts-service.ts';
import { changeWindow } from './counts-store.ts';
import * as store from './patterns-store.ts';
import type { NoiseSettings, Pattern, PatternFilter } from './types.ts';

export const COUNTED_ADDRESSES = 100;

export interface PatternsDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  counts: Pick<Counts, 'settle'>;
  audit: Pick<AuditWriter, 'record'>;
}

export function createPatterns({ db, counts, audit, log, now }: PatternsDeps) {
  /** Up to 500 recurring patterns as last counted, most frequent first, with the settings used. */
  async function list(orgId: string, filter: PatternFilter): Promise<{ patterns: Pattern[]; settings: NoiseSettings }> {
    const settings = await db.readInOrg(orgId, (read) => store.getSettings(read, orgId));
    const { recurrence_threshold } = settings;
    const patterns = await db.readInOrg(orgId, (read) =>
      store.listPatterns(read, orgId, { ...filter, recurrence_threshold, now: now() }),
    );
    return { patterns: patterns.sort(byFrequency), settings };
  }

  /** A pattern at its most frequent address; undefined if it is in no counted plan of the organization. */
  async function find(orgId: string, fingerprint: string): Promise<Pattern | undefined> {
    return db.readInOrg(orgId, (read) => store.findPattern(read, orgId, fingerprint));
  }

  /** At how many addresses a pattern occurs; counts up to `COUNTED_ADDRESSES`. */
  async function countAddresses(orgId: string, fingerprint: string): Promise<number> {
    return db.readInOrg(orgId, (read) => store.countAddresses(read, orgId, fingerprint, COUNTED_ADDRESSES + 1));
  }

  /**
   * Counts the noise of the last analyses, which `list` and `find` then include. A failure is only logged, because a
   * slightly outdated list is better than none.
   */
  async function settlePending(orgId: string): Promise<void> {
    try {
      const unsettled = await db.readInOrg(orgId, (read) => store.isUnsettled(read, orgId, now()));
      if (unsettled) await counts.settle(orgId);
    } catch (error) {
      log.warn({ err: error, org_id: orgId }, 'plan noise not counted before listing it');
    }
  }

  /** Sets both settings; they apply from the next list on. Nothing is audited if they do not change. */
  async function updateSettings(principal: Principal, orgId: string, requested: NoiseSettings): Promise<NoiseSettings> {
    const { recurrence_threshold, window_days } = requested;
    const settings = { recurrence_threshold, window_days };
    const changed = await db.inOrg(orgId, async (trx) => {
      const old = await store.lockSettings(trx, orgId);
      if (old.recurrence_threshold === recurrence_threshold && old.window_days === window_days) return false;
      await store.setSettings(trx, orgId, settings);
      if (old.window_days !== window_days) await changeWindow(trx, orgId, window_days, now());
      return true;
    });
    if (changed) {
      await audit.record({
        action: 'plan_noise.settings_updated',
        org_id: orgId,
        actor_email: principal.user.email,
        detail: settings,
      });
    }
    return settings;
  }

  return { settlePending, list, find, countAddresses, updateSettings };
}

/** @see openapi.yaml, listPlanNoise */
function byFrequency(a: Pattern, b: Pattern): number {
  return (
    b.occurrence_count - a.occurrence_count ||
    b.last_seen.getTime() - a.last_seen.getTime() ||
    compare(a.fingerprint, b.fingerprint) ||
    compare(a.resource_address, b.resource_address)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
