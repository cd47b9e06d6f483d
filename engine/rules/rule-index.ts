import { findCategories } from '../risk/categories.ts';
import type { Parts } from './globs.ts';
import type { CompiledMatch } from './match.ts';
import type { Subject } from './subject.ts';

/** Cache limit, above the number of resource types in one plan; the cache is cleared when it is full. */
const MAX_TYPES = 1000;
const NONE: readonly number[] = [];

/** Cached data about one resource type. */
interface TypeEntry {
  /** For each rule, whether it applies to the type. */
  allowed: Uint8Array;
  /** Rules for the type without a literal address prefix. */
  open: readonly number[];
}

/** Rules by literal address prefix. */
type Starts = Map<string, number[]>;

/**
 * Finds candidate rules for a change by type and address or module prefix: their indexes, ascending and unique. The
 * caller checks the remaining conditions.
 */
export function createRuleIndex(matches: readonly CompiledMatch[]): (subject: Subject) => readonly number[] {
  const byAddress: Starts = new Map();
  const byModule: Starts = new Map();
  const open: number[] = [];
  matches.forEach(({ addresses, modules }, i) => {
    if (addresses !== null) addStarts(byAddress, addresses, i);
    else if (modules !== null) addStarts(byModule, modules, i);
    else open.push(i);
  });
  const entries = new Map<string, TypeEntry>();

  function findEntry(type: string): TypeEntry {
    const known = entries.get(type);
    if (known !== undefined) return known;
    if (entries.size >= MAX_TYPES) entries.clear();
    const categories = findCategories(type);
    const allowed = Uint8Array.from(matches, (match) => (match.type(type, categories) ? 1 : 0));
    const entry = { allowed, open: open.filter((i) => allowed[i] === 1) };
    entries.set(type, entry);
    return entry;
  }

  return (subject) => {
    if (matches.length === 0) return NONE;
    const { allowed, open } = findEntry(subject.change.type);
    if (byAddress.size === 0 && byModule.size === 0) return open;
    const found = new Set<number>();
    collect(byAddress, subject.address, found);
    collect(byModule, subject.module, found);
    const anchored = [...found].filter((i) => allowed[i] === 1);
    return anchored.length === 0 ? open : [...open, ...anchored].sort((a, b) => a - b);
  };
}

function addStarts(starts: Starts, beginnings: readonly Parts[], rule: number): void {
  for (const beginning of beginnings) {
    const key = beginning.join('\0');
    const known = starts.get(key);
    if (known === undefined) starts.set(key, [rule]);
    else known.push(rule);
  }
}

function collect(starts: Starts, parts: Parts, found: Set<number>): void {
  if (starts.size === 0) return;
  let key = '';
  for (const [i, part] of parts.entries()) {
    key = i === 0 ? part : `${key}\0${part}`;
    for (const rule of starts.get(key) ?? NONE) found.add(rule);
  }
}
