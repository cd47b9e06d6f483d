import { hasAny, listWords } from './words.ts';

const QUERY = listWords(
  'expression condition filter criteria query matcher match search predicate when where if selector scope tag',
);

/** Whether the words of an argument say that its value selects something. */
export function isLooseQuery(words: ReadonlySet<string>): boolean {
  return hasAny(words, QUERY);
}
