import { isContainer } from '../changes/values.ts';
import { type Cidr, contains as covers, parseCidr } from '../lib/cidr.ts';
import type { JsonValue } from '../model/result.ts';
import { contains, isAlike, measureLength, type PartialValue, toNumber } from './compare.ts';
import { compilePattern } from './regex.ts';
import type { Operator, Predicate } from './types.ts';

type ValueTest = (value: JsonValue) => boolean;
type PartialValueTest = (value: PartialValue) => boolean;
type Tests<Test> = { [K in Operator]?: (predicate: Predicate) => Test };

/** Operators for one fully known value that is not null. */
export const VALUE_TESTS: Tests<ValueTest> = {
  eq: ({ value }) => isAmong([value ?? null]),
  ne: ({ value }) => isNotAmong([value ?? null]),
  in: ({ values = [] }) => isAmong(values),
  not_in: ({ values = [] }) => isNotAmong(values),
  gt: comparing((found, limit) => found > limit),
  gte: comparing((found, limit) => found >= limit),
  lt: comparing((found, limit) => found < limit),
  lte: comparing((found, limit) => found <= limit),
  length_gt: measuring((length, limit) => length > limit),
  length_lt: measuring((length, limit) => length < limit),
  matches: ({ value }) => matching(String(value)),
};

/** Operators that also work on partially known values. */
export const PARTIAL_VALUE_TESTS: Tests<PartialValueTest> = {
  contains:
    ({ value = null }) =>
    (found) =>
      contains(found, value),
  cidr_includes: ({ value }) => includingBlock(value),
  cidr_wider_than: ({ value }) => widerThan(value),
};

function isAmong(values: readonly JsonValue[]): ValueTest {
  return (found) => values.some((value) => isAlike(found, value));
}

function isNotAmong(values: readonly JsonValue[]): ValueTest {
  return (found) => !values.some((value) => isAlike(found, value));
}

function comparing(compare: (found: number, limit: number) => boolean) {
  return ({ value }: Predicate): ValueTest => {
    const limit = toNumber(value) ?? Number.NaN;
    return (value) => compare(toNumber(value) ?? Number.NaN, limit);
  };
}

function measuring(compare: (length: number, limit: number) => boolean) {
  return ({ value }: Predicate): ValueTest => {
    const limit = toNumber(value) ?? Number.NaN;
    return (value) => compare(measureLength(value) ?? Number.NaN, limit);
  };
}

/** Compiles the pattern on first use, because most rules match nothing in most plans. */
function matching(pattern: string): ValueTest {
  let isFound: ((text: string) => boolean) | undefined;
  return (value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    isFound ??= compilePattern(pattern);
    return isFound(String(value));
  };
}

function includingBlock(value: JsonValue | undefined): PartialValueTest {
  const block = readBlock(value);
  if (block === undefined) return () => false;
  return (found) => blocksIn(found).some((outer) => covers(outer, block));
}

/** Wider than a block: same family and a shorter prefix. Wider than a number: either family with a shorter prefix. */
function widerThan(value: JsonValue | undefined): PartialValueTest {
  const block = readBlock(value);
  if (block !== undefined) {
    return (found) => blocksIn(found).some(({ family, prefix }) => family === block.family && prefix < block.prefix);
  }
  const limit = toNumber(value) ?? Number.NaN;
  return (found) => blocksIn(found).some(({ prefix }) => prefix < limit);
}

function readBlock(value: JsonValue | undefined): Cidr | undefined {
  return typeof value === 'string' ? parseCidr(value) : undefined;
}

/** The CIDR blocks in a string or list. */
function blocksIn({ value }: PartialValue): Cidr[] {
  const blocks: Cidr[] = [];
  for (const text of isContainer(value) && Array.isArray(value) ? value : [value]) {
    const block = readBlock(text);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}
