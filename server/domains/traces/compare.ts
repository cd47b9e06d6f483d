/** One difference and its location. */
export interface Difference {
  /** JSON pointer; empty for the whole value. */
  at: string;
  stored: string;
  now: string;
}

const MOST = 10;
const CONTEXT = 40;

/** The differences of two JSON values, at most ten; the order of members does not matter. */
export function findDifferences(stored: unknown, now: unknown, at = ''): Difference[] {
  if (Object.is(stored, now)) return [];
  if (typeof stored === 'string' && typeof now === 'string') return [textDifference(stored, now, at)];
  if (!isTree(stored) || !isTree(now) || Array.isArray(stored) !== Array.isArray(now)) {
    return [{ at, stored: excerpt(stored), now: excerpt(now) }];
  }
  const found: Difference[] = [];
  for (const name of new Set([...Object.keys(stored), ...Object.keys(now)])) {
    if (found.length >= MOST) break;
    found.push(
      ...findDifferences(stored[name], now[name], `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
  }
  return found.slice(0, MOST);
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Long texts are shown from shortly before the first difference. */
function textDifference(stored: string, now: string, at: string): Difference {
  let same = 0;
  while (same < stored.length && stored[same] === now[same]) same += 1;
  const from = Math.max(0, same - CONTEXT);
  const place = from === 0 ? at : `${at} from character ${from}`.trimStart();
  return { at: place, stored: excerpt(stored.slice(from)), now: excerpt(now.slice(from)) };
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 3 * CONTEXT ? `${text.slice(0, 3 * CONTEXT)}…` : text;
}
