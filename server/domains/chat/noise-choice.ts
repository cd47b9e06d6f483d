/** What suppressing the recurring noise of an analysis would do. */
import { type Change, compareLevels, predictAcceptance, type RiskLevel } from '../../../engine/index.ts';

/** As the operation that suppresses patterns allows. */
const MOST_CHANGES = 100;

/** A pattern at an address. */
export interface NoisePair {
  fingerprint: string;
  resource_address: string;
}

/** The part of a result that is looked at. */
export interface NoisyResult {
  risk_level: RiskLevel;
  /** Highest level first. */
  changes: readonly Change[];
  changes_total: number;
  changes_truncated: boolean;
}

/** Changes that a suppression hides, and the risk without them. */
export interface NoisePreview {
  /** Highest level first; at most 100. */
  hidden: readonly (NoisePair & { level: RiskLevel })[];
  changes_total: number;
  /** Of the analysis as it is. */
  risk_level: RiskLevel;
  /** The highest level of a change once these are hidden. */
  risk_without: RiskLevel;
}

/**
 * A change counts if its only difference has a pattern that recurs in the repository. The engine says whether the
 * suppression of that pattern hides the change: one that destroys or weakens something is never hidden.
 *
 * @param recurring patterns that recur and are not suppressed
 */
export function previewNoise(result: NoisyResult, recurring: readonly NoisePair[]): NoisePreview {
  const known = new Set(recurring.map(toKey));
  const hidden = result.changes
    .flatMap((change) => {
      const pair = findPair(change);
      return pair !== null && known.has(toKey(pair)) ? [{ ...pair, level: change.risk.level }] : [];
    })
    .slice(0, MOST_CHANGES);
  const gone = new Set(hidden.map(({ resource_address }) => resource_address));
  const { risk_level, changes, changes_total } = result;
  const left = changes.filter(({ address, action }) => action !== 'update' || !gone.has(address));
  return { hidden, changes_total, risk_level, risk_without: findHighest(left, result) };
}

function findPair(change: Change): NoisePair | null {
  const [fingerprint, ...others] = change.noise.fingerprints;
  if (fingerprint === undefined || others.length > 0 || predictAcceptance(change) !== 'hides') return null;
  return { fingerprint, resource_address: change.address };
}

/** Changes that a result does not list have at most the level of the last one that it lists. */
function findHighest(left: readonly Change[], { changes, changes_truncated }: NoisyResult): RiskLevel {
  const unlisted = changes_truncated ? changes.slice(-1) : [];
  return [...left, ...unlisted].reduce<RiskLevel>(
    (highest, { risk }) => (compareLevels(risk.level, highest) > 0 ? risk.level : highest),
    'none',
  );
}

function toKey({ fingerprint, resource_address }: NoisePair): string {
  return `${fingerprint} ${resource_address}`;
}
