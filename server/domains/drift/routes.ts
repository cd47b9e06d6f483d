import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import { pollAt } from '../jobs/index.ts';
import type { IgnoreRuleState } from './ignore-rules-service.ts';
import type { PlanDrifts } from './plan-drift-service.ts';
import { snapshotRecord } from './record.ts';
import type { Drift } from './service.ts';
import type { PlanDrift } from './types.ts';

type DriftOperations =
  | 'listDriftItems'
  | 'computeDrift'
  | 'listPlanDrift'
  | 'generateDriftNarrative'
  | 'generateResourceIac'
  | 'listDriftIgnoreRules'
  | 'createDriftIgnoreRule'
  | 'previewDriftIgnoreRule'
  | 'deleteDriftIgnoreRule';

const DAY_MS = 86_400_000;
/** Items in the response to a computation. */
const FIRST_PAGE = { limit: 200, offset: 0 };

export function driftRoutes(
  {
    snapshots,
    ignoreRules,
    computations,
    narratives,
    iacGeneration,
    planDrift,
  }: Drift & { planDrift: Pick<PlanDrifts, 'list'> },
  now: () => Date,
): Pick<Handlers, DriftOperations> {
  return {
    async listDriftItems({ org, path, query }) {
      const { limit, offset, min_age_days, ...filter } = query;
      const detected_before =
        min_age_days === undefined ? undefined : new Date(now().getTime() - min_age_days * DAY_MS);
      const page = await snapshots.list(org.id, path.scan_id, { ...filter, detected_before }, { limit, offset });
      return { status: 200, body: snapshotRecord(page, now()) };
    },

    async computeDrift({ org, path }) {
      const snapshot = await computations.compute(org.id, path.scan_id);
      return { status: 200, body: snapshotRecord(await snapshots.readItems(org.id, snapshot, {}, FIRST_PAGE), now()) };
    },

    async listPlanDrift({ org, path, query: { limit, offset } }) {
      const { changes, total } = await planDrift.list(org.id, path.scan_id, { limit, offset });
      return { status: 200, body: { changes: changes.map(planDriftRecord), total, limit, offset } };
    },

    async generateDriftNarrative({ org, principal, path, once }) {
      return once(
        ({ job_id }: { job_id: string }) => accepted(org.id, job_id),
        (keep) => narratives.submit(org.id, principal, path.scan_id, keep),
      );
    },

    async generateResourceIac({ org, principal, path, once }) {
      return once(
        ({ job_id }: { job_id: string }) => accepted(org.id, job_id),
        (keep) => iacGeneration.submit(org.id, principal, path.resource_id, keep),
      );
    },

    async listDriftIgnoreRules({ org, query: { limit, offset } }) {
      const { rules, total } = await ignoreRules.list(org.id, { limit, offset });
      return { status: 200, body: { rules: rules.map(ruleRecord), total, limit, offset } };
    },

    async createDriftIgnoreRule({ principal, org, body, once }) {
      return once(
        (rule: IgnoreRuleState) => ({ status: 201, body: ruleRecord(rule) }),
        (keep) => ignoreRules.create(principal, org.id, body, keep),
      );
    },

    async previewDriftIgnoreRule({ org, body: { scan_run_id, rule } }) {
      return { status: 200, body: await ignoreRules.preview(org.id, scan_run_id, rule) };
    },

    async deleteDriftIgnoreRule({ principal, org, path }) {
      await ignoreRules.remove(principal, org.id, path.ignore_rule_id);
      return { status: 204 };
    },
  };
}

function planDriftRecord(change: PlanDrift) {
  return pickFields(change, [
    'change_id',
    'address',
    'drift_type',
    'first_detected_at',
    'outcome',
    'compared_at',
    'compared_scan_id',
  ]);
}

function accepted(org_id: string, job_id: string) {
  return { status: 202 as const, body: { job_id, status: 'pending' as const }, headers: pollAt(org_id, job_id) };
}

function ruleRecord(rule: IgnoreRuleState) {
  return pickFields(rule, [
    'id',
    'drift_types',
    'resource_type',
    'address',
    'provider_resource_id',
    'attribute',
    'tag_key',
    'tag_value',
    'reason',
    'expires_at',
    'expired',
    'created_by',
    'created_at',
  ]);
}
