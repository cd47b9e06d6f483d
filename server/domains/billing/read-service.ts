import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Plan, type PlanPreview, previewPlan } from '../entitlements/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { billingRecord } from './record.ts';
import * as store from './store.ts';

export interface ReadsDeps extends Pick<ServiceDeps, 'db'> {
  orgs: Pick<Orgs, 'limits' | 'getContract'>;
}

export function createReads({ db, orgs }: ReadsDeps) {
  /** What an organization pays for; without a payment provider only its plan and seats. */
  async function get(org_id: string) {
    const use = await orgs.limits(org_id);
    const [account, { seat_overage = false }] = await db.inOrg(org_id, async (trx) => [
      await store.findAccount(trx, org_id),
      await orgs.getContract(trx, org_id),
    ]);
    return billingRecord(use, account, seat_overage);
  }

  /** What a change to another plan does. Reads only. */
  async function preview(org_id: string, plan: Plan): Promise<PlanPreview> {
    const { limits } = await orgs.limits(org_id);
    const contract = await db.inOrg(org_id, (trx) => orgs.getContract(trx, org_id));
    return previewPlan(contract, plan, new Map(limits.map(({ resource, used }) => [resource, used])));
  }

  return { get, preview };
}
