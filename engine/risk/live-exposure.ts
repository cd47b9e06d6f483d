import type { ResourceChange } from '../changes/types.ts';
import { capitalize } from '../lib/capitalize.ts';
import { findAge } from '../model/age.ts';
import { stepUp } from '../model/levels.ts';
import { describeExposure } from '../model/live-texts.ts';
import type { Reason } from '../model/result.ts';

const RULE = 'R-EXP-LIVE';

/** Older observations are shown with their age, but raise nothing: the resource may have been closed since. */
const MAX_AGE_DAYS = 7;

/**
 * The reason that raises a weakening of a resource that is public already by one level.
 *
 * @param weakening the highest reason that weakens a protection; null if there is none
 * @param disabled ids of rules that the organization has turned off
 * @returns null if the resource is not known to be public
 */
export function findExposureReason(
  { live }: Pick<ResourceChange, 'live'>,
  weakening: Reason | null,
  disabled: ReadonlySet<string>,
): Reason | null {
  if (!live?.exposure || weakening === null || disabled.has(RULE)) return null;
  const { exposure, as_of } = live;
  if (findAge(exposure.seen_at, as_of).days > MAX_AGE_DAYS) return null;
  const state = capitalize(describeExposure(exposure, as_of));
  return {
    rule_id: RULE,
    kind: 'exposure',
    effect: 'raise',
    level: stepUp(weakening.level),
    path: weakening.path,
    message: `${state}, so the weakened protection counts one level more. ${exposure.message}`,
  };
}
