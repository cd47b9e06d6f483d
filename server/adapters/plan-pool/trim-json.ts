/** Far beyond what a host of repositories delivers; the payloads of hosts are objects of objects with a few lists. */
const MAX_DEPTH = 12;
const MAX_ITEMS = 10_000;
const MAX_CHARS = 100_000;
const MAX_VALUES = 200_000;

/**
 * A JSON document cut down to what can be read on an event loop without stopping it: deep values become null, long lists
 * and texts end early.
 *
 * @returns JSON text; null for what is not JSON
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
