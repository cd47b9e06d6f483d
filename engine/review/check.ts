import { isAtLeast } from '../model/levels.ts';
import type { RiskLevel } from '../model/result.ts';
import { machineText } from './machine.ts';
import type { CheckConclusion, Review, ReviewCheck } from './types.ts';
import { describeLevel, formatGaps, noiseShare, type Verdict } from './verdict.ts';

/** GitHub accepts 65,535 characters in either field. */
const MAX_TEXT_BYTES = 65_000;
const MAX_TITLE = 140;

/** @param page the text of the comment, below 65,000 bytes */
export function buildCheck(review: Review, verdict: Verdict, page: string): ReviewCheck {
  return {
    conclusion: pickConclusion(review, verdict),
    title: formatTitle(verdict),
    summary: page,
    text: machineText(review, verdict.level, MAX_TEXT_BYTES),
  };
}

function pickConclusion({ fail_on, plans }: Review, verdict: Verdict): CheckConclusion | null {
  const { level, check_level, blocked, waiting, failed, by_builtin_rules, stale } = verdict;
  if (waiting > 0 || plans.length === 0) return null;
  if (blocked || reaches(check_level, fail_on)) return 'failure';
  if (failed + by_builtin_rules > 0) return 'action_required';
  // A result for an older commit does not approve this one, and a critical risk is never shown as green.
  return stale || level === 'critical' ? 'neutral' : 'success';
}

function reaches(level: RiskLevel | null, floor: RiskLevel | null): boolean {
  return level !== null && floor !== null && isAtLeast(level, floor);
}

/** `High risk: 1 to replace, 4 to update; 17 of 23 changes ignored as noise`; contains no text from the plan. */
function formatTitle(verdict: Verdict): string {
  const { level, check_level, total, destructive, constructive, live, stale } = verdict;
  const label = describeLevel(verdict);
  const counts = [...destructive, ...constructive].join(', ');
  const parts = [
    stale ? 'for an older commit' : '',
    check_level === level ? '' : `a concern of the language model counts as ${check_level}`,
    level !== null && total === 0 ? 'no changes' : counts,
    ...live,
    ...formatGaps(verdict),
    noiseShare(verdict),
  ].filter((part) => part !== '');
  const title = `${label.charAt(0).toUpperCase()}${label.slice(1)}${parts.length > 0 ? `: ${parts.join('; ')}` : ''}`;
  return title.length <= MAX_TITLE ? title : `${title.slice(0, MAX_TITLE - 1)}…`;
}
