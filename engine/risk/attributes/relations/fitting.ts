/** R-REL-FIT: arguments that no longer fit another resource of the plan, or each other. */
import { toPathNode } from '../../../changes/path-node.ts';
import { minLevel } from '../../../model/levels.ts';
import type { JsonObject } from '../../../model/result.ts';
import { type End, FITS, type Fit, SELF_FITS, type SelfFit } from '../../relations/fits/index.ts';
import { type Neighbor, sharesName } from '../../relations/neighbors.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule } from '../types.ts';
import type { at } from '../values.ts';

const RULE = 'R-REL-FIT';
const MODES = ['create', 'update', 'replace'] as const;

interface Broken {
  level: Fit['level'];
  says: string;
  /** The address of the other resource. */
  other?: string;
}

function report(subject: Subject, paths: readonly string[], { level, says, other }: Broken): void {
  const path = findChange(subject, paths);
  const what = subject.formatPath(path);
  const values =
    subject.mode === 'create'
      ? `${what} does not fit`
      : `${what} changes from ${quoteAt(subject, path, subject.before)} to ${quoteAt(subject, path, subject.after)} and no longer fits`;
  subject.add({
    rule: RULE,
    // Nothing depends on a new resource yet.
    level: subject.mode === 'create' ? minLevel(level, 'medium') : level,
    path,
    message: `${values}${other === undefined ? '' : ` ${other}`}: ${says}.`,
  });
  subject.setDirection(path, 'weakening');
}

function quoteAt(subject: Subject, path: Path, side: JsonObject | undefined): string {
  let value: ReturnType<typeof at> = side;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null) return 'nothing';
    value = (value as Record<string | number, ReturnType<typeof at>>)[segment];
  }
  return subject.quote(path, value);
}

/** The first changed part of some arguments; their name if none is known. */
function findChange({ change }: Subject, paths: readonly string[]): Path {
  const found = change.diffs.find((diff) => paths.includes(String(toPathNode(diff).first)));
  return found?.path_segments ?? [paths[0]!];
}

/** Judges one end of a fit against the resources at the other end that share a name with it. */
function judgeFit(fit: Fit, end: 'one' | 'other', subject: Subject): void {
  const { before, after, type, facts } = subject;
  const mine = fit[end];
  const theirs = end === 'one' ? fit.other : fit.one;
  if (after === undefined || mine.paths.some((path) => subject.isUnknown(path))) return;
  const names = [before, after].flatMap((side) => (side === undefined ? [] : mine.names(side, type, facts.neighbors)));
  const broken = facts.neighbors.linked(theirs, names).find((neighbor) => isBroken(fit, end, subject, neighbor));
  if (broken !== undefined) report(subject, mine.paths, { ...fit, other: broken.address });
}

function isBroken(fit: Fit, end: 'one' | 'other', subject: Subject, neighbor: Neighbor): boolean {
  const plan = subject.facts.neighbors;
  const [one_type, other_type] = end === 'one' ? [subject.type, neighbor.type] : [neighbor.type, subject.type];
  const breaks = (mine: JsonObject, theirs: JsonObject): boolean => {
    const [one, other] = end === 'one' ? [mine, theirs] : [theirs, mine];
    const is_named = sharesName(fit.one.names(one, one_type, plan), fit.other.names(other, other_type, plan));
    return is_named && (fit.joins?.(one, other) ?? true) && fit.breaks(one, other, plan);
  };
  const { address, before, after } = neighbor;
  if (address === subject.change.address || after === null || !breaks(subject.after!, after)) return false;
  return subject.before === undefined || !breaks(subject.before, before ?? after);
}

function judgeSelf({ breaks, ...fit }: SelfFit, subject: Subject): void {
  const { before, after } = subject;
  if (after === undefined || fit.paths.some((path) => subject.isUnknown(path)) || !breaks(after)) return;
  if (before === undefined || !breaks(before)) report(subject, fit.paths, fit);
}

const watch = ({ types, paths }: Pick<End, 'types' | 'paths'>, find: Rule['find']): Rule => ({
  types,
  watches: paths.map((path) => ({ path, compares: true as const })),
  modes: MODES,
  find,
});

export const FIT_RULES: readonly Rule[] = [
  ...FITS.flatMap((fit) => [
    watch(fit.one, (subject) => judgeFit(fit, 'one', subject)),
    watch(fit.other, (subject) => judgeFit(fit, 'other', subject)),
  ]),
  ...SELF_FITS.map((fit) => watch(fit, (subject) => judgeSelf(fit, subject))),
];
