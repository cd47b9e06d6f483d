/** The hourly number of analyses becomes a limit like the others, which can be overridden for one organization. */
export const up = /* sql */ `
  alter table org_limits
    drop constraint org_limits_name_check,
    add constraint org_limits_name_check check (name in (
      'seats', 'schedules', 'schedule_interval', 'state_sources', 'cloud_accounts', 'concurrent_scans',
      'custom_rules', 'api_keys', 'webhook_configs', 'llm_weekly', 'llm_hourly', 'analyses_hourly'));
`;
