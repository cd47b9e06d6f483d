/** What every packet filter is judged by, whatever its provider: R-NET-OPEN, R-NET-WIDEN, R-NET-EGRESS. */
import type { RiskLevel } from '../../../result.ts';
import { compareLevels, isAtLeast, minLevel } from '../../levels.ts';
import type { Subject } from '../subject.ts';
import {
  compareSets,
  describePorts,
  findNewlyPublic,
  findWidened,
  type Opening,
  type Range,
  rateOpening,
  stepsFor,
} from './openings.ts';

export interface FilterSides {
  before: readonly Opening[];
  after: readonly Opening[];
  /** The attributes which together say what is open: their diffs get the direction. */
  attributes: readonly string[];
  /** A second line of defence is never judged above this. */
  ceiling?: RiskLevel;
}

/** What was not compared is not taken for harmless. */
const TOO_MANY = ' The filter has too many rules to compare them all; what was not compared counts as new.';

/** Compares what a filter lets in before and after, as sets, and reports what is new. */
export function judgeIngress(subject: Subject, { before, after, attributes, ceiling = 'critical' }: FilterSides): void {
  const steps = stepsFor(before, after);
  const opened = findNewlyPublic(before, after, steps).map(({ opening, ranges }) => ({
    opening,
    ranges,
    level: minLevel(rateOpening(opening, ranges), ceiling),
  }));
  opened.sort((a, b) => compareLevels(b.level, a.level));
  const worst = opened[0];
  if (worst) {
    subject.add({
      rule: 'R-NET-OPEN',
      level: worst.level,
      path: worst.opening.path,
      message: describeOpening(subject, worst.opening, worst.ranges) + (steps.exhausted ? TOO_MANY : ''),
    });
    for (const { opening } of opened) subject.setDirection(opening.path, 'weakening');
  }
  if (!worst || !isAtLeast(worst.level, 'medium')) judgeWidening(subject, before, after, steps);
  if (subject.mode === 'create' || worst) return;
  const change = compareSets(before, after, steps);
  if (change === 'narrower') for (const attribute of attributes) subject.setDirection([attribute], 'strengthening');
}

function judgeWidening(
  subject: Subject,
  before: readonly Opening[],
  after: readonly Opening[],
  steps: ReturnType<typeof stepsFor>,
): void {
  const widened = findWidened(before, after, steps);
  if (!widened) return;
  const { opening, from } = widened;
  const values = subject.isHidden(opening.path) || from === null ? '' : ` from ${from.label} to ${opening.label}`;
  subject.add({
    rule: 'R-NET-WIDEN',
    level: 'medium',
    path: opening.path,
    message: from === null ? `The addresses let in may grow.${TOO_MANY}` : `The addresses let in grow${values}.`,
  });
  subject.setDirection(opening.path, 'weakening');
}

/** Reports an unrestricted way out that was not there before; a usual default, so only a note. */
export function judgeEgress(subject: Subject, { before, after }: Pick<FilterSides, 'before' | 'after'>): void {
  const opened = findNewlyPublic(before, after).find(({ opening }) => opening.protocol === 'all');
  if (!opened) return;
  subject.add({
    rule: 'R-NET-EGRESS',
    level: 'low',
    path: opened.opening.path,
    message: 'Traffic may leave to any address, by any protocol.',
  });
}

function describeOpening(subject: Subject, opening: Opening, ranges: readonly Range[]): string {
  if (subject.isHidden(opening.path)) return 'The whole Internet gets in.';
  return `The whole Internet (${opening.label}) can reach ${describePorts(opening, ranges)}.`;
}
