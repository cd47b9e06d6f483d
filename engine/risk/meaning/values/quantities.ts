import type { MaybeJson } from '../../../changes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const BYTES = listWords('memory storage ephemeral mem');
const AROUND = listWords('resource limit request hard requests limits');
const QUANTITY = /^(\d{1,15}(?:\.\d{1,9})?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/;
const FACTORS = new Map([
  ...([
    ['m', 1e-3],
    ['k', 1e3],
    ['M', 1e6],
    ['G', 1e9],
    ['T', 1e12],
  ] as const),
  ...([
    ['Ki', 2 ** 10],
    ['Mi', 2 ** 20],
    ['Gi', 2 ** 30],
    ['Ti', 2 ** 40],
  ] as const),
]);
/** No program runs with less memory. */
const LEAST_BYTES = 2 ** 20;

/** Judges Kubernetes quantities of memory and processors: `1Gi`, `512M`, `100m`. */
export function judgeQuantity({ words, outer, before, after }: Argument): ValueFinding | null {
  const is_bytes = hasAny(words, BYTES);
  if ((!is_bytes && !words.has('cpu')) || !(hasAny(outer, AROUND) || hasAny(words, AROUND))) return null;
  const [from, to] = [readQuantity(before), readQuantity(after)];
  if (from === null || to === null || to === 0) return null;
  if (is_bytes && to < LEAST_BYTES && from >= LEAST_BYTES)
    return weaken('high', 'The amount of memory is below 1 MiB, so that nothing can start');
  if (is_bytes && to <= from / 30)
    return weaken('high', 'The program gets a small part of the memory that it had, and is killed');
  if (to <= from / 4) return weaken('medium', 'The amount is cut to a quarter or less');
  const direction = to > from ? 'strengthening' : 'neutral';
  return { ...weaken('low', 'The amount changes'), direction };
}

function readQuantity(value: MaybeJson): number | null {
  if (typeof value === 'number') return value;
  const match = typeof value === 'string' ? QUANTITY.exec(value) : null;
  return match === null ? null : Number(match[1]) * (FACTORS.get(match[2] as 'm') ?? 1);
}

function weaken(level: 'low' | 'medium' | 'high', consequence: string): ValueFinding {
  return { rule: 'R-VAL-QUANTITY', level, direction: 'weakening', consequence };
}
