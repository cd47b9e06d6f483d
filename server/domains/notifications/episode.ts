/** Decides from the snapshots of an account what has changed for people. Pure: a property test replays histories. */
import { compareLevels, type RiskLevel } from '../../../engine/index.ts';

/** What is known about the drift of an account. */
export interface Episode {
  /** Null while the account has no differences. */
  opened_at: Date | null;
  risk_level: RiskLevel;
  /** When the last snapshot was made; null before the first. */
  observed_at: Date | null;
  /** What the snapshots with differences could not read. */
  gaps: readonly string[];
}

/** A snapshot in comparison with the last one that was observed. Differences that a rule accepts are not counted. */
export interface Observation {
  observed_at: Date;
  item_count: number;
  risk_level: RiskLevel;
  /** What the snapshot could not read, as comparable texts. */
  gaps: readonly string[];
  is_same: boolean;
  /** Differences that are new, or whose level has risen. */
  added: number;
  removed: number;
  /** The highest level of what was added. */
  worst_added: RiskLevel;
}

export type Step =
  /** A later snapshot was observed before this one. */
  | 'stale'
  | 'unchanged'
  | 'opened'
  | 'worse'
  | 'better'
  | 'changed'
  | 'resolved'
  /** Differences are no longer found, but neither is everything that was read before. */
  | 'held';

export const NO_EPISODE: Episode = { opened_at: null, risk_level: 'none', observed_at: null, gaps: [] };

/** @returns the step, and the episode after it */
export function decideStep(episode: Episode, observation: Observation): { step: Step; episode: Episode } {
  const { observed_at, item_count, risk_level, gaps } = observation;
  const step = findStep(episode, observation);
  if (step === 'stale') return { step, episode };
  if (step === 'held') return { step, episode: { ...episode, observed_at } };
  if (item_count === 0) return { step, episode: { ...NO_EPISODE, observed_at } };
  return { step, episode: { opened_at: episode.opened_at ?? observed_at, risk_level, observed_at, gaps } };
}

function findStep(episode: Episode, observation: Observation): Step {
  const { observed_at, item_count, is_same } = observation;
  if (episode.observed_at !== null && observed_at <= episode.observed_at) return 'stale';
  if (episode.opened_at === null) return item_count === 0 ? 'unchanged' : 'opened';
  if (item_count === 0) return hasNewGap(episode, observation) ? 'held' : 'resolved';
  if (is_same) return 'unchanged';
  if (isWorse(episode, observation)) return 'worse';
  return isBetter(episode, observation) ? 'better' : 'changed';
}

/** A scan that could not read what it read before does not prove that differences are gone. */
function hasNewGap({ gaps }: Episode, observation: Observation): boolean {
  return observation.gaps.some((gap) => !gaps.includes(gap));
}

/** Anything dangerous that was added counts, whatever was there before. */
export function isWorse(
  { risk_level }: Pick<Episode, 'risk_level'>,
  { risk_level: new_level, added, worst_added }: Pick<Observation, 'risk_level' | 'added' | 'worst_added'>,
): boolean {
  if (compareLevels(new_level, risk_level) > 0) return true;
  return added > 0 && compareLevels(worst_added, 'high') >= 0;
}

function isBetter({ risk_level }: Episode, { risk_level: new_level, added, removed }: Observation): boolean {
  return compareLevels(new_level, risk_level) < 0 || (added === 0 && removed > 0);
}
