import type { Change } from '../model/result.ts';
import { type Checked, checkSentence } from './check.ts';
import type { ClaimContext } from './claims.ts';
import type { DroppedList } from './dropped.ts';
import type { NameFinder } from './names.ts';
import { splitSentences } from './sentences.ts';
import type { KnownFacts } from './types.ts';

const MAX_FIELD = 8_000;
const MAX_REASON = 300;

/** Context for reading a model's text. */
export interface Reader {
  known: KnownFacts;
  finder: NameFinder;
  context: ClaimContext;
  dropped: DroppedList;
}

/** The accepted sentences of a text; the others are added to `dropped`. */
export function readSentences(text: string, { known, finder, context, dropped }: Reader, about?: Change): Checked[] {
  if (text.length > MAX_FIELD) dropped.add(text.slice(MAX_FIELD), 'is too long');
  const { sentences, atoms } = splitSentences(text.slice(0, MAX_FIELD), known, finder);
  return sentences.flatMap((sentence) => {
    const checked = checkSentence({ text: sentence, atoms, ...(about === undefined ? {} : { about }) }, known, context);
    if (!('why' in checked)) return [checked];
    dropped.add(
      sentence.replace(/\p{Co}/gu, (character) => atoms[character.charCodeAt(0) - 0xe000]?.text ?? ''),
      checked.why,
    );
    return [];
  });
}

/** The first sentences that fit into `room` characters. */
export function takeFitting(
  sentences: readonly Checked[],
  toText: (sentence: Checked) => string,
  room: number,
): Checked[] {
  const taken: Checked[] = [];
  let left = room;
  for (const sentence of sentences) {
    left -= toText(sentence).length + 1;
    if (left < 0) break;
    taken.push(sentence);
  }
  return taken;
}

/** The accepted sentences of a reason as plain text, at most 300 characters; empty if none was accepted. */
export function readReason(text: string, reader: Reader, about?: Change): string {
  return takeFitting(readSentences(text, reader, about), ({ plain }) => plain, MAX_REASON)
    .map(({ plain }) => plain)
    .join(' ');
}
