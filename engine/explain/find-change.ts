import { dropLeading, dropTrailing } from '../lib/trim.ts';
import type { KnownFacts } from './types.ts';

/** Index of the change with this full or shortened address, with or without backticks; undefined if there is none. */
export function findChangeIndex(address: string, { names }: KnownFacts): number | undefined {
  const name = names.get(address) ?? names.get(withoutTicks(address));
  return name?.change ?? undefined;
}

/** Removes the backticks around a name, and one space from both ends. */
export function withoutTicks(address: string): string {
  const ended = dropTrailing(address, '`');
  const begun = dropLeading(ended === address ? address : ended.replace(/ $/, ''), '`');
  return address.startsWith('`') ? begun.replace(/^ /, '') : begun;
}
