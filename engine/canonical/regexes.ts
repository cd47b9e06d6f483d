/** A regular expression that matches one of a few texts as a whole: `^(orders|billing)$`. */
const ALTERNATIVES = /^\^\((?:\?:)?([\w@/ -]{1,200}(?:\|[\w@/ -]{1,200}){1,100})\)\$$/;

/** The texts that such an expression matches, sorted; null for every other expression. */
export function literalAlternativesForm(text: string): string | null {
  const [, list] = text.length > 20_000 ? [] : (ALTERNATIVES.exec(text) ?? []);
  return list === undefined ? null : [...new Set(list.split('|'))].sort().join('|');
}
