import { countAnalyses } from '../../../server/domains/analysis/store.ts';
import { countLiveKeys } from '../../../server/domains/api-keys/store.ts';
import { countAccounts } from '../../../server/domains/cloud-accounts/store.ts';
import { countUnfinished } from '../../../server/domains/cloud-scans/runs-store.ts';
import { quotaWindows } from '../../../server/domains/entitlements/index.ts';
import { countConfirmed } from '../../../server/domains/known-owners/store.ts';
import { findUsed } from '../../../server/domains/llm/quota-store.ts';
import { countSeats } from '../../../server/domains/orgs/limits-store.ts';
import type { OrgsDeps } from '../../../server/domains/orgs/service.ts';
import { countRules } from '../../../server/domains/rules/custom-rules-store.ts';
import { countSchedules, findShortestInterval } from '../../../server/domains/schedules/store.ts';
import { countSources } from '../../../server/domains/state-sources/store.ts';
import { countConfigs } from '../../../server/domains/webhooks/store.ts';

/** The declarations of all domains, for tests of a few of them. */
export const declared: OrgsDeps['declared'] = {
  settings: {
    state_source_secrets: 'verbatim',
    default_notify_channel: null,
    notify_quiet_hours: null,
    notify_digest_at: null,
    notify_timezone: 'UTC',
    pr_comment_mode: 'upsert',
    pr_fail_on: null,
    fork_pr_policy: 'comment',
    send_values_to_llm: 'redacted',
    count_llm_concerns: false,
  },
  usage: {
    seats: countSeats,
    api_keys: countLiveKeys,
    custom_rules: countRules,
    known_owners: countConfirmed,
    webhook_configs: countConfigs,
    cloud_accounts: countAccounts,
    state_sources: countSources,
    schedules: countSchedules,
    schedule_interval: findShortestInterval,
    concurrent_scans: countUnfinished,
    llm_weekly: async (read, org_id, now) => (await findUsed(read, org_id, quotaWindows(now))).weekly,
    llm_hourly: async (read, org_id, now) => (await findUsed(read, org_id, quotaWindows(now))).hourly,
    analyses_hourly: (read, org_id, now) => countAnalyses(read, org_id, new Date(now.getTime() - 3_600_000)),
  },
};
