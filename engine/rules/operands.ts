import { parseCidr } from '../lib/cidr.ts';
import type { JsonValue } from '../model/result.ts';
import { toNumber } from './compare.ts';
import { compilePattern, PatternError } from './regex.ts';
import type { Operator, Predicate } from './types.ts';

/** Returns what is wrong with a value, or null. */
type ValueCheck = (value: JsonValue, op: Operator) => string | null;
export type OperandIssue = { member: 'value' | 'values'; item?: number; message: string };

const MAX_PATTERN = 512;
const MAX_PREFIX = 128;

/** Checks for the `value` of each operator; other operators take no value. */
const VALUE_CHECKS: { [K in Operator]?: ValueCheck } = {
  eq: checkNotNull,
  ne: checkNotNull,
  contains: checkNotNull,
  added: checkNotNull,
  removed: checkNotNull,
  gt: checkNumber,
  gte: checkNumber,
  lt: checkNumber,
  lte: checkNumber,
  length_gt: checkLength,
  length_lt: checkLength,
  matches: checkPattern,
  became: checkPair,
  cidr_includes: checkBlock,
  cidr_wider_than: checkWidth,
};
const WITH_LIST: ReadonlySet<Operator> = new Set(['in', 'not_in']);
const VALUE_OPTIONAL: ReadonlySet<Operator> = new Set(['added', 'removed']);

/** Checks `value` and `values` of a condition against its operator. */
export function checkOperands({ op, value, values }: Predicate): OperandIssue[] {
  if (WITH_LIST.has(op)) return checkList(op, value, values);
  const issues: OperandIssue[] = [];
  if (values !== undefined)
    issues.push({ member: 'values', message: `is only for in and not_in; remove it for ${op}` });
  const check = VALUE_CHECKS[op];
  if (check === undefined) {
    if (value !== undefined) issues.push({ member: 'value', message: `is not used by ${op}; remove it` });
    return issues;
  }
  if (value === undefined && VALUE_OPTIONAL.has(op)) return issues;
  const message = value === undefined ? `is missing; ${op} needs a value` : check(value, op);
  if (message !== null) issues.push({ member: 'value', message });
  return issues;
}

function checkList(op: Operator, value: JsonValue | undefined, values: JsonValue[] | undefined): OperandIssue[] {
  const issues: OperandIssue[] = [];
  if (value !== undefined)
    issues.push({ member: 'value', message: `is not used by ${op}; use values with a list instead` });
  if (values === undefined) issues.push({ member: 'values', message: `is missing; ${op} needs a list of values` });
  for (const [item, one] of values?.entries() ?? []) {
    const message = checkNotNull(one, op);
    if (message !== null) issues.push({ member: 'values', item, message });
  }
  return issues;
}

function checkNotNull(value: JsonValue, op: Operator): string | null {
  return value === null ? `is null, which ${op} never matches; use absent or exists instead` : null;
}

function checkNumber(value: JsonValue, op: Operator): string | null {
  return toNumber(value) === undefined ? `must be a number for ${op}` : null;
}

function checkLength(value: JsonValue, op: Operator): string | null {
  return Number.isInteger(value) && Number(value) >= 0 ? null : `must be an integer of 0 or more for ${op}`;
}

function checkPattern(value: JsonValue): string | null {
  if (typeof value !== 'string' || value === '') return 'must be a pattern in RE2 syntax, such as ^t3[.]';
  if (value.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters; shorten it`;
  try {
    compilePattern(value);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

function checkPair(value: JsonValue): string | null {
  return Array.isArray(value) && value.length === 2 ? null : 'must be a list of two, [from, to]; "*" matches any value';
}

function checkBlock(value: JsonValue): string | null {
  const block = typeof value === 'string' ? parseCidr(value) : undefined;
  return block === undefined ? 'must be an IP address or CIDR block, such as 10.0.0.0/8 or 2001:db8::/32' : null;
}

function checkWidth(value: JsonValue): string | null {
  if (checkBlock(value) === null) return null;
  const length = Number.isInteger(value) ? Number(value) : -1;
  if (length >= 0 && length <= MAX_PREFIX) return null;
  return 'must be a CIDR block, such as 10.0.0.0/24, or a prefix length from 0 to 128';
}
