/**
 * Git hosts that call the service, servers that it calls, the pull requests that the bot comments on, and the schedules
 * that scan accounts and notify people.
 */

import type { MailSender } from '../adapters/mail/types.ts';
import { fitsAnalysis } from '../adapters/plan-pool/index.ts';
import type { GithubApp } from '../adapters/scm/github-app/index.ts';
import type { OpenIssues } from '../adapters/scm/issues/types.ts';
import type { ProbeToken } from '../adapters/scm/token/types.ts';
import type { ChatApp, ChatSender } from '../adapters/slack/types.ts';
import { type Db, readClock } from '../db/index.ts';
import { chatParts, createChat } from '../domains/chat/index.ts';
import type { CloudAccounts } from '../domains/cloud-accounts/index.ts';
import { createInstallations, installationParts } from '../domains/installations/index.ts';
import { createNotifications, notificationParts } from '../domains/notifications/index.ts';
import { createPullRequests, pullRequestParts } from '../domains/pull-requests/index.ts';
import { createSchedules, scheduleParts } from '../domains/schedules/index.ts';
import { createWebhooks, webhookParts } from '../domains/webhooks/index.ts';
import { createButtonSigner } from '../lib/button-signer.ts';
import { resultUrl } from '../lib/web-links.ts';
import { enqueue, enqueueAll, type JobPayload } from '../queue/index.ts';
import type { Foundation } from './foundation.ts';
import type { InventoryGroup } from './inventory.ts';
import type { EndedJob, Plans } from './plans.ts';
import type { Platform } from './platform.ts';
import type { Scanning } from './scanning.ts';

export interface OutreachDeps {
  platform: Platform;
  plans: Plans;
  cloudScans: Scanning['cloudScans'];
  scanAccess: CloudAccounts['scanAccess'];
  /** The accounts of an organization, lowest coverage first. */
  getPosture: InventoryGroup['getPosture'];
  /** A drift snapshot with its first items. */
  findSnapshot: Scanning['findSnapshot'];
  /** Drift that an organization accepts. */
  ignoreRules: Scanning['ignoreRules'];
  /** The deployment's GitHub App; null if it has none. */
  github: GithubApp | null;
  /** Validates a token at the host of its repository. */
  probeToken: ProbeToken;
  /** The issues of a repository. */
  openIssues: OpenIssues;
  /** The Slack workspace of the deployment; null if it has none. */
  chat: ChatSender | null;
  /** The Slack app that organizations install in their own workspaces; null if the deployment has none. */
  chatApp: ChatApp | null;
  /** The mail server of the deployment; null if it has none. */
  mail: MailSender | null;
  /** Databases across organizations, for each domain that has one. */
  cross_org: {
    webhooks: { platform_db: Db; sweep_db: Db };
    installations: { platform_db: Db; sweep_db: Db };
    pullRequests: { platform_db: Db; sweep_db: Db };
    schedules: { platform_db: Db; sweep_db: Db };
    notifications: { platform_db: Db; sweep_db: Db };
    chat: { platform_db: Db; sweep_db: Db };
  };
  settings: {
    /** Secret with which GitHub signs deliveries to the App; null if there is none. */
    github_webhook_secret: string | null;
    /** Secret with which Slack signs requests to the app; null if there is none. */
    slack_signing_secret: string | null;
    /** The part of the IDs of emails after the at sign. */
    mail_domain: string;
  };
}

export function createOutreach(foundation: Foundation, deps: OutreachDeps) {
  const { platform, plans, cloudScans, scanAccess, github, probeToken, mail, cross_org, settings } = deps;
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
    onApproved: (trx, { org_id, id }) => notifications.record(trx, org_id, { source: 'pull_request', source_id: id }),
  });
  const schedules = createSchedules({
    ...shared,
    ...cross_org.schedules,
    cloudScans,
    scanAccess,
    assertWebhookConfigs: webhooks.configs.assertExist,
    resolveChannel: (org_id, channel, field) => chat.channels.resolve(org_id, channel, field),
    onDisabled: (trx, { org_id, id }) => notifications.record(trx, org_id, { source: 'schedule', source_id: id }),
    clock: readClock,
    onFired({ outcome, late_ms }) {
      metrics.schedule_runs.inc({ outcome });
      metrics.schedule_late_seconds.observe(late_ms / 1_000);
    },
  });
  const buttons = createButtonSigner(foundation.states, foundation.now);
  const chat = createChat({
    ...shared,
    ...cross_org.chat,
    sealer: columns,
    app: deps.chatApp,
    signing_secret: settings.slack_signing_secret,
    maySignIn: platform.allowlist.isAllowed,
    getPosture: deps.getPosture,
    findSnapshot: deps.findSnapshot,
    resultUrl: (slug: string, scan_run_id: string) => resultUrl(base_urls, slug, scan_run_id),
    createScan: cloudScans.createUnlessActive,
    ignoreRules: deps.ignoreRules,
    noise: plans.noise,
    drift: {
      snooze: (org_id, thread_id, by) => notifications.handling.snooze(org_id, thread_id, by),
      acknowledge: (org_id, thread_id, by) => notifications.handling.acknowledge(org_id, thread_id, by),
      listAccounts: (org_id, thread_id) => notifications.handling.listAccounts(org_id, thread_id),
      show: (org_id, account_ids, entry) => notifications.handling.show(org_id, account_ids, entry),
    },
    buttons,
    enqueueRequests: (trx: Db, org_id: string, ids: readonly string[]) => enqueueAll(trx, 'chat', org_id, ids),
    deployment_chat: deps.chat,
  });
  const notifications = createNotifications({
    ...shared,
    ...cross_org.notifications,
    sealer: columns,
    webhooks,
    openChat: chat.workspaces.openChat,
    signButton: buttons.sign,
    resolveChannel: chat.channels.resolve,
    openIssues: deps.openIssues,
    onScheduleNotified: schedules.noteNotified,
    mail,
    mail_domain: settings.mail_domain,
    enqueueEvent: (trx: Db, payload: JobPayload) => enqueue(trx, 'notify', payload),
    enqueueDelivery: (trx: Db, payload: JobPayload, at?: Date) => enqueue(trx, 'notify-send', payload, { at }),
    random: Math.random,
  });
  return {
    webhooks,
    channels: chat.channels,
    notifications,
    installations,
    pullRequests,
    schedules,
    /** In the transaction that ends a job: wakes the pull requests that wait for it, and records an analysis. */
    async onJobEnded(trx: Db, { org_id, id, kind, scan_run_id }: EndedJob) {
      await pullRequests.enqueueWaitingFor(trx, org_id, id);
      if (kind !== 'analyze' || scan_run_id === null) return;
      await notifications.record(trx, org_id, { source: 'analysis', source_id: scan_run_id });
    },
    parts: [
      webhookParts(webhooks, { api_url: base_urls.api_url, log }),
      notificationParts(notifications),
      installationParts(installations, base_urls),
      chatParts(chat, base_urls),
      scheduleParts(schedules),
      pullRequestParts({ pullRequests, analysis: plans.analysis, fitsAnalysis }),
    ],
  };
}
