type Segment = string | number;

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * An attribute path as people write it: `ingress[0].cidr_blocks[1]`, `tags["kubernetes.io/name"]`.
 *
 * @param segments keys (strings) and list indexes (numbers), outermost first
 * @returns dots and `[n]`; a key that is no plain identifier stands quoted, with the escapes of JSON; empty for the root
 * @see openapi.yaml, AttributeDiff.path
 */
export function renderPath(segments: readonly Segment[]): string {
  let path = '';
  for (const segment of segments) path = extendPath(path, segment);
  return path;
}

/** `path` with one more segment; lets a walk build its paths step by step. */
export function extendPath(path: string, segment: Segment): string {
  return path + writeSegment(path === '', segment);
}

/** What a segment adds to a rendered path. */
export function writeSegment(is_first: boolean, segment: Segment): string {
  if (typeof segment === 'number') return `[${segment}]`;
  if (!PLAIN_KEY.test(segment)) return `[${JSON.stringify(segment)}]`;
  return is_first ? segment : `.${segment}`;
}
