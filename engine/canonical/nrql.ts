/** Queries in the query language of New Relic, whose clauses have no order. */
const MAX_CHARS = 20_000;
const TOKEN = /(?<text>'[^'\\]*'|`[^`]*`)|(?<word>[\w.$:%-]+)|(?<mark>[(),])|(?<sign>[=!<>+*/]+)|\s+/y;
const CLAUSES: ReadonlySet<string> = new Set(
  'SELECT FROM WHERE FACET SINCE UNTIL LIMIT TIMESERIES COMPARE WITH SLIDE ORDER EXTRAPOLATE'.split(' '),
);
const KEYWORDS: ReadonlySet<string> = new Set([
  ...CLAUSES,
  ...'AND OR NOT IN LIKE IS NULL AS AGO BY ASC DESC MAX AUTO RLIKE TRUE FALSE'.split(' '),
]);
/** Clauses whose first word only continues the clause before: `COMPARE WITH`, `WITH TIMEZONE`. */
const CONTINUED: ReadonlySet<string> = new Set(['COMPARE']);

/**
 * Normalizes a query: the order of its clauses, the case of keywords and white space do not matter.
 *
 * @returns null for texts with comments, with a clause twice, or without SELECT and FROM
 */
export function nrqlForm(text: string): string | null {
  const tokens = text.length > MAX_CHARS || /--|\/\*|\/\//.test(text) ? null : tokenize(text);
  if (tokens === null) return null;
  const clauses = new Map<string, string[]>();
  let depth = 0;
  let clause: string[] | undefined;
  for (const [at, token] of tokens.entries()) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    if (depth === 0 && CLAUSES.has(token) && !CONTINUED.has(tokens[at - 1] ?? '')) {
      if (clauses.has(token)) return null;
      clause = [];
      clauses.set(token, clause);
    } else if (clause === undefined) return null;
    else clause.push(token);
  }
  if (!clauses.has('SELECT') || !clauses.has('FROM')) return null;
  return [...clauses]
    .map(([name, words]) => [name, ...words].join(' '))
    .sort()
    .join('\n');
}

function tokenize(text: string): string[] | null {
  const tokens: string[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const match = TOKEN.exec(text);
    if (match === null) return null;
    const { text: quoted, word, mark, sign } = match.groups!;
    const token = quoted ?? mark ?? sign ?? (word === undefined ? undefined : writeWord(word));
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

function writeWord(word: string): string {
  const upper = word.toUpperCase();
  return KEYWORDS.has(upper) ? upper : word;
}
