import { hasAny, listWords } from './words.ts';

const QUERY = listWords(
  'expression condition filter criteria query matcher match search predicate when where if selector scope tag',
);

/** Whether the words of an argument say that its value selects something. */
export function isLooseQuery(words: ReadonlySet<string>): boolean {
  return hasAny(words, QUERY);
}

const HOLDS = listWords('body policy rule code script source content masking row document rego');

/** Whether the words of an argument say that conditions stand in its value, alone or among other things. */
export function holdsConditions(words: ReadonlySet<string>): boolean {
  return isLooseQuery(words) || hasAny(words, HOLDS);
}
