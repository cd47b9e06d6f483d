/** Far above what Git hosts deliver; their payloads are nested objects with a few lists. */
const MAX_DEPTH = 12;
const MAX_ITEMS = 10_000;
const MAX_CHARS = 100_000;
const MAX_VALUES = 200_000;

/**
 * Trims a JSON document to what an event loop can parse quickly: deep values become null, and long lists and texts are
 * truncated.
 *
 * @returns JSON text; null if the input is not JSON
 */
export function trimJson(raw: Uint8Array): Uint8Array<ArrayBuffer> | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString());
  } catch {
    return null;
  }
  return Uint8Array.from(Buffer.from(JSON.stringify(createTrimmer()(value, 0))));
}

function createTrimmer() {
  let values = 0;

  return function trim(value: unknown, depth: number): unknown {
    values += 1;
    if (typeof value === 'string') return value.slice(0, MAX_CHARS);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MAX_DEPTH || values > MAX_VALUES) return null;
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => trim(item, depth + 1));
    const kept: Record<string, unknown> = Object.create(null);
    for (const name of Object.keys(value).slice(0, MAX_ITEMS)) {
      kept[name.slice(0, MAX_CHARS)] = trim((value as Record<string, unknown>)[name], depth + 1);
    }
    return kept;
  };
}
