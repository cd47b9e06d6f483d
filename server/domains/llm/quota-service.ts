import { dropTrailing } from '../../../engine/index.ts';
import type { Db, OrgDatabase } from '../../db/index.ts';
import { type Contract, type Plan, quotaWindows } from '../entitlements/index.ts';
import type { Breakers } from './breaker-service.ts';
import type { LlmConfigs } from './config-service.ts';
import { resolveCaps, toAccountPausedError, toQuotaError } from './quota.ts';
import * as store from './quota-store.ts';
import type { Reservation } from './types.ts';

/** An ended job whose reservation nobody touched for so long was forgotten by a worker that died. */
const FORGOTTEN_AFTER_MS = 60_000;
const BUCKETS_KEPT_MS = 60 * 86_400_000;

export interface QuotasDeps {
  db: OrgDatabase;
  platform_db: Db;
  sweep_db: Db;
  /** What the org has bought, and its name in addresses. @throws NotFound */
  getContract: (trx: Db, orgId: string) => Promise<Contract & { slug: string }>;
  configs: Pick<LlmConfigs, 'findProvider'>;
  breakers: Pick<Breakers, 'secondsOpen'>;
  /** Whether the deployment has a model of its own; without one nothing is counted or denied. */
  has_platform_model: boolean;
  /** Where people's browsers find the service; null = links are paths. */
  app_url: string | null;
  now: () => Date;
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
 * The gates before the platform's models. The weekly bucket is always taken before the hourly one, by all, so that no two
 * requests wait for each other.
 */
export function createQuotas(deps: QuotasDeps) {
  const { db, platform_db, sweep_db, getContract, configs, breakers, now } = deps;

  /**
   * Takes one call out of the week and the hour of the org, in the transaction that writes the job: what is returned goes
   * into its row. null where nothing is counted: the org has an account of its own, or the platform no model.
   *
   * @throws ServiceError, which has to undo the transaction: 402 `plan_weekly_quota_exhausted` or `plan_hard_off`, 429
   *   `plan_hourly_rate_limit`, 429 `byok_rate_limited`
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
      // The weekly one has just been counted by this request, which is about to be undone.
      const used = kind === 'hourly' ? { ...counted, weekly: counted.weekly - 1 } : counted;
      throw toQuotaError(kind, { contract, used, windows, byok_config_url: settingsUrl(contract.slug), now: at });
    }
    return { reservation: 'held', reserved_week: windows.week_start, reserved_hour: windows.hour_start };
  }

  /** Also when the job is released twice, or holds nothing. @returns whether this call gave something back */
  async function release(trx: Db, orgId: string, job_id: string): Promise<boolean> {
    return store.release(trx, orgId, job_id);
  }

  /** The model has answered: what the job holds stays counted. */
  async function settle(trx: Db, orgId: string, job_id: string): Promise<void> {
    await store.settle(trx, orgId, job_id);
  }

  /** Gives back what jobs hold that have ended with nobody left to say how. */
  async function releaseForgotten(): Promise<void> {
    const before = new Date(now().getTime() - FORGOTTEN_AFTER_MS);
    const forgotten = await store.listForgotten(platform_db, before);
    for (const { org_id, id } of forgotten) await db.inOrg(org_id, (trx) => store.release(trx, org_id, id));
  }

  async function deleteOldBuckets(): Promise<void> {
    await store.deleteBuckets(sweep_db, new Date(now().getTime() - BUCKETS_KEPT_MS));
  }

  /** What the org has used in the present windows; a window without a call has 0. */
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
