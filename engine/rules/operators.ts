import { holdsMark, type MaybeJson } from '../changes/values.ts';
import type { JsonValue } from '../result.ts';
import { containsAlone, isAlike, numberOf, type Partly } from './compare.ts';
import { isUnknown, type Place } from './places.ts';
import type { Subject } from './subject.ts';
import type { Operator, Predicate } from './types.ts';
import { PARTLY_TESTS, VALUE_TESTS } from './value-tests.ts';

/** Whether a condition holds at one place. */
export type PlaceTest = (place: Place, subject: Subject) => boolean;
type SideTest = (place: Place, side: Side, subject: Subject) => boolean;
type Side = 'before' | 'after';
type Tests = { [K in Operator]?: (predicate: Predicate) => PlaceTest };

/** In `became`: any value, and on the left also none. */
const ANYTHING = '*';
const SIDES: Record<NonNullable<Predicate['on']>, readonly Side[]> = {
  after: ['after'],
  before: ['before'],
  either: ['after', 'before'],
};

/** What may be asked of a secret too. */
const OPEN_TESTS: Tests = {
  exists: onSides((place, side) => isDecided(place, side) && !isNull(place[side])),
  absent: onSides((place, side) => isDecided(place, side) && isNull(place[side])),
  changed: () => (place, subject) => subject.isChanged(place),
  unchanged: () => (place, subject) => !subject.isChanged(place),
  is_unknown: () => (place) => holdsMark(place.unknown),
  is_sensitive: onSides((place, side, subject) => subject.isSecretSide(place, side)),
};

/** What compares one side with the other. */
const PAIR_TESTS: Tests = {
  increased: moving((before, after) => after > before),
  decreased: moving((before, after) => after < before),
  became: ({ value }) => becoming(value),
  added:
    ({ value }) =>
    (place) =>
      isDecided(place, 'after') && containsAlone(newSide(place), oldSide(place), value),
  removed:
    ({ value }) =>
    (place) =>
      isDecided(place, 'after') && containsAlone(oldSide(place), newSide(place), value),
};

/**
 * The test of a condition. Comparisons are false where the value is null or unknown, and where it is a secret: a rule must
 * not become a way to guess one.
 */
export function compileOperator(predicate: Predicate): PlaceTest {
  const { op } = predicate;
  const open = OPEN_TESTS[op]?.(predicate);
  if (open !== undefined) return open;
  const test = PAIR_TESTS[op]?.(predicate) ?? compileComparison(predicate);
  return (place, subject) => test(place, subject) && !subject.isSecret(place);
}

function compileComparison(predicate: Predicate): PlaceTest {
  const ofPart = PARTLY_TESTS[predicate.op]?.(predicate);
  const ofValue = VALUE_TESTS[predicate.op]?.(predicate);
  return onSides((place, side) => {
    const value = place[side];
    if (value === undefined || value === null || !isDecided(place, side)) return false;
    const unknown = side === 'after' ? place.unknown : undefined;
    if (ofPart !== undefined) return ofPart({ value, unknown });
    return ofValue?.(value) === true && !holdsMark(unknown);
  })(predicate);
}

function onSides(test: SideTest): (predicate: Predicate) => PlaceTest {
  return ({ on = 'after' }) => {
    const sides = SIDES[on];
    return (place, subject) => sides.some((side) => test(place, side, subject));
  };
}

/** What was is known; what will be is not where it is unknown as a whole. */
function isDecided(place: Place, side: Side): boolean {
  return side === 'before' || !isUnknown(place);
}

function isNull(value: MaybeJson): boolean {
  return value === undefined || value === null;
}

function oldSide({ before }: Place): Partly {
  return { value: before, unknown: undefined };
}

function newSide({ after, unknown }: Place): Partly {
  return { value: after, unknown };
}

function moving(compare: (before: number, after: number) => boolean) {
  return (): PlaceTest => (place) => {
    if (holdsMark(place.unknown)) return false;
    return compare(numberOf(place.before) ?? Number.NaN, numberOf(place.after) ?? Number.NaN);
  };
}

function becoming(value: JsonValue | undefined): PlaceTest {
  const [from, to] = Array.isArray(value) ? value : [];
  return ({ before, after, unknown }) => {
    if (holdsMark(unknown) || isAlike(before ?? null, after ?? null)) return false;
    const left = from === ANYTHING || isAlike(before ?? null, from ?? null);
    const right = to === ANYTHING ? !isNull(after) : isAlike(after ?? null, to ?? null);
    return left && right;
  };
}
