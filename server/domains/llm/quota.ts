/** Whether a plan allows another call to the platform's models, and the error if not. */
import type { ErrorClass } from '../../lib/error-classes.ts';
import { ServiceError } from '../../lib/errors.ts';
import { retryAfterUntil } from '../../lib/retry-after.ts';
import { type Contract, PLANS, type Plan, type QuotaWindows, resolveLimits } from '../entitlements/index.ts';

export type BucketKind = 'weekly' | 'hourly';

/** Usage in the current windows, without this request. */
export type Used = Record<BucketKind, number>;

export interface QuotaFacts {
  contract: Contract;
  used: Used;
  windows: QuotaWindows;
  /** URL of the page for the organization's own account. */
  byok_config_url: string;
  now: Date;
}

/** -1: no limit; 0: disabled. */
export function resolveCaps(contract: Contract): Record<BucketKind, number> {
  const { llm_weekly, llm_hourly } = resolveLimits(contract);
  return { weekly: llm_weekly, hourly: llm_hourly };
}

/** The error of a used-up quota. @see openapi.yaml, PlatformModelError and AnalysisLaterError */
export function toQuotaError(bucket: BucketKind, facts: QuotaFacts): ServiceError {
  if (resolveCaps(facts.contract)[bucket] === 0) return hardOff(bucket, facts);
  return bucket === 'weekly' ? weekUsed(facts) : hourUsed(facts);
}

function weekUsed(facts: QuotaFacts): ServiceError {
  const cap = resolveCaps(facts.contract).weekly;
  const resets = `${facts.windows.week_resets_at.toISOString().slice(0, 10)} at 00:00 UTC`;
  const message = `The ${calls(cap)} of this week are used up. The quota resets on ${resets}. ${advise(facts)}`;
  return paymentRequired('plan_weekly_quota_exhausted', message, 'weekly', facts);
}

function hardOff(bucket: BucketKind, facts: QuotaFacts): ServiceError {
  const message = `Platform analyses are disabled for the ${facts.contract.plan} plan of this organization. ${advise(facts)}`;
  return paymentRequired('plan_hard_off', message, bucket, facts, { bucket });
}

function hourUsed(facts: QuotaFacts): ServiceError {
  const { used, windows, byok_config_url, contract, now } = facts;
  const code = 'plan_hourly_rate_limit';
  const cap = resolveCaps(contract).hourly;
  const resets = `${windows.hour_resets_at.toISOString().slice(11, 16)} UTC`;
  const message = `The ${calls(cap)} of this hour are used up. The quota resets at ${resets}.`;
  return new ServiceError(429, code, message, {
    retry_after: retryAfterUntil(windows.hour_resets_at, now),
    body: {
      code,
      error: code,
      message,
      used: used.hourly,
      cap,
      hour_resets_at: windows.hour_resets_at.toISOString(),
      byok_config_url,
    },
  });
}

function paymentRequired(
  code: ErrorClass,
  message: string,
  bucket: BucketKind,
  facts: QuotaFacts,
  more: object = {},
): ServiceError {
  const body = {
    code,
    error: code,
    message,
    required_plan: requiredPlan(facts),
    used: facts.used[bucket],
    cap: resolveCaps(facts.contract)[bucket],
    week_resets_at: facts.windows.week_resets_at.toISOString(),
    byok_config_url: facts.byok_config_url,
    ...more,
  };
  return new ServiceError(402, code, message, { body });
}

/** The smallest larger plan that would allow the same request; null if none would. */
function requiredPlan({ contract, used }: QuotaFacts): Plan | null {
  const larger = PLANS.slice(PLANS.indexOf(contract.plan) + 1);
  return larger.find((plan) => findExceededQuota({ ...contract, plan }, used) === undefined) ?? null;
}

/** The first used-up quota, weekly before hourly; undefined if both have capacity. */
export function findExceededQuota(contract: Contract, used: Used): BucketKind | undefined {
  const caps = resolveCaps(contract);
  return (['weekly', 'hourly'] as const).find((bucket) => caps[bucket] !== -1 && used[bucket] >= caps[bucket]);
}

function advise(facts: QuotaFacts): string {
  const plan = requiredPlan(facts);
  const own = 'configure your own model account to continue';
  return plan === null ? `${own[0]?.toUpperCase()}${own.slice(1)}.` : `Change to the ${plan} plan, or ${own}.`;
}

function calls(cap: number): string {
  return cap === 1 ? '1 analysis' : `${cap} analyses`;
}

/** The error while calls to an own account are paused. */
export function toAccountPausedError(retry_after: number): ServiceError {
  const code = 'byok_rate_limited';
  const message =
    `The configured model account is failing; retrying in ${retry_after} s. ` +
    'Check the account at its provider, or configure it again.';
  return new ServiceError(429, code, message, { retry_after, body: { code, error: code, message } });
}
