import { type Cidr, parseCidr } from '../lib/cidr.ts';

const WIDTH = { 4: 32n, 6: 128n } as const;
const MAX_BLOCKS = 5_000;

/**
 * The addresses that a list of blocks and single addresses covers, as ranges: `10.0.0.0/9` and `10.128.0.0/9` together
 * are `10.0.0.0/8`, and an address inside a block of the list adds nothing.
 *
 * @returns null if an item is no block or address
 */
export function coveredForm(items: readonly unknown[]): string | null {
  if (items.length === 0 || items.length > MAX_BLOCKS) return null;
  const ranges: Range[] = [];
  for (const item of items) {
    const block = typeof item === 'string' ? parseCidr(item) : undefined;
    if (block === undefined || hasStrayBits(item as string, block)) return null;
    ranges.push(toRange(block));
  }
  return merge(ranges)
    .map(({ family, first, last }) => `${family}:${first.toString(16)}-${last.toString(16)}`)
    .join(',');
}

/** Wider blocks with an address before them, such as `10.1.2.3/0`, are probably a mistake. */
const MIN_PREFIX = 8;

function hasStrayBits(text: string, { prefix, address }: Cidr): boolean {
  return prefix < MIN_PREFIX && parseCidr(text.split('/', 1)[0]!)?.address !== address;
}

interface Range {
  family: 4 | 6;
  first: bigint;
  last: bigint;
}

function toRange({ family, address, prefix }: Cidr): Range {
  return { family, first: address, last: address + (1n << (WIDTH[family] - BigInt(prefix))) - 1n };
}

function merge(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort(compareRanges);
  const merged: Range[] = [];
  for (const range of sorted) {
    const previous = merged.at(-1);
    if (previous === undefined || previous.family !== range.family || range.first > previous.last + 1n)
      merged.push({ ...range });
    else if (range.last > previous.last) previous.last = range.last;
  }
  return merged;
}

function compareRanges(one: Range, other: Range): number {
  if (one.family !== other.family) return one.family - other.family;
  return one.first < other.first ? -1 : Number(one.first > other.first);
}
