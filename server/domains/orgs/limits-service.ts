import type { Declarations } from '../../contract/domain-parts.ts';
import type { Db, OrgDatabase } from '../../db/index.ts';
import { NotFound } from '../../lib/errors.ts';
import {
  assertWithin,
  type Contract,
  LIMIT_NAMES,
  type LimitName,
  type Plan,
  resolveEntitlements,
  resolveLimits,
} from '../entitlements/index.ts';
import * as store from './store.ts';
import type { LimitUse } from './types.ts';

/** What an org has bought, with its name in addresses. */
export type OrgContract = Contract & { slug: string };

export interface LimitsDeps {
  db: OrgDatabase;
  now: () => Date;
  /** What all domains declare; complete before the first request. */
  declared: Pick<Declarations, 'usage'>;
  /** How many analyses the orgs of this deployment may submit in an hour. */
  analyses_hourly?: number | undefined;
}

export function createLimits({ db, now, declared, analyses_hourly }: LimitsDeps) {
  const defaults = analyses_hourly === undefined ? {} : { analyses_hourly };

  /**
   * Sees that the org may have one more of something. What is counted stays true only under `lockOrg`.
   *
   * @throws PaymentRequired `plan_limit_exceeded`
   */
  async function assertRoom(trx: Db, orgId: string, resource: LimitName): Promise<void> {
    const contract = await getContract(trx, orgId);
    if (resolveLimits(contract)[resource] === -1) return;
    assertWithin(contract, resource, await count(trx, orgId, resource));
  }

  /**
   * Sees that one more person may come. Members and open invitations hold a seat; who has expired holds none. On the
   * team plan ten is the end: seats beyond are sold only where an overage is billed.
   *
   * @throws PaymentRequired `plan_limit_exceeded`
   */
  async function assertSeat(trx: Db, orgId: string): Promise<void> {
    await assertRoom(trx, orgId, 'seats');
  }

  /** Every limit of the org and its use, in a fixed order; nothing of what has no home yet is used. */
  async function list(
    orgId: string,
  ): Promise<{ plan: Plan; limits: LimitUse[]; features: readonly string[]; overrides: LimitName[] }> {
    return db.inOrg(orgId, async (trx) => {
      const contract = await getContract(trx, orgId);
      const limits = resolveLimits(contract);
      const uses: LimitUse[] = [];
      for (const resource of LIMIT_NAMES) {
        uses.push({ resource, limit: limits[resource], used: await count(trx, orgId, resource) });
      }
      return {
        plan: contract.plan,
        limits: uses,
        features: resolveEntitlements(contract.plan).features,
        overrides: LIMIT_NAMES.filter((name) => contract.overrides[name] !== undefined).sort(),
      };
    });
  }

  /** 0 for what no domain of this release counts. */
  async function count(trx: Db, orgId: string, resource: LimitName): Promise<number> {
    return (await declared.usage[resource]?.(trx, orgId, now())) ?? 0;
  }

  /** @throws NotFound */
  async function getContract(trx: Db, orgId: string): Promise<OrgContract> {
    const org = await store.findOrg(trx, orgId);
    if (org === undefined) throw new NotFound();
    return { slug: org.slug, plan: org.plan, defaults, overrides: await store.listOverrides(trx, orgId) };
  }

  /** One limit, in one statement. @throws NotFound */
  async function getLimit(read: Db, orgId: string, name: LimitName): Promise<number> {
    const found = await store.findLimit(read, orgId, name);
    if (found === undefined) throw new NotFound();
    const { plan, value } = found;
    return resolveLimits({ plan, defaults, overrides: value === null ? {} : { [name]: value } })[name];
  }

  return { assertRoom, assertSeat, list, getContract, getLimit };
}

export type OrgLimits = ReturnType<typeof createLimits>;
