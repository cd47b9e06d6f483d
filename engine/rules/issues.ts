import type { z } from 'zod';

export interface ConfigIssue {
  /** JSON pointer into the input; empty for the whole input. */
  path: string;
  /** What is wrong and how to fix it, without a subject: `is missing; …`. */
  message: string;
}

type Path = readonly PropertyKey[];

const NAMES: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** @see RFC 6901, JSON Pointer */
export function pointer(path: Path): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Converts schema issues, one for each path. */
export function describe(issues: readonly z.core.$ZodIssue[], given: unknown): ConfigIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ path: pointer(issue.path), message: explain(issue, given) }];
    return issue.keys.map((key) => ({ path: pointer([...issue.path, key]), message: issue.message }));
  });
}

function explain(issue: z.core.$ZodIssue, given: unknown): string {
  const needed = need(issue);
  if (needed !== null) return valueAt(given, issue.path) === undefined ? `is missing; it ${needed}` : needed;
  if (issue.code === 'too_small') return 'is empty; add at least one item, or remove the field';
  if (issue.code === 'too_big') {
    return issue.origin === 'string'
      ? `is longer than ${issue.maximum} characters; shorten it`
      : `has more than ${issue.maximum} items; remove some, or split them into another rule`;
  }
  return issue.message;
}

/** The required type or value; null for other kinds of issues. */
function need(issue: z.core.$ZodIssue): string | null {
  if (issue.code === 'invalid_type') return `must be ${NAMES[issue.expected] ?? issue.expected}`;
  if (issue.code !== 'invalid_value') return null;
  return issue.values.length === 1 ? `must be ${String(issue.values[0])}` : `must be one of ${issue.values.join(', ')}`;
}

function valueAt(given: unknown, path: Path): unknown {
  let current = given;
  for (const segment of path) {
    if (current === null || typeof current !== 'object' || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Record<PropertyKey, unknown>)[segment];
  }
  return current;
}
