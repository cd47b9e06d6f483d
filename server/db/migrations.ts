import type { Knex } from 'knex';
import * as users from '../../migrations/20261101T0900_users.ts';
import * as orgs from '../../migrations/20261101T0910_orgs.ts';
import * as scanRuns from '../../migrations/20261101T0920_scan_runs.ts';
import * as llmJobs from '../../migrations/20261101T0930_llm_jobs.ts';
import * as outbox from '../../migrations/20261101T0940_outbox.ts';
import * as idempotencyKeys from '../../migrations/20261101T0950_idempotency_keys.ts';
import * as listTotals from '../../migrations/20261101T0960_list_totals.ts';
import * as rowLevelSecurity from '../../migrations/20261121T0900_row_level_security.ts';
import * as auditLog from '../../migrations/20261121T0910_audit_log.ts';
import * as identity from '../../migrations/20261121T0920_identity.ts';
import * as orgAdministration from '../../migrations/20261121T0930_org_administration.ts';
import * as federation from '../../migrations/20261121T0940_federation.ts';
import * as orgRules from '../../migrations/20261121T1000_org_rules.ts';
import * as planNoise from '../../migrations/20261121T1010_plan_noise.ts';
import * as longRepositoryNames from '../../migrations/20261121T1020_long_repository_names.ts';
import * as llm from '../../migrations/20261121T1100_llm.ts';
import * as traces from '../../migrations/20261121T1110_traces.ts';
import * as fixJobs from '../../migrations/20261121T1120_fix_jobs.ts';
import * as scm from '../../migrations/20261121T1200_scm.ts';
import * as pullRequests from '../../migrations/20261121T1210_pull_requests.ts';
import * as frequentPatterns from '../../migrations/20261121T1215_frequent_patterns.ts';
import * as webhookDeliveries from '../../migrations/20261121T1300_webhook_deliveries.ts';
import * as pullRequestUpkeep from '../../migrations/20261121T1310_pull_request_upkeep.ts';
import * as repositoryScans from '../../migrations/20261121T1320_repository_scans.ts';
import * as repositoryKeys from '../../migrations/20261121T1330_repository_keys.ts';
import * as auditTimes from '../../migrations/20261122T0900_audit_times.ts';
import * as linkConfirmations from '../../migrations/20261122T0910_link_confirmations.ts';
import * as masterKeysInUse from '../../migrations/20261122T0910_master_keys_in_use.ts';
import * as secretsInAddresses from '../../migrations/20261122T0911_secrets_in_addresses.ts';
import * as keptAnswers from '../../migrations/20261122T0920_kept_answers.ts';
import * as analysesLimit from '../../migrations/20261122T1930_analyses_limit.ts';
import * as noiseOfPullRequests from '../../migrations/20261122T1940_noise_of_pull_requests.ts';
import * as commandReplies from '../../migrations/20261123T0900_command_replies.ts';
import * as plainColumnNames from '../../migrations/20261123T1000_plain_column_names.ts';
import * as knownOwners from '../../migrations/20261123T1100_known_owners.ts';
import * as cloudAccounts from '../../migrations/20261124T0900_cloud_accounts.ts';
import * as stateSources from '../../migrations/20261124T0930_state_sources.ts';
import * as inventory from '../../migrations/20261124T1200_inventory.ts';
import * as inventoryViews from '../../migrations/20261124T1300_inventory_views.ts';
import * as drift from '../../migrations/20261127T1500_drift.ts';
import * as planDrift from '../../migrations/20261128T0900_plan_drift.ts';
import * as driftService from '../../migrations/20261128T0910_drift_service.ts';
import * as resourceRegions from '../../migrations/20261128T0911_resource_regions.ts';
import * as schedules from '../../migrations/20261128T0920_schedules.ts';
import * as notifications from '../../migrations/20261128T0930_notifications.ts';
import * as compliancePacks from '../../migrations/20261128T0940_compliance_packs.ts';
import * as chat from '../../migrations/20261128T1000_chat.ts';
import * as billing from '../../migrations/20261128T1100_billing.ts';
import * as notificationSources from '../../migrations/20261128T1200_notification_sources.ts';
import * as driftItemCounts from '../../migrations/20261128T1300_drift_item_counts.ts';
import * as handledDrift from '../../migrations/20261129T1000_handled_drift.ts';
import * as scheduleIssues from '../../migrations/20261129T1100_schedule_issues.ts';
import * as approvedPullRequests from '../../migrations/20261129T1110_approved_pull_requests.ts';
import * as notifiedAccounts from '../../migrations/20261129T1120_notified_accounts.ts';
import * as auditCheckpoints from '../../migrations/20261129T1200_audit_checkpoints.ts';
import * as billingRepairs from '../../migrations/20261129T1300_billing_repairs.ts';
import * as begunPosts from '../../migrations/20261130T1000_begun_posts.ts';
import * as checkpointDestinations from '../../migrations/20261130T2000_checkpoint_destinations.ts';
import * as failedBillingEvents from '../../migrations/20261130T2010_failed_billing_events.ts';

