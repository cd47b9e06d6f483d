import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound } from '../../lib/errors.ts';
import { pullRequestUrl } from '../../lib/web-links.ts';
import { scanStatusKind } from '../scans/index.ts';
import {
  type DriftByAccount,
  sortByCoverage,
  startOfHistory,
  summarize,
  toHistory,
  toInfrastructureAccount,
  toPostureRow,
} from './coverage.ts';
import { listAccountInventories } from './infrastructure-store.ts';
import { listParts } from './inventory-parts-store.ts';
import { listLinks } from './links-store.ts';
import { listResources } from './list-store.ts';
import { findResource } from './store.ts';
import type {
  DriftFilter,
  DriftReader,
  LiveResource,
  Page,
  PartFilter,
  PartPage,
  PlanDriftReader,
  PlanLink,
  ResourceFilter,
  ResourcePage,
} from './types.ts';

export interface InventoryViewsDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  drift: DriftReader;
  planDrift: Pick<PlanDriftReader, 'findOutcomes'>;
}

/** Reads the inventory. Nothing here reads a whole table. */
export function createInventoryViews({ db, drift, planDrift, now }: InventoryViewsDeps) {
  /** One page by type and ID. */
  async function list(orgId: string, filter: ResourceFilter, page: Page): Promise<ResourcePage> {
    return db.inOrg(orgId, (trx) => listResources(trx, orgId, filter, page));
  }

  /** @throws NotFound, also for a resource that is gone, or whose account was deleted */
  async function get(orgId: string, id: string): Promise<LiveResource> {
    return assertFound(await db.readInOrg(orgId, (read) => findResource(read, orgId, id)));
  }

  /** One page of the changes of a resource, newest first. */
  async function listPlanLinks(orgId: string, id: string, page: Page): Promise<{ links: PlanLink[]; total: number }> {
    const { links, total } = await db.inOrg(orgId, (trx) => listLinks(trx, orgId, id, page));
    const outcomes = await planDrift.findOutcomes(orgId, links);
    return {
      links: links.map((link) => {
        const drift_outcome = outcomes.get(`${link.scan_run_id} ${link.change_id}`) ?? null;
        return { ...link, pr_url: pullRequestUrl(link), drift_outcome };
      }),
      total,
    };
  }

  /** Which parts of an account were read, and why others were not. */
  async function listInventoryParts(
    orgId: string,
    account_id: string,
    filter: PartFilter,
    page: Page,
  ): Promise<PartPage> {
    return db.inOrg(orgId, (trx) => listParts(trx, orgId, account_id, filter, page));
  }

  /** One page of the accounts of a cloud, by name. */
  async function listAccounts(orgId: string, provider: CloudProvider, { limit, offset }: Page) {
    const { accounts, drifts } = await readAccounts(orgId);
    const own = accounts.filter((account) => account.provider === provider);
    const shown = own.slice(offset, offset + limit);
    return {
      accounts: shown.map((account) => {
        const { id, ended_scan_status: status, ended_scan_errors } = account;
        const kind = status === null ? null : scanStatusKind(status, ended_scan_errors ?? 0);
        return toInfrastructureAccount(account, drifts.get(id), kind);
      }),
      total: own.length,
    };
  }

  /** The totals of each cloud. */
  async function getSummary(orgId: string) {
    const { accounts, drifts } = await readAccounts(orgId);
    return summarize(accounts, drifts);
  }

  /** One row for each account, lowest coverage first. */
  async function getPosture(orgId: string) {
    const { accounts, drifts } = await readAccounts(orgId);
    return sortByCoverage(accounts.map((account) => toPostureRow(account, drifts.get(account.id))));
  }

  /** One point for each of the last days. */
  async function getDriftHistory(orgId: string, days: number, filter: DriftFilter) {
    const at = now();
    return toHistory(await drift.listDaily(orgId, { ...filter, since: startOfHistory(days, at) }), days, at);
  }

  async function readAccounts(orgId: string) {
    const [accounts, latest] = await Promise.all([
      db.readInOrg(orgId, (read) => listAccountInventories(read, orgId)),
      drift.listLatest(orgId),
    ]);
    const drifts: DriftByAccount = new Map(latest.map((one) => [one.cloud_account_id, one]));
    return { accounts, drifts };
  }

  return { list, get, listPlanLinks, listInventoryParts, listAccounts, getSummary, getPosture, getDriftHistory };
}
