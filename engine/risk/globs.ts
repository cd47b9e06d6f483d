/**
 * One test for a whole list of resource types. Compiled once per list at module load; what it says is kept per type,
 * so a list may be long.
 *
 * @param globs type names divided by white space; `*` is any text
 */
export function compileGlobs(globs: string): RegExp {
  const alternatives = globs.trim().replaceAll('*', '.*').split(/\s+/);
  return new RegExp(`^(?:${alternatives.join('|')})$`);
}
