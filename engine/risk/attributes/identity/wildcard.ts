/** Returns true when a text matches a pattern; `*` matches any number of characters and `?` one. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.length && (pattern[p] === text[t] || pattern[p] === '?')) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Compiles a pattern for many texts. Most texts are rejected by their first or last characters. */
export function compileWildcard(pattern: string): (text: string) => boolean {
  const stars = pattern.split('*').length - 1;
  if (pattern.includes('?') || stars === 0) return (text) => matchesWildcard(pattern, text);
  const head = pattern.slice(0, pattern.indexOf('*'));
  const tail = pattern.slice(pattern.lastIndexOf('*') + 1);
  const shortest = head.length + tail.length;
  const hasEnds = (text: string) => text.length >= shortest && text.startsWith(head) && text.endsWith(tail);
  return stars === 1 ? hasEnds : (text) => hasEnds(text) && matchesWildcard(pattern, text);
}
