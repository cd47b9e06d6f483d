import { matchesParts, type Parts } from './globs.ts';

type Segment = string | number;

/** Thrown for a path that cannot be parsed; the message says how to fix it. */
export class PathError extends Error {}

const INDEX = /^\[(\d+|\*)\]/;
const QUOTED = /^\["(?:[^"\\]|\\.)*"\]/;
const NAME = /^[^.[\]"\s]+/;

/**
 * Parses an attribute path in the format of `AttributeDiff.path`, with `*` and `?` in names: `ingress[*].cidr_blocks`,
 * `tags["kubernetes.io/*"]`.
 *
 * @returns one part for each segment; indexes as strings, `[*]` as `*`
 * @throws PathError
 */
export function parsePath(path: string): string[] {
  const parts: string[] = [];
  let rest = path;
  while (rest !== '' || parts.length === 0) {
    const first = parts.length === 0;
    const token = readBracket(rest) ?? readName(rest, first);
    if (token === null) throw new PathError(explain(path, rest));
    parts.push(token.part);
    rest = rest.slice(token.length);
  }
  return parts;
}

function readBracket(rest: string): { part: string; length: number } | null {
  const index = INDEX.exec(rest);
  if (index !== null) return { part: index[1] as string, length: index[0].length };
  const quoted = QUOTED.exec(rest)?.[0];
  if (quoted === undefined) return null;
  const key = parseJsonText(quoted.slice(1, -1));
  return key === null ? null : { part: key, length: quoted.length };
}

function readName(rest: string, first: boolean): { part: string; length: number } | null {
  if (!first && rest[0] !== '.') return null;
  const name = NAME.exec(first ? rest : rest.slice(1))?.[0];
  return name === undefined ? null : { part: name, length: name.length + (first ? 0 : 1) };
}

function parseJsonText(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}

function explain(path: string, rest: string): string {
  if (path === '') return 'is empty; enter an attribute path such as tags.Name or ingress[*].cidr_blocks';
  const at = path.length - rest.length + 1;
  return `cannot be parsed at character ${at}; separate names with dots, write indexes as [0] or [*] and other keys as ["a.b"]`;
}

/**
 * Compiles path globs into a test for path segments; `**` matches any number of segments.
 *
 * @param globs validated globs
 * @throws PathError for a glob that cannot be parsed
 */
export function compilePaths(globs: readonly string[]): (segments: readonly Segment[]) => boolean {
  const patterns: Parts[] = globs.map(parsePath);
  if (patterns.some((pattern) => pattern.every((part) => part === '**'))) return () => true;
  return (segments) => {
    const parts = segments.map(String);
    return patterns.some((pattern) => matchesParts(pattern, parts));
  };
}
