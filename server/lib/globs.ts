import { Minimatch } from 'minimatch';
import { InvalidInput } from './errors.ts';

const MAX_CHARS = 200;
/** With more of them in one segment, matching could take very long. */
const MAX_WILDCARDS = 2;

export interface PathGlob {
  matches(path: string): boolean;
  /** Whether anything below this folder can match. */
  mayMatchBelow(folder: string): boolean;
}

/**
 * Compiles an untrusted glob over paths: `*` and `?` stay within one segment, `**` spans any number of segments,
 * `[abc]` is one of these characters; braces and negation are not supported. Names that start with a dot match like
 * others.
 *
 * @throws InvalidInput if it is empty, too long, or has more than two `*` in one segment or two `**`
 */
export function compileGlob(glob: string): PathGlob {
  assertGlob(glob);
  const pattern = new Minimatch(glob, {
    dot: true,
    nobrace: true,
    nocomment: true,
    noext: true,
    nonegate: true,
    platform: 'linux',
  });
  return {
    matches: (path) => pattern.match(path),
    mayMatchBelow: (folder) => pattern.match(folder, true),
  };
}

function assertGlob(glob: string): void {
  if (glob === '') throw new InvalidInput('The glob is empty.');
  const shown = JSON.stringify(glob.slice(0, 40));
  if (glob.length > MAX_CHARS) throw new InvalidInput(`The glob ${shown}… is longer than ${MAX_CHARS} characters.`);
  const segments = glob.split('/');
  if (segments.filter((segment) => segment === '**').length > MAX_WILDCARDS) {
    throw new InvalidInput(`The glob ${shown} has more than ${MAX_WILDCARDS} \`**\`.`);
  }
  if (segments.some((segment) => segment !== '**' && segment.split('*').length - 1 > MAX_WILDCARDS)) {
    throw new InvalidInput(`The glob ${shown} has more than ${MAX_WILDCARDS} \`*\` between two slashes.`);
  }
}
