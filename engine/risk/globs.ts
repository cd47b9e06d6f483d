import { compileWildcard } from './attributes/identity/wildcard.ts';

/** Whether a resource type is on a list. */
export interface TypeTest {
  test(type: string): boolean;
}

/**
 * One test for a whole list of resource types. Compiled once per list at module load; what it says is kept per type,
 * so a list may be long.
 *
 * @param globs type names divided by white space; `*` is any text
 */
export function compileGlobs(globs: string): TypeTest {
  const names = globs.trim().split(/\s+/);
  const exact = new Set(names.filter((name) => !name.includes('*')));
  const patterns = names.filter((name) => name.includes('*')).map(compileWildcard);
  return { test: (type) => exact.has(type) || patterns.some((matches) => matches(type)) };
}
