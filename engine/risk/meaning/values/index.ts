/** Judges changed values by what they mean: schedules, lifetimes, limits, thresholds, states. */
import { judgeAbsence } from './absence.ts';
import { judgeApproval } from './approvals.ts';
import { judgeAvailability } from './availability.ts';
import { judgeBadNews } from './bad-news.ts';
import { judgeBroadPattern } from './broad-patterns.ts';
import { judgeCaching } from './caching.ts';
import { judgeChoice } from './choices.ts';
import { judgeCommand } from './commands.ts';
import { judgeCondition } from './conditions.ts';
import { judgeCopies } from './copies.ts';
import { judgeDnsLifetime } from './dns.ts';
import { judgeEndDate } from './end-dates.ts';
import { judgeEnvironment } from './environments.ts';
import { judgeExclusion, judgeSample } from './exclusions.ts';
import { judgeExpiryField } from './expiry-field.ts';
import { judgeExpression } from './expressions.ts';
import { judgeFailurePolicy } from './failure-policy.ts';
import { judgeFarMove } from './far-moves.ts';
import { judgeFilter } from './filters.ts';
import { judgeForwarding } from './forwarding.ts';
import { judgeGap } from './gaps.ts';
import { judgeGrade } from './grades.ts';
import { judgeEnd } from './idle.ts';
import { judgeImpossible } from './impossible.ts';
import { judgeLaxWord } from './lax-words.ts';
import { judgeLifetime } from './lifetimes.ts';
import { judgeLimit } from './limits.ts';
import { judgeListening } from './listening.ts';
import { judgeLiteralCase } from './literal-case.ts';
import { judgeMailPolicy } from './mail-policies.ts';
import { judgeMaintenance } from './maintenance.ts';
import { judgeMode } from './modes.ts';
import { judgeMutedProduction, judgeMuting } from './muting.ts';
import { judgeNever } from './never.ts';
import { judgeNotified } from './notified.ts';
import { judgeObjectEnd } from './object-ends.ts';
import { judgeParameter } from './parameters.ts';
import { judgePattern } from './patterns.ts';
import { judgePeers } from './peers.ts';
import { judgeProbe } from './probes.ts';
import { judgeProcessingTime } from './processing.ts';
import { judgeProjection } from './projections.ts';
import { judgePurge } from './purges.ts';
import { judgeQuantity } from './quantities.ts';
import { judgeQueryFilter } from './query-filters.ts';
import { judgeQueryThreshold } from './query-thresholds.ts';
import { judgeRanges } from './ranges.ts';
import { judgeResponses } from './responses.ts';
import { judgeReversal } from './reversals.ts';
import { judgeRights } from './rights.ts';
import { judgeRollout } from './rollouts.ts';
import { judgeSchedule } from './schedules.ts';
import { judgeSelectedCase } from './selected-case.ts';
import { judgeDryRun, judgeState } from './states.ts';
import { judgeTenant } from './tenants.ts';
import { judgeThreshold } from './thresholds.ts';
import { judgeTrigger } from './triggers.ts';
import { judgeTurnedOperator } from './turned-operators.ts';
import type { Argument, ValueFinding, ValueReader } from './types.ts';
import { judgeUnguardedPath } from './unguarded-paths.ts';
import { judgeUnitName } from './unit-names.ts';
import { judgeUnit } from './units.ts';
import { judgeVersion } from './versions.ts';
import { judgeWeekdays } from './weekdays.ts';
import { judgeWildcard } from './wildcards.ts';
import { judgeWordMove } from './word-moves.ts';
import { hasAny, listWords } from './words.ts';

export { createArgumentReader } from './argument.ts';
export type { Argument, ValueFinding } from './types.ts';

/** The first reader that knows a value decides, so special meanings come before general ones. */
const READERS: readonly ValueReader[] = [
  judgeUnit,
  judgeUnitName,
  judgeParameter,
  judgeMaintenance,
  judgeObjectEnd,
  judgeTenant,
  judgeNever,
  judgeWeekdays,
  judgeSchedule,
  judgeDnsLifetime,
  judgeExpiryField,
  judgeEndDate,
  judgeFailurePolicy,
  judgeAbsence,
  judgeGap,
  judgeSelectedCase,
  judgeCommand,
  judgeImpossible,
  judgeProjection,
  judgeThreshold,
  judgeQueryThreshold,
  judgeTurnedOperator,
  judgeLiteralCase,
  judgeMutedProduction,
  judgeQueryFilter,
  judgeEnvironment,
  judgeProbe,
  judgeCondition,
  judgeReversal,
  judgeExpression,
  judgeCaching,
  judgeTrigger,
  judgeApproval,
  judgeAvailability,
  judgeRollout,
  judgeProcessingTime,
  judgeEnd,
  judgeCopies,
  judgePurge,
  judgeLifetime,
  judgePeers,
  judgeUnguardedPath,
  judgeExclusion,
  judgeSample,
  judgeForwarding,
  judgeListening,
  judgeRanges,
  judgeLimit,
  judgeQuantity,
  judgeFilter,
  judgeNotified,
  judgeBadNews,
  judgeMuting,
  judgeBroadPattern,
  judgePattern,
  judgeMailPolicy,
  judgeGrade,
  judgeWildcard,
  judgeRights,
  judgeChoice,
  judgeVersion,
  judgeDryRun,
  judgeState,
  judgeMode,
  judgeResponses,
  judgeWordMove,
  judgeLaxWord,
  judgeFarMove,
];

/** Returns what a changed value means; null when its words and values say nothing special. */
export function judgeValue(argument: Argument): ValueFinding | null {
  const found = readValue(argument);
  if (found !== null) return found;
  const item = findOtherItem(argument);
  return item === null ? null : readValue(item);
}

function readValue(argument: Argument): ValueFinding | null {
  for (const read of READERS) {
    const found = read(argument);
    if (found !== null) return found;
  }
  return null;
}

const MAX_ITEMS = 200;

/** Lists of hosts and origins are judged as lists, by who may be on them. */
const PEERS = listWords('host origin domain peer');

/** The only item of a list that differs means what the argument would mean with this value alone. */
function findOtherItem({ before, after, ...rest }: Argument): Argument | null {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return null;
  if (before.length > MAX_ITEMS) return null;
  const places = before.flatMap((item, at) => (item === after[at] ? [] : [at]));
  const [at] = places;
  if (at === undefined || places.length > 1) return null;
  const [was, is] = [before[at], after[at]];
  if (typeof was !== 'string' || typeof is !== 'string' || hasAny(rest.words, PEERS)) return null;
  return { ...rest, before: was, after: is };
}
