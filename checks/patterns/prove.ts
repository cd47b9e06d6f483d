import { check, type Diagnostics, type Parameters } from 'recheck';

export type Verdict =
  /** Proven linear by the automaton of the pattern. */
  | { kind: 'proven' }
  /** No automaton could be built (lookarounds, back references, large counts), and counting steps found no attack. */
  | { kind: 'withstood' }
  | { kind: 'vulnerable'; complexity: string; attack: string }
  | { kind: 'unknown'; why: string };

/** Makes the library try an automaton where it would not by default: counted repetitions make it large. */
const LARGE: Parameters = {
  checker: 'automaton',
  maxNFASize: 1_000_000,
  maxRepeatCount: 100_000,
  maxPatternSize: 100_000,
  timeout: 5_000,
};

/**
 * For fuzzing where an automaton would be too large. It has no time limit, so that the verdict does not depend on load:
 * an attack is a text of 10,000 characters that takes more than 300 steps per character.
 */
const BY_STEPS: Parameters = {
  attackLimit: 3_000_000,
  attackTimeout: null,
  incubationTimeout: null,
  maxAttackStringSize: 10_000,
  timeout: 300_000,
};

/**
 * Checks whether a regular expression runs in linear time for every text and every start of the search. Top-level
 * alternatives are checked separately: a search takes no longer than the searches for all of them.
 */
export default async function prove({ source, flags }: { source: string; flags: string }): Promise<Verdict> {
  // The flags `y` and `d` do not change the steps; the library does not know `d` and `v`.
  const known = flags.replace(/[^gimsuy]/g, '');
  let all: Verdict = { kind: 'proven' };
  for (const alternative of splitAlternatives(source)) {
    const verdict = await proveOne(alternative, known);
    if (verdict.kind === 'vulnerable' || verdict.kind === 'unknown') return verdict;
    if (verdict.kind === 'withstood') all = verdict;
  }
  return all;
}

async function proveOne(source: string, flags: string): Promise<Verdict> {
  const first = await check(source, flags, BY_STEPS);
  if (first.status !== 'safe') return toVerdict(first);
  if (first.checker === 'automaton') return { kind: 'proven' };
  const proof = await check(source, flags, LARGE);
  if (proof.status === 'vulnerable') return toVerdict(proof);
  return { kind: proof.status === 'safe' ? 'proven' : 'withstood' };
}

/** Splits at each `|` outside of groups and classes; does not split if a back reference could refer to another part. */
export function splitAlternatives(source: string): string[] {
  if (/\\(?:[1-9]|k<)/.test(source)) return [source];
  const alternatives: string[] = [];
  let depth = 0;
  let in_class = false;
  let start = 0;
  for (let i = 0; i < source.length; i += 1) {
    const character = source[i];
    if (character === '\\') i += 1;
    else if (in_class) in_class = character !== ']';
    else if (character === '[') in_class = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) {
      alternatives.push(source.slice(start, i));
      start = i + 1;
    }
  }
  return [...alternatives, source.slice(start)];
}

function toVerdict(found: Exclude<Diagnostics, { status: 'safe' }>): Verdict {
  if (found.status === 'unknown') return { kind: 'unknown', why: found.error.kind };
  return { kind: 'vulnerable', complexity: found.complexity.summary, attack: found.attack.pattern };
}
