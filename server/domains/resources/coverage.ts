import { compareLevels, type RiskLevel } from '../../../engine/index.ts';
import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { AccountDrift, AccountInventory } from './types.ts';

const PROVIDERS: readonly CloudProvider[] = ['aws', 'gcp', 'azure'];
const DAY_MS = 86_400_000;

export type DriftByAccount = ReadonlyMap<string, AccountDrift>;

export type InfrastructureAccount = ReturnType<typeof toInfrastructureAccount>;
export type InfrastructureProvider = ReturnType<typeof summarize>[number];

/** @see openapi.yaml, PostureRow */
export interface PostureRow
  extends Pick<AccountInventory, 'provider' | 'display_name' | 'external_account_id' | 'live_count' | 'matched_count'> {
  cloud_account_id: string;
  undeclared_count: number;
  changed_count: number | null;
  missing_count: number | null;
  drift_snapshot_id: string | null;
  drift_computed_at: Date | null;
  last_scan_at: Date | null;
  coverage_pct?: number;
  risk_level?: RiskLevel;
}

/** @see openapi.yaml, InfrastructureAccount */
export function toInfrastructureAccount(
  account: AccountInventory,
  drift: AccountDrift | undefined,
  last_scan_status_kind: string | null,
) {
  const { live_count, matched_count } = account;
  return {
    cloud_account_id: account.id,
    provider: account.provider,
    display_name: account.display_name,
    external_account_id: account.external_account_id,
    status: account.status,
    regions: account.regions,
    resource_count: live_count,
    matched_count,
    undeclared_count: live_count - matched_count,
    coverage_pct: drift?.coverage_pct ?? null,
    risk_level: drift?.risk_level ?? null,
    last_scan_id: account.ended_scan_id,
    last_scan_at: account.ended_scan_at,
    last_scan_status_kind,
  };
}

/** The coverage of an account; `coverage_pct` and `risk_level` are absent until drift was computed. */
export function toPostureRow(account: AccountInventory, drift: AccountDrift | undefined): PostureRow {
  const { live_count, matched_count } = account;
  const row = {
    cloud_account_id: account.id,
    provider: account.provider,
    display_name: account.display_name,
    external_account_id: account.external_account_id,
    undeclared_count: live_count - matched_count,
    live_count,
    matched_count,
    changed_count: drift?.changed_count ?? null,
    missing_count: drift?.missing_count ?? null,
    drift_snapshot_id: drift?.drift_snapshot_id ?? null,
    drift_computed_at: drift?.computed_at ?? null,
    last_scan_at: account.done_scan_at,
  };
  return drift === undefined ? row : { ...row, coverage_pct: drift.coverage_pct, risk_level: drift.risk_level };
}

/** Lowest coverage first, accounts without drift last; equal ones stay in their order. */
export function sortByCoverage(rows: readonly PostureRow[]): PostureRow[] {
  const rank = ({ coverage_pct = Number.POSITIVE_INFINITY }: PostureRow) => coverage_pct;
  return [...rows].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

/** One entry for each cloud, also for those without accounts. @see openapi.yaml, InfrastructureProvider */
export function summarize(accounts: readonly AccountInventory[], drift: DriftByAccount) {
  return PROVIDERS.map((provider) => {
    const own = accounts.filter((account) => account.provider === provider);
    const drifts = own.flatMap(({ id }) => drift.get(id) ?? []);
    const resource_count = sum(own, ({ live_count }) => live_count);
    const matched_count = sum(own, (account) => account.matched_count);
    return {
      provider,
      account_count: own.length,
      resource_count,
      matched_count,
      undeclared_count: resource_count - matched_count,
      drifted_count: sum(drifts, ({ changed_count, missing_count }) => changed_count + missing_count),
      ...rate(drifts),
      last_scan_at: latest(own.flatMap(({ done_scan_at }) => done_scan_at ?? [])),
    };
  });
}

/** One point for each of the last days, oldest first, today included. @see openapi.yaml, DriftPoint */
export function toHistory(drifts: readonly AccountDrift[], days: number, now: Date) {
  const first = startOfHistory(days, now).getTime();
  return Array.from({ length: days }, (_, n) => {
    const date = toDay(new Date(first + n * DAY_MS));
    const found = drifts.filter(({ computed_at }) => toDay(computed_at) === date);
    const total = (count: (drift: AccountDrift) => number) => (found.length === 0 ? null : sum(found, count));
    return {
      date,
      snapshots: found.length,
      new_count: total(({ extra_count }) => extra_count),
      changed_count: total(({ changed_count }) => changed_count),
      missing_count: total(({ missing_count }) => missing_count),
      matched_count: total(({ matched_count }) => matched_count),
      ...rate(found),
    };
  });
}

/** Midnight UTC of the first day. */
export function startOfHistory(days: number, now: Date): Date {
  const today = now.getTime() - (now.getTime() % DAY_MS);
  return new Date(today - (days - 1) * DAY_MS);
}

/** Coverage of all accounts together, and the highest risk; null without drift. */
function rate(drifts: readonly AccountDrift[]): { coverage_pct: number | null; risk_level: RiskLevel | null } {
  if (drifts.length === 0) return { coverage_pct: null, risk_level: null };
  const live = sum(drifts, ({ total_live }) => total_live);
  const matched = sum(drifts, ({ matched_count, changed_count }) => matched_count + changed_count);
  const [risk_level = null] = drifts.map((drift) => drift.risk_level).sort((a, b) => compareLevels(b, a));
  return { coverage_pct: live === 0 ? 100 : Math.round((1_000 * matched) / live) / 10, risk_level };
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}

function latest(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>((last, time) => (last === null || time > last ? time : last), null);
}

function toDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}
