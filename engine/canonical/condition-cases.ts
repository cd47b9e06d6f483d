/** Compares what two conditions match, by trying every combination of their comparisons. */
import type { BooleanCondition } from './boolean-conditions.ts';
import { readCondition } from './conditions.ts';

const IN_LIST = /^(\S+) in [{[] (.{1,2000}) [}\]]$/;
const EQUALS = /^(\S+) (?:eq|==) (.{1,500})$/;
const ITEM = /"[^"]*"|[^\s,]+/g;
/** The number of combinations of more comparisons is too great. */
export const MAX_TESTS = 10;

/** Whether a condition matches something that it did not before, and the other way round; null if it cannot be read. */
export function compareConditions(before: string, after: string): { gains: boolean; loses: boolean } | null {
  const [from, to] = [readCases(before), readCases(after)];
  if (from === null || to === null) return null;
  const tests = [...new Set([...listTests(from), ...listTests(to)])];
  if (tests.length > MAX_TESTS) return null;
  const change = { gains: false, loses: false };
  for (const holds of listCases(tests)) {
    const [was, is] = [evaluate(from, holds), evaluate(to, holds)];
    change.gains ||= is && !was;
    change.loses ||= was && !is;
  }
  return change;
}

/** Reads a condition; a list of values is one comparison for each value. */
export function readCases(text: string): BooleanCondition | null {
  const condition = readCondition(text);
  return condition === null ? null : splitLists(condition);
}

function splitLists(condition: BooleanCondition): BooleanCondition {
  if (condition.kind === 'not') return { kind: 'not', part: splitLists(condition.part) };
  if (condition.kind !== 'test') return { kind: condition.kind, parts: condition.parts.map(splitLists) };
  const [, field, list] = IN_LIST.exec(condition.text) ?? [];
  if (field !== undefined && list !== undefined) {
    const parts = (list.match(ITEM) ?? []).map(
      (value): BooleanCondition => ({ kind: 'test', text: `${field} eq ${value}` }),
    );
    return parts.length === 1 ? parts[0]! : { kind: 'any', parts };
  }
  const [, name, value] = EQUALS.exec(condition.text) ?? [];
  return name === undefined ? condition : { kind: 'test', text: `${name} eq ${value}` };
}

export function listTests(condition: BooleanCondition): string[] {
  if (condition.kind === 'test') return [condition.text];
  return condition.kind === 'not' ? listTests(condition.part) : condition.parts.flatMap(listTests);
}

export function* listCases(tests: readonly string[]): Iterable<ReadonlySet<string>> {
  for (let bits = 0; bits < 2 ** tests.length; bits++) {
    yield new Set(tests.filter((_, at) => Math.floor(bits / 2 ** at) % 2 === 1));
  }
}

export function evaluate(condition: BooleanCondition, holds: ReadonlySet<string>): boolean {
  if (condition.kind === 'test') return condition.text === 'true' || holds.has(condition.text);
  if (condition.kind === 'not') return !evaluate(condition.part, holds);
  const all = condition.kind === 'all';
  return condition.parts.every((part) => evaluate(part, holds) === all) ? all : !all;
}
