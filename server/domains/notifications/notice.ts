/** Messages of their own, from the payloads of their events. */
import type { RiskLevel } from '../../../engine/index.ts';
import type { StoredEvent } from './events-store.ts';
import {
  type ApprovedPlan,
  describeAnalysis,
  describeApproval,
  describeDisabledSchedule,
  describeFailedScan,
} from './message.ts';
import type { Message } from './types.ts';

interface FailedScanPayload {
  cloud_account: { display_name: string; provider: string };
  error: { message: string };
  url: string | null;
}

interface DisabledSchedulePayload {
  schedule: { name: string };
  reason: string;
  last_error: string | null;
}

interface AnalysisPayload {
  repo: string | null;
  pr_number: number | null;
  branch: string | null;
  risk_level: RiskLevel;
  url: string | null;
}

/** @throws Error for an event that is no message of its own */
export function describeNotice({ type, data }: Pick<StoredEvent, 'type' | 'data'>, org_slug: string): Message {
  if (type === 'scan.failed') {
    const { cloud_account, error, url } = data as unknown as FailedScanPayload;
    return describeFailedScan({ ...cloud_account, error: error.message, url }, org_slug);
  }
  if (type === 'analysis.completed') return describeAnalysis(data as unknown as AnalysisPayload, org_slug);
  if (type === 'analysis.approved') return describeApproval(data as unknown as ApprovedPlan, org_slug);
  if (type === 'schedule.disabled') {
    const { schedule, reason, last_error } = data as unknown as DisabledSchedulePayload;
    return describeDisabledSchedule({ name: schedule.name, reason, last_error }, org_slug);
  }
  throw new Error(`${type} is not a message of its own`);
}
