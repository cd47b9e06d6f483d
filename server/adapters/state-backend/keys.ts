import { StateBackendError } from './types.ts';

const ENDING = '.tfstate';
/** More keys under a prefix are not read, so that a listing ends. */
const MAX_KEYS = 1_000_000;
/** Pages can be empty, and a broken server can repeat one for ever. */
const MAX_PAGES = 10_000;

export interface KeyOptions {
  max: number;
  /** Whether the backend lists in byte order of UTF-8. Otherwise all pages are read. */
  in_byte_order: boolean;
  /** Largest number of keys that are read; a million unless given. */
  max_keys?: number;
}

/**
 * The first `max` + 1 keys of states in byte order. Asks for no further page when they are certain.
 *
 * @param pages keys of one page each
 * @throws StateBackendError `too_large` if there are too many keys to read; errors of `pages`
 */
export async function collectStateKeys(
  pages: AsyncIterable<readonly string[]>,
  { max, in_byte_order, max_keys = MAX_KEYS }: KeyOptions,
): Promise<string[]> {
  let found: string[] = [];
  let read_count = 0;
  let page_count = 0;
  for await (const page of pages) {
    read_count += page.length;
    page_count += 1;
    found = takeFirst([...found, ...page.filter((key) => key.endsWith(ENDING))], max + 1);
    if (in_byte_order && found.length > max) break;
    if (read_count > max_keys || page_count === MAX_PAGES) throw tooManyKeys(max_keys);
  }
  return found;
}

function takeFirst(keys: string[], count: number): string[] {
  return keys.sort(compareBytes).slice(0, count);
}

/** JavaScript compares UTF-16 units, which is another order for characters outside the basic plane. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function tooManyKeys(max_keys: number): StateBackendError {
  const message = `There are more than ${max_keys} keys under this prefix. Choose a longer prefix.`;
  return new StateBackendError('too_large', message);
}
