import { dropTrailing } from '../../../engine/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { type Contract, type Plan, quotaWindows } from '../entitlements/index.ts';
import type { Breakers } from './breaker-service.ts';
import type { LlmConfigs } from './config-service.ts';
import { resolveCaps, toAccountPausedError, toQuotaError } from './quota.ts';
import * as store from './quota-store.ts';
import type { Reservation } from './types.ts';

/** A reservation of an ended job that is older than this was left by a worker that died. */
const FORGOTTEN_AFTER_MS = 60_000;
const BUCKETS_KEPT_MS = 60 * 86_400_000;

export interface QuotasDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sweep_db' | 'now'> {
  /** The organization's plan, and its slug. @throws NotFound */
  getContract: (trx: Db, orgId: string) => Promise<Contract & { slug: string }>;
  configs: Pick<LlmConfigs, 'findProvider'>;
  breakers: Pick<Breakers, 'secondsOpen'>;
  /** Whether the deployment has its own model; without one, nothing is counted or denied. */
  has_platform_model: boolean;
  /** Base URL of the web UI; null = links are paths. */
  app_url: string | null;
}

/** @see openapi.yaml, LlmUsage */
export interface LlmUsage {
  plan: Plan;
  byok_configured: boolean;
  weekly_used: number;
  weekly_cap: number;
  week_resets_at: Date;
  hourly_used: number;
  hourly_cap: number;
  hour_resets_at: Date;
}

/**
 * Quotas of the platform's models. Every caller takes the weekly bucket before the hourly one, so they cannot deadlock.
 */
export function createQuotas(deps: QuotasDeps) {
  const { db, platform_db, sweep_db, getContract, configs, breakers, now } = deps;

  /**
   * Reserves one call of the organization's week and hour, in the transaction that writes the job; the result goes into
   * its row. null if nothing is counted: the organization has its own account, or the platform has no model.
   *
   * @throws ServiceError, which must roll back the transaction: 402 `plan_weekly_quota_exhausted` or `plan_hard_off`,
   *   429 `plan_hourly_rate_limit`, 429 `byok_rate_limited`
   */
  async function reserve(trx: Db, orgId: string): Promise<Reservation | null> {
    const provider = await configs.findProvider(trx, orgId);
    if (provider !== undefined) {
      const seconds = await breakers.secondsOpen(trx, orgId, provider);
      if (seconds !== undefined) throw toAccountPausedError(seconds);
      return null;
    }
    if (!deps.has_platform_model) return null;

    const contract = await getContract(trx, orgId);
    const caps = resolveCaps(contract);
    const at = now();
    const windows = quotaWindows(at);
    const starts = { weekly: windows.week_start, hourly: windows.hour_start };
    for (const kind of ['weekly', 'hourly'] as const) {
      if (await store.increment(trx, orgId, { kind, window_start: starts[kind], cap: caps[kind] })) continue;
      const counted = await store.findUsed(trx, orgId, windows);
      // This request has just counted in the weekly bucket, which will be rolled back.
      const used = kind === 'hourly' ? { ...counted, weekly: counted.weekly - 1 } : counted;
      throw toQuotaError(kind, { contract, used, windows, byok_config_url: settingsUrl(contract.slug), now: at });
    }
    return { reservation: 'held', reserved_week: windows.week_start, reserved_hour: windows.hour_start };
  }

  /** Safe to call twice, or for a job without a reservation. @returns whether this call released something */
  async function release(trx: Db, orgId: string, job_id: string): Promise<boolean> {
    return store.release(trx, orgId, job_id);
  }

  /** The model has responded: the job's reservation stays counted. */
  async function settle(trx: Db, orgId: string, job_id: string): Promise<void> {
    await store.settle(trx, orgId, job_id);
  }

  /** Releases reservations of ended jobs whose worker died. */
  async function releaseForgotten(): Promise<void> {
    const before = new Date(now().getTime() - FORGOTTEN_AFTER_MS);
    const forgotten = await store.listForgotten(platform_db, before);
    for (const { org_id, id } of forgotten) await db.inOrg(org_id, (trx) => store.release(trx, org_id, id));
  }

  async function deleteOldBuckets(): Promise<void> {
    await store.deleteBuckets(sweep_db, new Date(now().getTime() - BUCKETS_KEPT_MS));
  }

  /** The organization's usage in the current windows; 0 in a window without calls. */
  async function usage(orgId: string): Promise<LlmUsage> {
    const windows = quotaWindows(now());
    return db.inOrg(orgId, async (trx) => {
      const contract = await getContract(trx, orgId);
      const caps = resolveCaps(contract);
      const used = await store.findUsed(trx, orgId, windows);
      return {
        plan: contract.plan,
        byok_configured: (await configs.findProvider(trx, orgId)) !== undefined,
        weekly_used: used.weekly,
        weekly_cap: caps.weekly,
        week_resets_at: windows.week_resets_at,
        hourly_used: used.hourly,
        hourly_cap: caps.hourly,
        hour_resets_at: windows.hour_resets_at,
      };
    });
  }

  function settingsUrl(slug: string): string {
    return `${dropTrailing(deps.app_url ?? '', '/')}/orgs/${slug}/settings/llm`;
  }

  return { reserve, release, settle, releaseForgotten, deleteOldBuckets, usage };
}

export type Quotas = ReturnType<typeof createQuotas>;
