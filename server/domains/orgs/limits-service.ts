import type { Declarations } from '../../contract/domain-parts.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { assertFound } from '../../lib/errors.ts';
import {
  assertIncluded,
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

/** An organization's plan, and its slug. */
export type OrgContract = Contract & { slug: string };

export interface LimitsDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  /** The declarations of all domains; complete before the first request. */
  declared: Pick<Declarations, 'usage'>;
  /** Default number of analyses that an organization can submit in an hour. */
  analyses_hourly?: number | undefined;
}

export function createLimits({ db, now, declared, analyses_hourly }: LimitsDeps) {
  const defaults = analyses_hourly === undefined ? {} : { analyses_hourly };

  /**
   * Checks that the organization can have this many more of a resource. The count is reliable only under `lockOrg`.
   *
   * @throws PaymentRequired `plan_limit_exceeded`
   */
  async function assertRoom(trx: Db, orgId: string, resource: LimitName, added = 1): Promise<void> {
    const contract = await getContract(trx, orgId);
    if (added === 0 || resolveLimits(contract)[resource] === -1) return;
    assertWithin(contract, resource, await count(trx, orgId, resource), added);
  }

  /** How many more of a resource the organization can have; -1 means no limit. */
  async function getRoom(trx: Db, orgId: string, resource: LimitName): Promise<number> {
    const limit = resolveLimits(await getContract(trx, orgId))[resource];
    return limit === -1 ? -1 : Math.max(0, limit - (await count(trx, orgId, resource)));
  }

  /** @throws PaymentRequired `plan_feature_required` if the organization's plan does not include the feature */
  async function assertFeature(trx: Db, orgId: string, feature: string): Promise<void> {
    assertIncluded(await getContract(trx, orgId), feature);
  }

  /**
   * Checks that there is a free seat. Members and open invitations use a seat; expired members do not. An organization
   * with a subscription to the team plan pays for each seat above those of the plan.
   *
   * @throws PaymentRequired `plan_limit_exceeded`
   */
  async function assertSeat(trx: Db, orgId: string): Promise<void> {
    await assertRoom(trx, orgId, 'seats');
  }

  /** All limits of the organization and their usage, in a fixed order; the usage of resources without a domain is 0. */
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

  /** 0 for resources that no domain of this release counts. */
  async function count(trx: Db, orgId: string, resource: LimitName): Promise<number> {
    return (await declared.usage[resource]?.(trx, orgId, now())) ?? 0;
  }

  /** @throws NotFound */
  async function getContract(trx: Db, orgId: string): Promise<OrgContract> {
    const org = assertFound(await store.findOrg(trx, orgId));
    const { slug, plan } = org;
    const seat_overage = await store.getSeatOverage(trx, orgId);
    return { slug, plan, seat_overage, defaults, overrides: await store.listOverrides(trx, orgId) };
  }

  /** One limit, with a single statement. @throws NotFound */
  async function getLimit(read: Db, orgId: string, name: LimitName): Promise<number> {
    const found = assertFound(await store.findLimit(read, orgId, name));
    const { plan, value } = found;
    return resolveLimits({ plan, defaults, overrides: value === null ? {} : { [name]: value } })[name];
  }

  return { assertRoom, getRoom, assertFeature, assertSeat, list, getContract, getLimit };
}

export type OrgLimits = ReturnType<typeof createLimits>;
