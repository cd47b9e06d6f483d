import type { ConfigIssue } from './issues.ts';
import { pointer } from './issues.ts';

/** A rule needs six levels; the rest is for values. */
const MAX_DEPTH = 16;

/**
 * Checks type, depth and size of an input before it is validated as a rule.
 *
 * @param max_bytes maximum size of the JSON text
 * @returns the first issue, or null
 */
export function measure(given: unknown, max_bytes: number): ConfigIssue | null {
  let bytes = 0;
  return inspect(given, []);

  function inspect(value: unknown, path: readonly (string | number)[]): ConfigIssue | null {
    if (path.length > MAX_DEPTH) return issue([], `is nested too deeply; ${MAX_DEPTH} levels are the limit`);
    bytes += typeof value === 'object' ? 2 : countBytes(value);
    if (bytes > max_bytes) return issue([], `is too large; the limit is ${max_bytes / 1024} KiB of JSON`);
    if (typeof value === 'string' && value.includes('\0')) return issue(path, 'contains a NUL character; remove it');
    if (Array.isArray(value)) return inspectAll(value.entries(), path);
    if (value !== null && typeof value === 'object') return inspectAll(Object.entries(value), path);
    return isScalar(value) ? null : issue(path, 'is not a JSON value');
  }

  function inspectAll(members: Iterable<[string | number, unknown]>, path: readonly (string | number)[]) {
    for (const [key, member] of members) {
      if (typeof key === 'string') {
        if (key.includes('\0')) return issue(path, 'has a field whose name contains a NUL character; remove it');
        bytes += countBytes(key);
      }
      const found = inspect(member, [...path, key]);
      if (found !== null) return found;
    }
    return null;
  }
}

/** Includes the following comma or colon. */
function countBytes(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(JSON.stringify(value)) + 1 : 5;
}

/** Accepts undefined because JSON text omits undefined members. */
function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || value === undefined || typeof value === 'boolean' || typeof value === 'string';
}

function issue(path: readonly (string | number)[], message: string): ConfigIssue {
  return { path: pointer(path), message };
}
