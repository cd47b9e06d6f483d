import type { ResourceChange } from '../changes/types.ts';
import type { Category } from '../model/result.ts';
import { findCategories } from '../risk/categories.ts';
import { compileParts, literalStart, type Parts, splitAddress, splitPath } from './globs.ts';
import type { Subject } from './subject.ts';
import type { Match, RunContext } from './types.ts';

/** A compiled match in two steps: once per resource type, then once per change. */
export interface CompiledMatch {
  type(type: string, categories: readonly Category[]): boolean;
  /** Remaining conditions, for a change whose type matches. */
  change(subject: Subject): boolean;
  /** Literal prefixes, one of which every matching address or module starts with. Null = any. */
  addresses: readonly Parts[] | null;
  modules: readonly Parts[] | null;
}

type ChangeTest = (subject: Subject) => boolean;

/** @returns null if the match excludes the repository or branch of this run */
export function compileMatch(match: Match, context: RunContext): CompiledMatch | null {
  const { resource_types, addresses, modules, repos, branches, categories } = match;
  if (!isIn(repos, context.repo) || !isIn(branches, context.branch)) return null;
  const types = resource_types && compileParts(resource_types.map((glob) => [glob === '**' ? '*' : glob]));
  const tests = compileChangeTests(match, context);
  return {
    type: (type, own) =>
      (types === undefined || types([type])) &&
      (categories === undefined || categories.some((one) => own.includes(one))),
    change: (subject) => tests.every((test) => test(subject)),
    addresses: collectStarts(addresses),
    modules: collectStarts(modules),
  };
}

function isIn(globs: readonly string[] | undefined, text: string | null): boolean {
  if (globs === undefined) return true;
  return text !== null && compileParts(globs.map(splitPath))(splitPath(text));
}

/** Cheapest tests first. */
function compileChangeTests({ providers, actions, addresses, modules, not }: Match, context: RunContext): ChangeTest[] {
  const tests: ChangeTest[] = [];
  if (actions !== undefined) tests.push(({ change }) => actions.includes(change.action));
  if (providers !== undefined) tests.push(({ change }) => (providers as string[]).includes(change.provider));
  if (modules !== undefined) {
    const test = compileParts(modules.map(splitAddress));
    tests.push((subject) => test(subject.module));
  }
  if (addresses !== undefined) {
    const test = compileParts(addresses.map(splitAddress));
    tests.push((subject) => test(subject.address));
  }
  const excluded = not === undefined ? null : compileMatch(not, context);
  if (excluded !== null) tests.push((subject) => !isMet(excluded, subject));
  return tests;
}

function isMet(match: CompiledMatch, subject: Subject): boolean {
  const { type }: ResourceChange = subject.change;
  return match.type(type, findCategories(type)) && match.change(subject);
}

function collectStarts(globs: readonly string[] | undefined): Parts[] | null {
  const starts = globs?.map((glob) => literalStart(splitAddress(glob)));
  return starts === undefined || starts.some((start) => start.length === 0) ? null : starts;
}
