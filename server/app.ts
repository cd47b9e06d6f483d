/** Wires the system: its groups of domains, and which domains get a database across organizations. */

import { type CloudDeps, createCloud } from './composition/cloud.ts';
import { compose, createDeclarations } from './composition/compose.ts';
import { createEvidence, type EvidenceDeps } from './composition/evidence.ts';
import type { Foundation } from './composition/foundation.ts';
import { createInventory, type InventoryDeps } from './composition/inventory.ts';
import { createOutreach, type OutreachDeps } from './composition/outreach.ts';
import { createPayments, type PaymentsDeps } from './composition/payments.ts';
import { createPlans, type PlansDeps } from './composition/plans.ts';
import { createPlatform, type PlatformDeps } from './composition/platform.ts';
import { createScanning, type ScanningDeps } from './composition/scanning.ts';
import { SEALED_COLUMNS } from './composition/sealed-columns.ts';
import { createColumnSealer, type Db, type Knex } from './db/index.ts';
import { slackReturnPage } from './domains/chat/index.ts';
import { callbackPage } from './domains/installations/index.ts';

export interface AppDeps
  extends Omit<Foundation, 'columns' | 'declared' | 'base_urls'>,
    Pick<PlatformDeps, 'verifyToken'>,
    Pick<CloudDeps, 'issuers' | 'clouds'>,
    Pick<PlansDeps, 'openLlmClient'>,
    Pick<InventoryDeps, 'stateBackend' | 'assertAllowed' | 'readState'>,
    Pick<ScanningDeps, 'computeDrift'>,
    Partial<Pick<InventoryDeps, 'accounts'>>,
    Pick<EvidenceDeps, 'openPackDraft' | 'renderSummary' | 'buckets' | 'commitOnce'>,
    Pick<PaymentsDeps, 'billingProvider'>,
    Pick<OutreachDeps, 'github' | 'probeToken' | 'openIssues' | 'chat' | 'chatApp' | 'mail'> {
  /** Works across organizations: sign-in, administration, maintenance. */
  platform_db: Knex;
  /** A single connection across organizations, reserved for the audit log. */
  audit_db: Db;
  /** Uses the role that can delete expired rows. */
  sweep_db: Db;
  settings: AppSettings;
}

export type AppSettings = PlatformDeps['settings'] &
  CloudDeps['settings'] &
  PlansDeps['settings'] &
  InventoryDeps['settings'] &
  ScanningDeps['settings'] &
  EvidenceDeps['settings'] &
  PaymentsDeps['settings'] &
  OutreachDeps['settings'] & {
    /** Public address of the service for browsers; null = links are paths. */
    app_url: string | null;
  };

export function createApp({ platform_db, audit_db, sweep_db, ...deps }: AppDeps) {
  const { settings, sealer } = deps;
  const declared = createDeclarations();
  const columns = createColumnSealer(sealer, SEALED_COLUMNS);
  const base_urls = { app_url: settings.app_url, api_url: settings.federation.api_url };
  const foundation: Foundation = { ...deps, columns, declared, base_urls };

  const platform = createPlatform(foundation, {
    ...deps,
    onLimitsChanged: (trx, org_id) => outreach.schedules.lifecycle.onLimitsChanged(trx, org_id),
    onInvited: (trx, invited) => outreach.notifications.invite(trx, invited),
    resolveChannel: (org_id, channel, field) => outreach.channels.resolve(org_id, channel, field),
    cross_org: {
      audit: { platform_db, audit_db, sweep_db },
      allowlist: { platform_db },
      orgs: { platform_db, sweep_db },
      apiKeys: { platform_db, sweep_db },
      identity: { platform_db },
    },
  });
  const cloud = createCloud(foundation, {
    ...deps,
    platform,
    onAccountDeleted: (trx, account) => outreach.schedules.lifecycle.onAccountDeleted(trx, account),
    cross_org: { federation: { sweep_db } },
  });
  const inventory = createInventory(foundation, {
    ...deps,
    platform,
    cloudAccounts: cloud.cloudAccounts,
    accounts: deps.accounts ?? cloud.cloudAccounts,
    cross_org: { stateSources: { platform_db, sweep_db }, resources: { sweep_db } },
  });
  const plans = createPlans(foundation, {
    ...deps,
    platform,
    planLinks: inventory.planLinks,
    planDrift: inventory.planDrift,
    onJobEnded: (trx, job) => outreach.onJobEnded(trx, job),
    cross_org: {
      scans: { sweep_db },
      traces: { sweep_db },
      noise: { sweep_db },
      llm: { platform_db, sweep_db },
      jobs: { platform_db, sweep_db },
    },
  });
  const scanning = createScanning(foundation, {
    ...deps,
    platform,
    cloudAccounts: cloud.cloudAccounts,
    inventory,
    plans,
    onScanEnded: (trx, scan) => outreach.schedules.lifecycle.onScanEnded(trx, scan),
    record: (trx, org_id, happened) => outreach.notifications.record(trx, org_id, happened),
    cross_org: { cloudScans: { platform_db }, drift: { platform_db, sweep_db } },
  });
  const evidence = createEvidence(foundation, {
    ...deps,
    platform,
    stateSources: inventory.stateSources,
    cloudAccounts: cloud.cloudAccounts,
    record: (trx, org_id, happened) => outreach.notifications.record(trx, org_id, happened),
    webhooks: () => outreach.webhooks,
    cross_org: { compliancePacks: { platform_db, sweep_db }, checkpoints: { platform_db } },
  });
  const payments = createPayments(foundation, {
    ...deps,
    platform,
    cross_org: { billing: { platform_db, sweep_db } },
  });
  const outreach = createOutreach(foundation, {
    ...deps,
    platform,
    plans,
    cloudScans: scanning.cloudScans,
    scanAccess: cloud.cloudAccounts.scanAccess,
    getPosture: inventory.getPosture,
    findSnapshot: scanning.findSnapshot,
    ignoreRules: scanning.ignoreRules,
    cross_org: {
      webhooks: { platform_db, sweep_db },
      installations: { platform_db, sweep_db },
      pullRequests: { platform_db, sweep_db },
      schedules: { platform_db, sweep_db },
      notifications: { platform_db, sweep_db },
      chat: { platform_db, sweep_db },
    },
  });

  const { audit, allowlist, identity, orgs } = platform;
  const { webhooks, installations, pullRequests } = outreach;
  const parts = [
    ...platform.parts,
    ...cloud.parts,
    ...inventory.parts,
    ...plans.parts,
    ...scanning.parts,
    ...evidence.parts,
    ...payments.parts,
    ...outreach.parts,
  ];
  return {
    ...compose(parts, { declared, sealed_columns: SEALED_COLUMNS }),
    /** Prepares the database before requests are served. */
    async prepare() {
      await allowlist.seed();
      await webhooks.sealTargets();
    },
    close: audit.close,
    authenticate: identity.authenticate,
    findOrg: orgs.findContext,
    /** Pages for people beside the API. */
    pages: { results: plans.results, githubReturn: callbackPage, slackReturn: slackReturnPage },
    /** What a bot is given; see server/bot.ts. */
    bot: { webhooks, installations, orgs, pullRequests },
  };
}

export type App = ReturnType<typeof createApp>;
