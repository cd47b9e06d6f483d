import { check, type Diagnostics, type Parameters } from 'recheck';

export type Verdict =
  /** Proven linear by the automaton of the pattern. */
  | { kind: 'proven' }
  /** No automaton could be built (lookarounds, back references, large counts): no attack was found by counting steps. */
  | { kind: 'withstood' }
  | { kind: 'vulnerable'; complexity: string; attack: string }
  | { kind: 'unknown'; why: string };

/** For the automaton to be tried where the library would not: counted repetitions make it large. */
const LARGE: Parameters = {
  checker: 'automaton',
  maxNFASize: 1_000_000,
  maxRepeatCount: 100_000,
  maxPatternSize: 100_000,
  timeout: 5_000,
};

/**
 * For the fuzz that takes the place of an automaton that would be large. No clock ends it, so that a busy machine comes to
 * the same verdict: an attack is a text of 10,000 characters that takes more than 300 steps for each of them.
 */
const BY_STEPS: Parameters = {
  attackLimit: 3_000_000,
  attackTimeout: null,
  incubationTimeout: null,
  maxAttackStringSize: 10_000,
  timeout: 300_000,
};

/**
 * Whether a regular expression takes time in proportion to the text, for any text and wherever a search in it begins. Of one
 * that is only alternatives each is checked by itself: a search takes no longer than the searches for all of them.
 */
export default async function prove({ source, flags }: { source: string; flags: string }): Promise<Verdict> {
  // A sticky or indices flag changes no step, and the library does not know `d` and `v`.
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

/** At each `|` outside of groups and classes; whole where a back reference may reach from one to another. */
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
