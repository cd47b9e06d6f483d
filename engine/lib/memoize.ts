/** Longer texts rarely repeat. */
const MAX_LENGTH = 100;
const MAX_TEXTS = 10_000;

/** Caches a computation for short texts, because names and types repeat often. */
export function memoizeText<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();

  return (text) => {
    if (text.length > MAX_LENGTH) return compute(text);
    const cached = known.get(text);
    if (cached !== undefined) return cached;
    const value = compute(text);
    if (known.size >= MAX_TEXTS) known.clear();
    known.set(text, value);
    return value;
  };
}
