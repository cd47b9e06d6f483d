/**
 * The parsed URL; undefined if the text is none. Use it instead of `URL.canParse`, which in Node 20 rejects names such as
 * `bücher.example` once V8 has optimized its caller.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
