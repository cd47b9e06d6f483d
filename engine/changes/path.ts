type Segment = string | number;

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * Renders an attribute path, for example `ingress[0].cidr_blocks[1]` or `tags["kubernetes.io/name"]`.
 *
 * @param segments keys (strings) and list indexes (numbers), outermost first
 * @returns segments joined with dots and `[n]`; a key that is no plain identifier is a JSON string; empty for the root
 * @see openapi.yaml, AttributeDiff.path
 */
export function renderPath(segments: readonly Segment[]): string {
  let path = '';
  for (const segment of segments) path = extendPath(path, segment);
  return path;
}

/** Returns `path` with one more segment. */
export function extendPath(path: string, segment: Segment): string {
  return path + writeSegment(path === '', segment);
}

/** Returns the text that a segment adds to a rendered path. */
export function writeSegment(is_first: boolean, segment: Segment): string {
  if (typeof segment === 'number') return `[${segment}]`;
  if (!PLAIN_KEY.test(segment)) return `[${JSON.stringify(segment)}]`;
  return is_first ? segment : `.${segment}`;
}

const SEGMENT = /\[("(?:[^"\\]|\\.)*")\]|\[\d+\]|([^.[\]]+)/g;

/** The names on a rendered path, without list indexes. */
export function listPathNames(path: string): string[] {
  const names: string[] = [];
  for (const [, quoted, plain] of path.matchAll(SEGMENT)) {
    if (plain !== undefined) names.push(plain);
    else if (quoted !== undefined) names.push(JSON.parse(quoted) as string);
  }
  return names;
}
