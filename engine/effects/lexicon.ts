import type { EffectName, SafeEnd, ValueKind } from './types.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** What a phrase in a name says about the argument. */
export interface Concept {
  effect: EffectName;
  /** Whether it is safer when the thing that the phrase names is there. */
  on: 'good' | 'bad' | 'none';
  /** Safe ends for kinds of values where they do not follow from `on`. */
  ends: Partial<Record<ValueKind, SafeEnd | 'none'>>;
}

export interface Match {
  concept: Concept;
  /** Whether the phrase says enough to outweigh the block that contains the argument. */
  strong: boolean;
  /** Words of the name outside the phrase. */
  rest: string[];
}

interface Entry {
  concept: Concept;
  strong: boolean;
}

interface Group extends Partial<Record<ValueKind, string>> {
  effect: string;
  on: string;
  phrases: string;
}

const MAX_PHRASE = 5;
let entries: Map<string, Entry> | undefined;
let negations: Set<string> | undefined;
let maps: Set<string> | undefined;

/** The longest phrase of the vocabulary in a name; of equally long ones strong before weak, deletion first, then the last. */
export function matchPhrase(words: readonly string[]): Match | undefined {
  entries ??= readEntries();
  for (let length = Math.min(MAX_PHRASE, words.length); length > 0; length--) {
    const found = matchLength(entries, words, length);
    if (found !== undefined) return found;
  }
  return undefined;
}

function matchLength(known: Map<string, Entry>, words: readonly string[], length: number): Match | undefined {
  let best: Match | undefined;
  for (let at = words.length - length; at >= 0; at--) {
    const entry = known.get(words.slice(at, at + length).join(' '));
    if (entry === undefined || (best !== undefined && !isStronger(entry, best))) continue;
    best = { ...entry, rest: [...words.slice(0, at), ...words.slice(at + length)] };
  }
  return best;
}

function isStronger(one: Entry, other: Entry): boolean {
  if (one.strong !== other.strong) return one.strong;
  return one.concept.effect === 'destructive' && other.concept.effect !== 'destructive';
}

/** Whether a word turns the meaning of the others around: `disable`, `skip`, `no`. */
export function isNegation(word: string): boolean {
  negations ??= new Set(readList(vocabulary.negations));
  return negations.has(word);
}

/** Whether an argument is a map whose keys are free text: tags, labels. */
export function isFreeMap(name: string): boolean {
  maps ??= new Set(vocabulary.maps.split(', '));
  return maps.has(name);
}

function readEntries(): Map<string, Entry> {
  const weak = new Set(readList(vocabulary.weak));
  const found = new Map<string, Entry>();
  for (const group of vocabulary.concepts as Group[]) {
    const { effect, on, phrases, ...ends } = group;
    const concept = { effect, on, ends } as Concept;
    for (const phrase of readList(phrases)) {
      if (!found.has(phrase)) found.set(phrase, { concept, strong: !weak.has(phrase) });
    }
  }
  return found;
}

/** The file has phrases in the form that `splitWords` gives to names. */
function readList(text: string): string[] {
  return text.split(', ');
}