interface SqlMigration {
  name: string;
  up: string;
}

/**
 * All migrations in the order of application. They are listed here rather than read from a folder, so that one build
 * has one list.
 */
export const MIGRATIONS: readonly SqlMigration[] = [
  { name: '20261101T0900_users', ...users },
  { name: '20261101T0910_orgs', ...orgs },
  { name: '20261101T0920_scan_runs', ...scanRuns },
  { name: '20261101T0930_llm_jobs', ...llmJobs },
  { name: '20261101T0940_outbox', ...outbox },
  { name: '20261101T0950_idempotency_keys', ...idempotencyKeys },
  { name: '20261101T0960_list_totals', ...listTotals },
  { name: '20261121T0900_row_level_security', ...rowLevelSecurity },
  { name: '20261121T0910_audit_log', ...auditLog },
  { name: '20261121T0920_identity', ...identity },
  { name: '20261121T0930_org_administration', ...orgAdministration },
  { name: '20261121T0940_federation', ...federation },
  { name: '20261121T1000_org_rules', ...orgRules },
  { name: '20261121T1010_plan_noise', ...planNoise },
  { name: '20261121T1020_long_repository_names', ...longRepositoryNames },
  { name: '20261121T1100_llm', ...llm },
  { name: '20261121T1110_traces', ...traces },
  { name: '20261121T1120_fix_jobs', ...fixJobs },
  { name: '20261121T1200_scm', ...scm },
  { name: '20261121T1210_pull_requests', ...pullRequests },
  { name: '20261121T1215_frequent_patterns', ...frequentPatterns },
  { name: '20261121T1300_webhook_deliveries', ...webhookDeliveries },
  { name: '20261121T1310_pull_request_upkeep', ...pullRequestUpkeep },
  { name: '20261121T1320_repository_scans', ...repositoryScans },
  { name: '20261121T1330_repository_keys', ...repositoryKeys },
  { name: '20261122T0900_audit_times', ...auditTimes },
  { name: '20261122T0910_link_confirmations', ...linkConfirmations },
  { name: '20261122T0910_master_keys_in_use', ...masterKeysInUse },
  { name: '20261122T0911_secrets_in_addresses', ...secretsInAddresses },
  { name: '20261122T0920_kept_answers', ...keptAnswers },
  { name: '20261122T1930_analyses_limit', ...analysesLimit },
  { name: '20261122T1940_noise_of_pull_requests', ...noiseOfPullRequests },
  { name: '20261123T0900_command_replies', ...commandReplies },
  { name: '20261123T1000_plain_column_names', ...plainColumnNames },
  { name: '20261123T1100_known_owners', ...knownOwners },
  { name: '20261124T0900_cloud_accounts', ...cloudAccounts },
  { name: '20261124T0930_state_sources', ...stateSources },
  { name: '20261124T1200_inventory', ...inventory },
  { name: '20261124T1300_inventory_views', ...inventoryViews },
  { name: '20261127T1500_drift', ...drift },
  { name: '20261128T0900_plan_drift', ...planDrift },
  { name: '20261128T0910_drift_service', ...driftService },
  { name: '20261128T0911_resource_regions', ...resourceRegions },
  { name: '20261128T0920_schedules', ...schedules },
  { name: '20261128T0930_notifications', ...notifications },
  { name: '20261128T0940_compliance_packs', ...compliancePacks },
  { name: '20261128T1000_chat', ...chat },
  { name: '20261128T1100_billing', ...billing },
  { name: '20261128T1200_notification_sources', ...notificationSources },
  { name: '20261128T1300_drift_item_counts', ...driftItemCounts },
  { name: '20261129T1000_handled_drift', ...handledDrift },
  { name: '20261129T1100_schedule_issues', ...scheduleIssues },
  { name: '20261129T1110_approved_pull_requests', ...approvedPullRequests },
  { name: '20261129T1120_notified_accounts', ...notifiedAccounts },
  { name: '20261129T1200_audit_checkpoints', ...auditCheckpoints },
  { name: '20261129T1300_billing_repairs', ...billingRepairs },
  { name: '20261130T1000_begun_posts', ...begunPosts },
  { name: '20261130T2000_checkpoint_destinations', ...checkpointDestinations },
  { name: '20261130T2010_failed_billing_events', ...failedBillingEvents },
];

export const migrationSource: Knex.MigrationSource<SqlMigration> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: (migration) => migration.name,
  getMigration: async (migration) => ({
    up: async (trx) => {
      await trx.raw(migration.up);
    },
    down: async () => {
      throw new Error(`${migration.name} cannot be reverted: write a new migration`);
    },
  }),
};
