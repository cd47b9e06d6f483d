import { NAMES } from './neighbors.ts';

/** The arguments that relations read of each type. */
export type Reads = ReadonlyMap<string, ReadonlySet<string>>;

/** Merges what several relations read; names of resources are always read. */
export function mergeReads(parts: Iterable<readonly [type: string, names: readonly string[]]>): Reads {
  const reads = new Map<string, Set<string>>();
  for (const [type, names] of parts) {
    const known = reads.get(type) ?? new Set(NAMES);
    for (const name of names) known.add(name);
    reads.set(type, known);
  }
  return reads;
}
