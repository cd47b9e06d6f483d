import { RE2JS } from 're2js';

/** Maximum searched length in UTF-16 code units. */
const MAX_TEXT = 65_536;
/** Maximum program size of a pattern. Search time grows with it; `.{900}` alone needs about a thousand instructions. */
const MAX_PROGRAM = 1000;

/** Thrown for an invalid or too expensive pattern; the message says why. */
export class PatternError extends Error {}

/**
 * Compiles an RE2 pattern, which is searched in linear time.
 *
 * @returns a test that is true if the pattern occurs in the first 65,536 code units of the text
 * @throws PatternError for invalid syntax, look-around, backreferences, and patterns over the size limit
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  const program = compile(pattern);
  if (program.programSize() > MAX_PROGRAM) {
    throw new PatternError('is too expensive to search; use + or * instead of high counts in {}');
  }
  return (text) => program.test(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const why = String((error as Error).message).replace(/^error parsing regexp: /, '');
    throw new PatternError(`is not a valid RE2 pattern (${why}); RE2 has no look-around or backreferences`);
  }
}
