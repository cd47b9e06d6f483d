/** R-NET-ORDER: entries of one resource that change places, so that another one decides. */
import { type Entry, INNER_LISTS, type InnerList } from '../../ordering/inner-lists.ts';
import { covers, overlaps } from '../../ordering/overlap.ts';
import type { Subject } from '../subject.ts';
import type { Rule } from '../types.ts';
import { at, list } from '../values.ts';

const RULE = 'R-NET-ORDER';
const MAX_ENTRIES = 200;
const REASONS = {
  shadowed: 'An entry that lets pass is now evaluated before one that demands more of the same requests or traffic',
  unreached:
    'An entry that matches everything that another one matches is now evaluated before it: the other one is never reached',
};

interface Moved {
  before: Entry;
  after: Entry;
}

/** Entries that are on both sides; null if two are alike or the list is too long. */
function pair(before: readonly Entry[], after: readonly Entry[]): Moved[] | null {
  if (before.length > MAX_ENTRIES || after.length > MAX_ENTRIES) return null;
  const known = new Map(before.map((entry) => [entry.content, entry]));
  if (known.size < before.length || new Set(after.map(({ content }) => content)).size < after.length) return null;
  return after.flatMap((entry) => {
    const was = known.get(entry.content);
    return was === undefined ? [] : [{ before: was, after: entry }];
  });
}

/** What follows when the first of two entries is now evaluated after the second. */
function findLoss(first: Entry, second: Entry): keyof typeof REASONS | undefined {
  if (!overlaps(first.match, second.match)) return undefined;
  if (first.strictness !== undefined && second.strictness !== undefined && first.strictness !== second.strictness)
    return first.strictness > second.strictness ? 'shadowed' : undefined;
  return covers(second.match, first.match) && !covers(first.match, second.match) ? 'unreached' : undefined;
}

function findCrossings(entries: readonly Moved[]): { losses: (keyof typeof REASONS)[]; touches: boolean } {
  const losses: (keyof typeof REASONS)[] = [];
  let touches = false;
  for (const first of entries) {
    for (const second of entries) {
      if (first.before.place >= second.before.place || first.after.place <= second.after.place) continue;
      touches ||= overlaps(first.after.match, second.after.match);
      const loss = findLoss(first.after, second.after);
      if (loss !== undefined) losses.push(loss);
    }
  }
  return { losses, touches };
}

function judgeList({ path, read }: InnerList, subject: Subject): void {
  const { before, after } = subject;
  if (before === undefined || after === undefined || subject.isUnknown(path[0]!)) return;
  const readSide = (side: typeof before): Entry[] =>
    list(at(side, ...path)).map((entry, position) => read(entry, position, side));
  const [from, to] = [readSide(before), readSide(after)];
  const entries = pair(from, to);
  if (entries === null) return;
  const { losses, touches } = findCrossings(entries);
  const place = path.flatMap((name, index) =>
    index > 0 && Array.isArray(at(after, ...path.slice(0, index))) ? [0, name] : [name],
  );
  const [loss] = losses;
  if (loss !== undefined) {
    subject.add({ rule: RULE, level: 'high', path: place, message: `${REASONS[loss]}: ${subject.formatPath(place)}.` });
    subject.setDirection(place, 'weakening');
  } else if (!touches && entries.length === from.length && entries.length === to.length) {
    // Entries for different requests may stand in any order.
    subject.setDirection(place, 'strengthening');
  }
}

export const INNER_ORDER_RULES: readonly Rule[] = INNER_LISTS.map((kind) => ({
  types: kind.types,
  watches: [{ path: kind.path[0]!, compares: true as const }],
  modes: ['update'],
  find: (subject) => judgeList(kind, subject),
}));
