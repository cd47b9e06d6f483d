import type { OrgSettings } from './types.ts';

const DEFAULTS: OrgSettings = {
  state_source_secrets: 'verbatim',
  default_notify_channel: null,
  pr_comment_mode: 'upsert',
  pr_fail_on: null,
  fork_pr_policy: 'comment',
  send_values_to_llm: 'redacted',
};

/** Every setting, from what an org has chosen; a later release may add settings that a stored choice knows nothing of. */
export function settingsOf(chosen: Partial<OrgSettings>): OrgSettings {
  return { ...DEFAULTS, ...chosen };
}

/** The settings that a change would really alter, sorted. */
export function changedKeys(settings: OrgSettings, changes: Partial<OrgSettings>): (keyof OrgSettings)[] {
  const keys = Object.keys(changes) as (keyof OrgSettings)[];
  return keys.filter((key) => changes[key] !== undefined && changes[key] !== settings[key]).sort();
}
