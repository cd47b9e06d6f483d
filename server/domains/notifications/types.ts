import type { RiskLevel } from '../../../engine/index.ts';

/** Types of events; the contract describes the payload of each under `webhooks`. */
export type EventType =
  | 'drift.detected'
  | 'drift.resolved'
  | 'drift.unchanged'
  | 'scan.failed'
  | 'analysis.completed'
  | 'analysis.approved'
  | 'schedule.disabled'
  | 'compliance_pack.ready'
  | 'compliance_pack.failed';

/** What happened, before the service decides what it means. */
export type EventSource = 'drift_snapshot' | 'scan' | 'analysis' | 'compliance_pack' | 'schedule' | 'pull_request';

/** Where messages for people go; `webhook` is a server of the organization. */
export type TargetKind = 'slack' | 'teams' | 'email' | 'webhook';
/** `issue`: an issue of a repository, which only a schedule can have. */
export type RouteKind = TargetKind | 'issue';

/** A destination of notifications. @see openapi.yaml, NotificationTarget */
export interface NotificationTarget {
  id: string;
  kind: TargetKind;
  label: string | null;
  enabled: boolean;
  /** Nothing below this level is sent. */
  min_level: RiskLevel;
  /** Of `slack`: the ID or the name of a channel. */
  channel: string | null;
  /** Of `email`. */
  addresses: string[];
  /** Of `teams`: the host of the URL and the end of its path. */
  url: string | null;
  /** Of `webhook`. */
  webhook_config_id: string | null;
  last_delivery_at: Date | null;
  last_delivery_status: DeliveryStatus | null;
  /** Why the last delivery failed. */
  last_error: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface TargetInput {
  kind: TargetKind;
  label?: string | null | undefined;
  enabled?: boolean | undefined;
  min_level?: RiskLevel | undefined;
  channel?: string | undefined;
  addresses?: string[] | undefined;
  url?: string | undefined;
  webhook_config_id?: string | undefined;
}

export interface TargetChanges {
  label?: string | null | undefined;
  enabled?: boolean | undefined;
  min_level?: RiskLevel | undefined;
}

/** The targets of one schedule, which replace those of the organization. */
export interface ScheduleTargets {
  /** A Slack channel. */
  channel: string | null;
  webhook_config_ids: readonly string[];
}

/** A schedule that tells of an account. */
export interface Follower extends ScheduleTargets {
  id: string;
  name: string;
  /** Whether it started the scan. */
  has_started: boolean;
}

/** A target as events are routed to it. */
export interface Route {
  /**
   * `target:<id>`, `channel:<channel>` or `webhook:<config>` for what a setting or a schedule names, or
   * `issue:<config>:<schedule>`.
   */
  key: string;
  kind: RouteKind;
  min_level: RiskLevel;
  /** Null for a channel without a target row. */
  target_id: string | null;
  channel: string | null;
  webhook_config_id: string | null;
  /** The schedule that names the target; null for a target of the organization. */
  schedule_id: string | null;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** What a delivery does at its target. */
export type DeliveryAction =
  /** Starts a message for differences. */
  | 'open'
  /** Brings the message up to date, which notifies nobody. */
  | 'update'
  /** Brings it up to date and notifies people. */
  | 'alert'
  /** Says that the differences are gone. */
  | 'resolve'
  /** A message of its own. */
  | 'notice';

/** A delivery to people. @see openapi.yaml, NotificationDelivery */
export interface NotificationDelivery {
  id: string;
  event_id: string | null;
  event: string;
  action: DeliveryAction;
  target_id: string | null;
  target_kind: RouteKind;
  channel: string | null;
  /** The repository of an issue; null for other kinds. */
  webhook_config_id: string | null;
  /** The schedule that names the target; null for a target of the organization. */
  schedule_id: string | null;
  status: DeliveryStatus;
  http_status: number | null;
  attempts: number;
  next_attempt_at: Date | null;
  duration_ms: number | null;
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

/** An item of a drift snapshot as messages name it. */
export interface TopItem {
  drift_type: 'new' | 'changed' | 'missing';
  /** Null for a resource that no state declares. */
  resource_address: string | null;
  resource_type: string | null;
  /** The cloud's name of the resource. */
  name: string | null;
  risk_level: RiskLevel;
}

/** The drift of one account as a message shows it. */
export interface AccountDrift {
  cloud_account_id: string;
  display_name: string;
  provider: string;
  status: 'open' | 'resolved';
  risk_level: RiskLevel;
  counts: { new: number; changed: number; missing: number };
  coverage_pct: number;
  /** Since the last snapshot. */
  delta: { added: number; removed: number };
  top_items: TopItem[];
  url: string | null;
  scan_run_id: string;
  /** ISO 8601. */
  opened_at: string;
  /** ISO 8601; null while it is open. */
  resolved_at: string | null;
}

/** A message for people, without any markup: each medium renders and escapes it in its own way. */
export interface Message {
  title: string;
  /** One line for places that show nothing else. */
  summary: string;
  facts: readonly { label: string; value: string }[];
  sections: readonly MessageSection[];
  link: { label: string; url: string } | null;
  /** Why the recipient gets it. */
  footer: string;
}

export interface MessageSection {
  heading: string | null;
  /** Most important first; those that do not fit are counted. */
  lines: readonly MessageLine[];
}

/** A line: a name from a cloud or a repository, which is never trusted, and what is said about it. */
export interface MessageLine {
  name: string;
  text: string;
}

/** Something that people can do from a message. `value` is signed, and says nothing about the organization. */
export interface MessageButton {
  action_id: ThreadAction | 'suppress';
  label: string;
  value: string;
}

export type ThreadAction = 'scan_again' | 'snooze' | 'acknowledge' | 'ignore';

/** The result of one attempt to reach people. */
export type SendOutcome =
  | {
      status: 'delivered';
      http_status: number | null;
      ref?: MessageRef;
      is_skipped?: boolean;
      /** An earlier attempt had notified people, with what was known then. */
      is_found?: boolean;
    }
  /** A retry does not help until somebody changes something. */
  | { status: 'refused'; http_status: number | null; error: string }
  | {
      status: 'failed';
      http_status: number | null;
      error: string;
      retry_after_ms: number | null;
      /** The other side may have accepted the message. */
      is_unsure?: boolean;
    };

/** Where a message was posted, so that it can be updated. */
export interface MessageRef {
  /** For an issue the path of its repository. */
  channel: string;
  /** The ID of the message at Slack, the `Message-ID` of an email, or the number of an issue. */
  id: string;
}

/** Where a message goes. */
export interface Place {
  channel: string | null;
  addresses: readonly string[];
  /** The URL of a Teams workflow. */
  url: string | null;
}

/** One attempt to bring a message up to date at its place. */
export interface Sending {
  message: Message;
  /** Notifies people below a message that was posted before; null if nobody is notified. */
  line: string | null;
  /** The posted message; null for a new one. */
  ref: MessageRef | null;
  /** What people can do about the drift; only Slack shows it, in a workspace of the organization. */
  buttons?: readonly MessageButton[];
  /** The same for each attempt. */
  delivery_id: string;
  /** Of a message that is attempted again if its process is killed. */
  posting?: Posting;
}

/** What is known about earlier attempts to post a message. */
export interface Posting {
  /** When one of them began whose outcome is not known; null = none. */
  begun_at: Date | null;
  /** Including this one. */
  attempts: number;
  /** Notes that the message is about to be posted. */
  begin: () => Promise<void>;
}

/** A way to reach people. Never throws for an answer of the other side. */
export type Medium = (org_id: string, place: Place, sending: Sending) => Promise<SendOutcome>;
