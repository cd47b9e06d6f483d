import type { Db, OrgDatabase } from '../../db/index.ts';
import { NotFound } from '../../lib/errors.ts';
import {
  assertWithin,
  type Contract,
  entitlementsOf,
  LIMIT_NAMES,
  type LimitName,
  limitsOf,
  type Plan,
  quotaWindows,
} from '../entitlements/index.ts';
import * as invitations from './invitations-store.ts';
import * as counts from './limits-store.ts';
import * as members from './members-store.ts';
import * as store from './store.ts';
import type { LimitUse } from './types.ts';

/** What an org has bought, with its name in addresses. */
export type OrgContract = Contract & { slug: string };

export interface LimitsDeps {
  db: OrgDatabase;
  now: () => Date;
  /** How many analyses the orgs of this deployment may submit in an hour. */
  analyses_hourly?: number | undefined;
}

const HOUR_MS = 3_600_000;

export function createLimits({ db, now, analyses_hourly }: LimitsDeps) {
  const defaults = analyses_hourly === undefined ? {} : { analyses_hourly };

  /**
   * Sees that the org may have one more of something. What is counted stays true only under `lockOrg`.
   *
   * @param used how many there are now
   * @throws PaymentRequired `plan_limit_exceeded`
   */
  async function assertRoom(trx: Db, orgId: string, resource: LimitName, used: number): Promise<void> {
    assertWithin(await contractOf(trx, orgId), resource, used);
  }

  /**
   * Sees that one more person may come. Members and open invitations hold a seat; who has expired holds none. On the
   * team plan ten is the end: seats beyond are sold only where an overage is billed.
   *
   * @throws PaymentRequired `plan_limit_exceeded`
   */
  async function assertSeat(trx: Db, orgId: string): Promise<void> {
    const contract = await contractOf(trx, orgId);
    if (limitsOf(contract).seats === -1) return;
    assertWithin(contract, 'seats', await countSeats(trx, orgId));
  }

  /** Every limit of the org and its use, in a fixed order; nothing of what has no home yet is used. */
  async function list(
    orgId: string,
  ): Promise<{ plan: Plan; limits: LimitUse[]; features: readonly string[]; overrides: LimitName[] }> {
    return db.inOrg(orgId, async (trx) => {
      const contract = await contractOf(trx, orgId);
      const limits = limitsOf(contract);
      const calls = await counts.countModelCalls(trx, orgId, quotaWindows(now()));
      const used: Partial<Record<LimitName, number>> = {
        seats: await countSeats(trx, orgId),
        api_keys: await counts.countApiKeys(trx, orgId, now()),
        custom_rules: await counts.countCustomRules(trx, orgId),
        webhook_configs: await counts.countWebhookConfigs(trx, orgId),
        concurrent_scans: await counts.countUnfinishedScans(trx, orgId),
        llm_weekly: calls.weekly,
        llm_hourly: calls.hourly,
        analyses_hourly: await counts.countAnalyses(trx, orgId, new Date(now().getTime() - HOUR_MS)),
      };
      return {
        plan: contract.plan,
        limits: LIMIT_NAMES.map((resource) => ({ resource, limit: limits[resource], used: used[resource] ?? 0 })),
        features: entitlementsOf(contract.plan).features,
        overrides: LIMIT_NAMES.filter((name) => contract.overrides[name] !== undefined).sort(),
      };
    });
  }

  async function countSeats(trx: Db, orgId: string): Promise<number> {
    return (await members.countLiveMembers(trx, orgId, now())) + (await invitations.countPending(trx, orgId, now()));
  }

  /** @throws NotFound */
  async function contractOf(trx: Db, orgId: string): Promise<OrgContract> {
    const org = await store.findOrg(trx, orgId);
    if (org === undefined) throw new NotFound();
    return { slug: org.slug, plan: org.plan, defaults, overrides: await store.listOverrides(trx, orgId) };
  }

  /** One limit, in one statement. @throws NotFound */
  async function limitOf(read: Db, orgId: string, name: LimitName): Promise<number> {
    const found = await store.findLimit(read, orgId, name);
    if (found === undefined) throw new NotFound();
    const { plan, value } = found;
    return limitsOf({ plan, defaults, overrides: value === null ? {} : { [name]: value } })[name];
  }

  return { assertRoom, assertSeat, list, contractOf, limitOf };
}

export type OrgLimits = ReturnType<typeof createLimits>;
