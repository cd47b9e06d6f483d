import { holdsMark, type MaybeJson } from '../changes/values.ts';
import type { JsonValue } from '../model/result.ts';
import { containsAlone, isAlike, type PartialValue, toNumber } from './compare.ts';
import { isUnknown, type MatchedAttribute } from './matched-attributes.ts';
import type { Subject } from './subject.ts';
import type { Operator, Predicate } from './types.ts';
import { PARTIAL_VALUE_TESTS, VALUE_TESTS } from './value-tests.ts';

/** Whether a condition matches one attribute. */
export type AttributeTest = (attribute: MatchedAttribute, subject: Subject) => boolean;
type SideTest = (attribute: MatchedAttribute, side: Side, subject: Subject) => boolean;
type Side = 'before' | 'after';
type Tests = { [K in Operator]?: (predicate: Predicate) => AttributeTest };

/** In `became`: any value; on the left side also no value. */
const ANYTHING = '*';
const SIDES: Record<NonNullable<Predicate['on']>, readonly Side[]> = {
  after: ['after'],
  before: ['before'],
  either: ['after', 'before'],
};

/** Operators that are also allowed for secret values. */
const SECRET_SAFE_TESTS: Tests = {
  exists: onSides((attribute, side) => isDecided(attribute, side) && !isNull(attribute[side])),
  absent: onSides((attribute, side) => isDecided(attribute, side) && isNull(attribute[side])),
  changed: () => (attribute, subject) => subject.isChanged(attribute),
  unchanged: () => (attribute, subject) => !subject.isChanged(attribute),
  is_unknown: () => (attribute) => holdsMark(attribute.unknown),
  is_sensitive: onSides((attribute, side, subject) => subject.isSecretSide(attribute, side)),
};

/** Operators that compare both sides. */
const PAIR_TESTS: Tests = {
  increased: moving((before, after) => after > before),
  decreased: moving((before, after) => after < before),
  became: ({ value }) => becoming(value),
  added:
    ({ value }) =>
    (attribute) =>
      isDecided(attribute, 'after') && containsAlone(newSide(attribute), oldSide(attribute), value),
  removed:
    ({ value }) =>
    (attribute) =>
      isDecided(attribute, 'after') && containsAlone(oldSide(attribute), newSide(attribute), value),
};

/**
 * Compiles a condition. Comparisons are false for null, unknown and secret values, so that rules cannot be used to
 * guess a secret.
 */
export function compileOperator(predicate: Predicate): AttributeTest {
  const { op } = predicate;
  const secretSafe = SECRET_SAFE_TESTS[op]?.(predicate);
  if (secretSafe !== undefined) return secretSafe;
  const test = PAIR_TESTS[op]?.(predicate) ?? compileComparison(predicate);
  return (attribute, subject) => test(attribute, subject) && !subject.isSecret(attribute);
}

function compileComparison(predicate: Predicate): AttributeTest {
  const partialTest = PARTIAL_VALUE_TESTS[predicate.op]?.(predicate);
  const valueTest = VALUE_TESTS[predicate.op]?.(predicate);
  return onSides((attribute, side) => {
    const value = attribute[side];
    if (value === undefined || value === null || !isDecided(attribute, side)) return false;
    const unknown = side === 'after' ? attribute.unknown : undefined;
    if (partialTest !== undefined) return partialTest({ value, unknown });
    return valueTest?.(value) === true && !holdsMark(unknown);
  })(predicate);
}

function onSides(test: SideTest): (predicate: Predicate) => AttributeTest {
  return ({ on = 'after' }) => {
    const sides = SIDES[on];
    return (attribute, subject) => sides.some((side) => test(attribute, side, subject));
  };
}

/** The old value is always known; the new value unless it is unknown as a whole. */
function isDecided(attribute: MatchedAttribute, side: Side): boolean {
  return side === 'before' || !isUnknown(attribute);
}

function isNull(value: MaybeJson): boolean {
  return value === undefined || value === null;
}

function oldSide({ before }: MatchedAttribute): PartialValue {
  return { value: before, unknown: undefined };
}

function newSide({ after, unknown }: MatchedAttribute): PartialValue {
  return { value: after, unknown };
}

function moving(compare: (before: number, after: number) => boolean) {
  return (): AttributeTest => (attribute) => {
    if (holdsMark(attribute.unknown)) return false;
    return compare(toNumber(attribute.before) ?? Number.NaN, toNumber(attribute.after) ?? Number.NaN);
  };
}

function becoming(value: JsonValue | undefined): AttributeTest {
  const [from, to] = Array.isArray(value) ? value : [];
  return ({ before, after, unknown }) => {
    if (holdsMark(unknown) || isAlike(before ?? null, after ?? null)) return false;
    const left = from === ANYTHING || isAlike(before ?? null, from ?? null);
    const right = to === ANYTHING ? !isNull(after) : isAlike(after ?? null, to ?? null);
    return left && right;
  };
}
