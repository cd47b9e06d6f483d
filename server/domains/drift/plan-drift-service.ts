import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import type { DriftOutcome, PlanDriftReader } from '../resources/index.ts';
import * as store from './plan-drift-store.ts';
import type { PlanDrift, StoredPlanDrift } from './types.ts';

/** What drift says about the resources of plans, before and after an apply. */
export function createPlanDrift({ db }: Pick<ServiceDeps, 'db'>) {
  const reader: PlanDriftReader = {
    listOfPlan: (org_id, candidates) => db.readInOrg(org_id, (read) => store.listOfPlan(read, org_id, candidates)),

    async findOutcomes(org_id, changes) {
      if (changes.length === 0) return new Map();
      const found = await db.readInOrg(org_id, (read) => store.findOutcomes(read, org_id, changes));
      return new Map(found.map((one): [string, DriftOutcome] => [`${one.scan_run_id} ${one.change_id}`, one.outcome]));
    },
  };

  /** One page of the differences that an analysis knew, and whether they still exist; empty for other runs. */
  async function list(
    org_id: string,
    scan_run_id: string,
    page: { limit: number; offset: number },
  ): Promise<{ changes: PlanDrift[]; total: number }> {
    return db.inOrg(org_id, (trx) => store.listOutcomes(trx, org_id, scan_run_id, page));
  }

  /** Stores the differences of an analysis in the transaction that ends it. */
  async function record(
    trx: Db,
    org_id: string,
    run: { scan_run_id: string; created_at: Date },
    items: readonly StoredPlanDrift[],
  ): Promise<void> {
    if (items.length > 0) await store.insertPlanDrift(trx, org_id, run, items);
  }

  return { ...reader, list, record };
}

export type PlanDrifts = ReturnType<typeof createPlanDrift>;
