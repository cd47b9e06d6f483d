import { compileWildcard } from './attributes/identity/wildcard.ts';

/** Tests whether a resource type is on a list. */
export interface TypeTest {
  test(type: string): boolean;
}

/**
 * Compiles a list of resource types into one test. Lists are compiled once at module load, and callers cache the result
 * per type, so a list may be long.
 *
 * @param globs type names separated by white space; `*` matches any text
 */
export function compileGlobs(globs: string): TypeTest {
  const names = globs.trim().split(/\s+/);
  const exact = new Set(names.filter((name) => !name.includes('*')));
  const patterns = names.filter((name) => name.includes('*')).map(compileWildcard);
  return { test: (type) => exact.has(type) || patterns.some((matches) => matches(type)) };
}
