import type { PathContext } from '../../contract/domain-parts.ts';
import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { CloudAccounts } from '../cloud-accounts/index.ts';
import type { InfrastructureAccount, InfrastructureProvider, PostureRow } from './coverage.ts';
import { enrichedRecord, resourceRecord } from './record.ts';
import type { Resources } from './service.ts';
import type { InventoryPart, PlanLink } from './types.ts';

type ResourceOperations =
  | 'listResources'
  | 'getResource'
  | 'listResourcePlanLinks'
  | 'enrichResource'
  | 'listInventoryParts'
  | 'listInfrastructureAccounts'
  | 'getInfrastructureSummary'
  | 'getDriftHistory'
  | 'getPosture';

export function resourceRoutes(resources: Resources): Pick<Handlers, ResourceOperations> {
  return {
    async listResources({ org, query: { limit, offset, ...filter } }) {
      const { resources: found, total, truncated } = await resources.list(org.id, filter, { limit, offset });
      return { status: 200, body: { resources: found.map(resourceRecord), total, limit, offset, truncated } };
    },

    async getResource({ org, path }) {
      return { status: 200, body: resourceRecord(await resources.get(org.id, path.resource_id)) };
    },

    async listResourcePlanLinks({ org, path, query }) {
      const { limit, offset } = query;
      const { links, total } = await resources.listPlanLinks(org.id, path.resource_id, query);
      return { status: 200, body: { links: links.map(linkRecord), total, limit, offset } };
    },

    async enrichResource({ org, path }) {
      return { status: 200, body: enrichedRecord(await resources.enrich(org.id, path.resource_id)) };
    },

    async listInventoryParts({ org, path, query: { limit, offset, ...filter } }) {
      const page = await resources.listInventoryParts(org.id, path.account_id, filter, { limit, offset });
      return { status: 200, body: { ...page, parts: page.parts.map(partRecord), limit, offset } };
    },

    async listInfrastructureAccounts({ org, path, query }) {
      const { limit, offset } = query;
      const { accounts, total } = await resources.listAccounts(org.id, path.provider, query);
      return { status: 200, body: { accounts: accounts.map(accountRecord), total, limit, offset } };
    },

    async getInfrastructureSummary({ org }) {
      const providers = await resources.getSummary(org.id);
      return { status: 200, body: { providers: providers.map(providerRecord) } };
    },

    async getDriftHistory({ org, query: { days = 30, ...filter } }) {
      return { status: 200, body: { points: await resources.getDriftHistory(org.id, days, filter) } };
    },

    async getPosture({ org }) {
      return { status: 200, body: (await resources.getPosture(org.id)).map(postureRecord) };
    },
  };
}

/** Records that must exist before the query of a request is validated. */
export function resourcePathChecks(resources: Resources, accounts: Pick<CloudAccounts, 'get'>) {
  return {
    listResourcePlanLinks: ({ org_id, path }: PathContext) => resources.get(org_id, path['resource_id'] ?? ''),
    listInventoryParts: ({ org_id, path }: PathContext) => accounts.get(org_id, path['account_id'] ?? ''),
  };
}

function partRecord(part: InventoryPart) {
  return pickFields(part, [
    'part_key',
    'service',
    'region',
    'provider_type',
    'checked_at',
    'resource_count',
    'tried_at',
    'last_scan_id',
    'code',
    'message',
    'permission',
    'retryable',
  ]);
}

function linkRecord(link: PlanLink) {
  return pickFields(link, [
    'scan_run_id',
    'change_id',
    'address',
    'action',
    'risk_level',
    'matched_by',
    'repo_owner',
    'repo_name',
    'repo_url',
    'pr_number',
    'pr_url',
    'branch',
    'commit_sha',
    'created_at',
    'drift_outcome',
  ]);
}

function accountRecord(account: InfrastructureAccount) {
  return pickFields(account, [
    'cloud_account_id',
    'provider',
    'display_name',
    'external_account_id',
    'status',
    'regions',
    'resource_count',
    'matched_count',
    'undeclared_count',
    'coverage_pct',
    'risk_level',
    'last_scan_id',
    'last_scan_at',
    'last_scan_status_kind',
  ]);
}

function providerRecord(totals: InfrastructureProvider) {
  return pickFields(totals, [
    'provider',
    'account_count',
    'resource_count',
    'matched_count',
    'undeclared_count',
    'drifted_count',
    'coverage_pct',
    'risk_level',
    'last_scan_at',
  ]);
}

function postureRecord({ coverage_pct, risk_level, ...row }: PostureRow) {
  const record = pickFields(row, [
    'cloud_account_id',
    'provider',
    'display_name',
    'external_account_id',
    'undeclared_count',
    'live_count',
    'matched_count',
    'changed_count',
    'missing_count',
    'drift_snapshot_id',
    'drift_computed_at',
    'last_scan_at',
  ]);
  return { ...record, ...(coverage_pct !== undefined && { coverage_pct }), ...(risk_level && { risk_level }) };
}
