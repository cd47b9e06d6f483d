/**
 * Git hosts that call the service, servers that it calls, the pull requests that the bot comments on, and the schedules
 * that scan accounts and notify people.
 */

import { fitsAnalysis } from '../adapters/plan-pool/index.ts';
import type { GithubApp } from '../adapters/scm/github-app/index.ts';
import type { ProbeToken } from '../adapters/scm/token/types.ts';
import { type Db, readClock } from '../db/index.ts';
import type { CloudAccounts } from '../domains/cloud-accounts/index.ts';
import { createInstallations, installationParts } from '../domains/installations/index.ts';
import { createPullRequests, pullRequestParts } from '../domains/pull-requests/index.ts';
import { createSchedules, scheduleParts } from '../domains/schedules/index.ts';
import { createWebhooks, webhookParts } from '../domains/webhooks/index.ts';
import { enqueue, type JobPayload } from '../queue/index.ts';
import type { Foundation } from './foundation.ts';
import type { Plans } from './plans.ts';
import type { Platform } from './platform.ts';
import type { Scanning } from './scanning.ts';

export interface OutreachDeps {
  platform: Platform;
  plans: Plans;
  cloudScans: Scanning['cloudScans'];
  scanAccess: CloudAccounts['scanAccess'];
  /** The deployment's GitHub App; null if it has none. */
  github: GithubApp | null;
  /** Validates a token at the host of its repository. */
  probeToken: ProbeToken;
  /** Databases across organizations, for each domain that has one. */
  cross_org: {
    webhooks: { platform_db: Db; sweep_db: Db };
    installations: { platform_db: Db; sweep_db: Db };
    pullRequests: { platform_db: Db; sweep_db: Db };
    schedules: { platform_db: Db; sweep_db: Db };
  };
  settings: {
    /** Secret with which GitHub signs deliveries to the App; null if there is none. */
    github_webhook_secret: string | null;
  };
}

export function createOutreach(foundation: Foundation, deps: OutreachDeps) {
  const { platform, plans, cloudScans, scanAccess, github, probeToken, cross_org, settings } = deps;
  const { columns, base_urls, log, metrics } = foundation;
  const shared = { ...foundation, ...platform, scans: plans.scans };

  const webhooks = createWebhooks({
    ...shared,
    ...cross_org.webhooks,
    sealer: columns,
    probeToken,
    enqueueReceived: (trx: Db, payload: JobPayload) => enqueue(trx, 'scm', payload),
    enqueueSending: (trx: Db, payload: JobPayload, at?: Date) => enqueue(trx, 'webhook', payload, { at }),
    random: Math.random,
  });
  const installations = createInstallations({
    ...shared,
    ...cross_org.installations,
    sealer: columns,
    github,
    acceptDelivery: webhooks.deliveries.accept,
    webhook_secret: settings.github_webhook_secret,
  });
  const pullRequests = createPullRequests({
    ...shared,
    ...cross_org.pullRequests,
    enqueue: (trx, payload, at) => enqueue(trx, 'pull-request', payload, { at }),
  });
  const schedules = createSchedules({
    ...shared,
    ...cross_org.schedules,
    cloudScans,
    scanAccess,
    assertWebhookConfigs: webhooks.configs.assertExist,
    clock: readClock,
    onFired({ outcome, late_ms }) {
      metrics.schedule_runs.inc({ outcome });
      metrics.schedule_late_seconds.observe(late_ms / 1_000);
    },
  });
  return {
    webhooks,
    installations,
    pullRequests,
    schedules,
    parts: [
      webhookParts(webhooks, { api_url: base_urls.api_url, log }),
      installationParts(installations, base_urls),
      scheduleParts(schedules),
      pullRequestParts({ pullRequests, analysis: plans.analysis, fitsAnalysis }),
    ],
  };
}
