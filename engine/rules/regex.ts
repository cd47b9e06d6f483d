import { RE2JS } from 're2js';

/** Text beyond this is not looked at. In UTF-16 code units. */
const MAX_TEXT = 65_536;
/** Instructions of the compiled pattern. The time of a search grows with them: `.{900}` alone takes a thousand. */
const MAX_PROGRAM = 1000;

/** Thrown for a pattern that cannot be used; the message says why. */
export class PatternError extends Error {}

/**
 * Compiles a pattern in the syntax of RE2, which is searched in time linear to the text.
 *
 * @returns true when the pattern is found anywhere in the first 64 KiB of the text
 * @throws PatternError for bad syntax, look-around and back-references, and patterns that repeat too much
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
