/** When scans of which accounts start, and who is notified. */
export interface Schedule {
  id: string;
  org_id: string;
  name: string;
  /** Cron expression, in UTC. */
  schedule: string;
  /** null: every account that is enabled when it runs. */
  cloud_account_id: string | null;
  enabled: boolean;
  /** Empty for all regions. */
  filter_regions: string[];
  /** `#name` or an ID; null for the organization's default. */
  notify_chat_channel: string | null;
  notify_webhook_config_ids: string[];
  consecutive_failures: number;
  /** Why the service disabled it; null if it did not. */
  disabled_reason: string | null;
  last_error: string | null;
  last_run_at: Date | null;
  /** null while it is disabled. */
  next_run_at: Date | null;
  created_at: Date;
  /** Email. */
  created_by: string;
  updated_at: Date;
}

export interface ScheduleInput {
  name: string;
  schedule: string;
  cloud_account_id?: string | null | undefined;
  enabled?: boolean | undefined;
  filter_regions?: string[] | undefined;
  notify_chat_channel?: string | null | undefined;
  notify_webhook_config_ids?: string[] | undefined;
}

/** undefined leaves a field as it is, null clears it. */
export interface ScheduleChanges {
  name?: string | undefined;
  schedule?: string | undefined;
  cloud_account_id?: string | null | undefined;
  enabled?: boolean | undefined;
  filter_regions?: string[] | null | undefined;
  notify_chat_channel?: string | null | undefined;
  notify_webhook_config_ids?: string[] | null | undefined;
}

/** The fields that a person chooses. */
export type ScheduleFields = Pick<
  Schedule,
  | 'name'
  | 'schedule'
  | 'cloud_account_id'
  | 'enabled'
  | 'filter_regions'
  | 'notify_chat_channel'
  | 'notify_webhook_config_ids'
>;

/** What a run needs of its schedule. */
export interface FiringSchedule {
  id: string;
  name: string;
  schedule: string;
  cloud_account_id: string | null;
  enabled: boolean;
  filter_regions: string[];
  interval_minutes: number;
  consecutive_failures: number;
  disabled_reason: string | null;
  last_error: string | null;
  last_run_at: Date | null;
  next_run_at: Date | null;
  /** Accounts whose scan for this schedule has not ended. */
  active_account_ids: string[];
  /** Whether an earlier run has scans that wait for the organization's limit. */
  has_waiting: boolean;
}

/** A run of a schedule. */
export interface Firing {
  id: string;
  schedule_id: string;
  /** null if a person started it. */
  due_at: Date | null;
  fired_at: Date;
  /** What the run did not do, for people; null if nothing. */
  note: string | null;
  /** Accounts whose scans wait for the organization's limit. */
  waiting_account_ids: string[];
  /** When waiting scans are looked at next; null if none wait. */
  try_at: Date | null;
  /** When all scans had ended; null before. */
  settled_at: Date | null;
}

/** The columns of a schedule that its runs change. */
export type RunState = Pick<
  FiringSchedule,
  'enabled' | 'consecutive_failures' | 'disabled_reason' | 'last_error' | 'last_run_at' | 'next_run_at'
>;
