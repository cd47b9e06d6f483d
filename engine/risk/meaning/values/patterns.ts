import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Where a pattern says what is allowed. */
const ALLOWS = listWords('validate allow allowed pattern permitted trusted approved whitelist allowlist');
const MAX_CHARS = 2000;
const MAX_ALTERNATIVES = 50;

/** Judges patterns of what is allowed, with `*` and alternatives: `registry.example.com/* | *.example.org/*`. */
export function judgePattern({ words, outer, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, ALLOWS) && !hasAny(outer, ALLOWS)) return null;
  const [from, to] = [readAlternatives(before), readAlternatives(after)];
  if (from === null || to === null) return null;
  const gained = to.filter((pattern) => !from.some((known) => covers(known, pattern)));
  const has_stars = [...from, ...to].some((pattern) => pattern.includes('*'));
  if (!has_stars || gained.length === 0) return null;
  if (!from.every((pattern) => to.some((other) => covers(other, pattern)))) return null;
  const all = gained.some((pattern) => /^[*/]+$/.test(pattern));
  return {
    rule: 'R-VAL-PATTERN',
    level: all ? 'high' : 'medium',
    direction: 'weakening',
    consequence: all ? 'Everything is allowed' : 'More is allowed than before',
    beyond_rules: true,
  };
}

function readAlternatives(value: Argument['after']): string[] | null {
  if (typeof value !== 'string' || value === '' || value.length > MAX_CHARS) return null;
  const alternatives = value
    .split(/[|,]/)
    .map((part) => part.trim())
    .filter((pattern) => pattern !== '');
  return alternatives.length > MAX_ALTERNATIVES || alternatives.some((one) => /\s/.test(one)) ? null : alternatives;
}

/** Whether everything that one pattern matches is matched by another; only for a star at an end of the other. */
function covers(wide: string, narrow: string): boolean {
  if (wide === narrow || wide === '*') return true;
  if (wide.endsWith('*') && !wide.slice(0, -1).includes('*')) return narrow.startsWith(wide.slice(0, -1));
  return wide.startsWith('*') && !wide.slice(1).includes('*') && narrow.endsWith(wide.slice(1));
}
