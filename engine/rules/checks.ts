import { isPattern, splitAddress, splitPath } from './globs.ts';
import { type ConfigIssue, pointer } from './issues.ts';
import { checkOperands } from './operands.ts';
import { PathError, parsePath } from './paths.ts';
import type { Condition, Match, NoiseRuleConfig, PolicyRule, Predicate } from './types.ts';

type Path = readonly (string | number)[];

const ANY_PARTS = '**';

/** How each list of globs in a match splits names into parts. */
const SPLITS: { [K in keyof Match]?: (glob: string) => string[] } = {
  resource_types: (glob) => [glob],
  addresses: splitAddress,
  modules: splitAddress,
  repos: splitPath,
  branches: splitPath,
};

/** Checks that the schema cannot express. */
export function checkCondition({ match, when = [] }: Condition, at: Path): ConfigIssue[] {
  return [...checkMatch(match, [...at, 'match']), ...when.flatMap((one, i) => checkPredicate(one, [...at, 'when', i]))];
}

export function checkAttributes({ attributes = [] }: NoiseRuleConfig): ConfigIssue[] {
  return attributes.flatMap((glob, i) => {
    const message = explainPath(glob, (parts) => explainParts(parts));
    return message === null ? [] : [issue(['attributes', i], message)];
  });
}

export function checkPolicy(rules: readonly PolicyRule[]): ConfigIssue[] {
  const first = new Map<string, number>();
  return rules.flatMap((rule, i) => {
    const issues = checkCondition(rule, [i]);
    if (rule.effect !== 'block' && rule.level === undefined) {
      issues.push(issue([i, 'level'], `is missing; ${rule.effect} needs a level: none, low, medium, high or critical`));
    }
    const known = first.get(rule.id);
    if (known === undefined) first.set(rule.id, i);
    else issues.push(issue([i, 'id'], `is also the id of rule ${known}; give each rule a unique id`));
    return issues;
  });
}

function checkMatch(match: Match, at: Path): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  for (const member of Object.keys(SPLITS) as (keyof typeof SPLITS)[]) {
    for (const [i, glob] of ((match[member] ?? []) as string[]).entries()) {
      const message = explainParts(SPLITS[member]?.(glob) ?? []);
      if (message !== null) issues.push(issue([...at, member, i], message));
    }
  }
  if (match.not === undefined) return issues;
  if (Object.keys(match.not).length === 0) {
    issues.push(issue([...at, 'not'], 'is empty and would exclude every change; add a condition, or remove it'));
  }
  return [...issues, ...checkMatch(match.not, [...at, 'not'])];
}

function checkPredicate(predicate: Predicate, at: Path): ConfigIssue[] {
  const issues = checkOperands(predicate).map(({ member, item, message }) =>
    issue(item === undefined ? [...at, member] : [...at, member, item], message),
  );
  const message = explainPath(predicate.path, explainConditionPath);
  return message === null ? issues : [issue([...at, 'path'], message), ...issues];
}

function explainPath(path: string, check: (parts: string[]) => string | null): string | null {
  try {
    return check(parsePath(path));
  } catch (error) {
    if (error instanceof PathError) return error.message;
    throw error;
  }
}

function explainParts(parts: readonly string[]): string | null {
  const wrong = parts.find((part) => part.includes(ANY_PARTS) && part !== ANY_PARTS);
  return wrong === undefined
    ? null
    : `contains ** inside the segment ${wrong}; ** matches whole segments, use * inside a segment`;
}

function explainConditionPath(parts: readonly string[]): string | null {
  if (!parts.some((part) => isPattern(part) && part.includes(ANY_PARTS))) return null;
  return 'contains **, which conditions do not support; name each segment, or use * or [*] for any one segment';
}

function issue(path: Path, message: string): ConfigIssue {
  return { path: pointer(path), message };
}
