import { memoizeText } from '../lib/memoize.ts';

/** Words of a name in snake case, camel case or with hyphens: lower case, without plural s. */
export const splitWords: (name: string) => readonly string[] = memoizeText((name) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map(singularize),
);

/** The same form for singular and plural. Not always a word: it is only compared. `https` is not the plural of `http`. */
export function singularize(word: string): string {
  if (word.length < 3 || word === 'https' || !word.endsWith('s') || word.endsWith('ss')) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.endsWith('sses') ? word.slice(0, -2) : word.slice(0, -1);
}
