/** Judges changed values by what they mean: schedules, lifetimes, limits, thresholds, states. */
import { judgeAbsence } from './absence.ts';
import { judgeApproval } from './approvals.ts';
import { judgeAvailability } from './availability.ts';
import { judgeChoice } from './choices.ts';
import { judgeDnsLifetime } from './dns.ts';
import { judgeEndDate } from './end-dates.ts';
import { judgeExpiryField } from './expiry-field.ts';
import { judgeFailurePolicy } from './failure-policy.ts';
import { judgeFilter } from './filters.ts';
import { judgeEnd } from './idle.ts';
import { judgeLifetime } from './lifetimes.ts';
import { judgeLimit } from './limits.ts';
import { judgeNotified } from './notified.ts';
import { judgeProcessingTime } from './processing.ts';
import { judgeQuantity } from './quantities.ts';
import { judgeSchedule } from './schedules.ts';
import { judgeState } from './states.ts';
import { judgeThreshold } from './thresholds.ts';
import type { Argument, ValueFinding, ValueReader } from './types.ts';
import { judgeVersion } from './versions.ts';

export { createArgumentReader } from './argument.ts';
export type { Argument, ValueFinding } from './types.ts';

/** The first reader that knows a value decides, so special meanings come before general ones. */
const READERS: readonly ValueReader[] = [
  judgeSchedule,
  judgeDnsLifetime,
  judgeExpiryField,
  judgeEndDate,
  judgeFailurePolicy,
  judgeAbsence,
  judgeThreshold,
  judgeApproval,
  judgeAvailability,
  judgeProcessingTime,
  judgeEnd,
  judgeLifetime,
  judgeLimit,
  judgeQuantity,
  judgeFilter,
  judgeNotified,
  judgeChoice,
  judgeVersion,
  judgeState,
];

/** Returns what a changed value means; null when its words and values say nothing special. */
export function judgeValue(argument: Argument): ValueFinding | null {
  for (const read of READERS) {
    const found = read(argument);
    if (found !== null) return found;
  }
  return null;
}
