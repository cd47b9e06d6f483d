/** Checks for the packet filters of all providers: R-NET-OPEN, R-NET-WIDEN, R-NET-EGRESS. */

import { isWholeInternet } from '../../../lib/cidr.ts';
import { compareLevels, isAtLeast, minLevel } from '../../../model/levels.ts';
import type { RiskLevel } from '../../../model/result.ts';
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
  /** The attributes that together define the openings. Their diffs get the direction. */
  attributes: readonly string[];
  /** The highest level, lowered for a secondary filter such as a network ACL. */
  ceiling?: RiskLevel;
}

/** Rules that were not compared count as new. */
const TOO_MANY = ' The filter has too many rules to compare all of them; rules that were not compared count as new.';

const REASONS = {
  'R-NET-OPEN': {
    shown: (source: string, ports: string) => `Anyone on the internet (${source}) can reach ${ports}.`,
    vast: (source: string, ports: string) => `A vast part of the internet (${source}) can reach ${ports}.`,
    hidden: 'Anyone on the internet gets access.',
  },
  'R-NET-WIDEN': {
    shown: (from: string, to: string) => `The allowed source addresses widen from ${from} to ${to}.`,
    hidden: 'The allowed source addresses widen.',
    unknown: `The allowed source addresses may widen.${TOO_MANY}`,
  },
  'R-NET-EGRESS': 'Outgoing traffic is allowed to any address over any protocol.',
};

/** Compares the ingress openings before and after as sets, and reports new ones. */
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
  const messages = REASONS['R-NET-WIDEN'];
  subject.add({
    rule: 'R-NET-WIDEN',
    level: 'medium',
    path: opening.path,
    message:
      from === null
        ? messages.unknown
        : subject.isHidden(opening.path)
          ? messages.hidden
          : messages.shown(from.label, opening.label),
  });
  subject.setDirection(opening.path, 'weakening');
}

/** Reports new unrestricted egress. It is a common default, so the level is low. */
export function judgeEgress(subject: Subject, { before, after }: Pick<FilterSides, 'before' | 'after'>): void {
  const opened = findNewlyPublic(before, after).find(({ opening }) => opening.protocol === 'all');
  if (!opened) return;
  subject.add({
    rule: 'R-NET-EGRESS',
    level: 'low',
    path: opened.opening.path,
    message: REASONS['R-NET-EGRESS'],
  });
}

function describeOpening(subject: Subject, opening: Opening, ranges: readonly Range[]): string {
  if (subject.isHidden(opening.path)) return REASONS['R-NET-OPEN'].hidden;
  const { shown, vast } = REASONS['R-NET-OPEN'];
  const describe = opening.source === null || isWholeInternet(opening.source) ? shown : vast;
  return describe(opening.label, describePorts(opening, ranges));
}
