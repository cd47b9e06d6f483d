const MAX_DOCUMENTS = 500;
/** Parsing takes time quadratic in the number of anchors. */
const MAX_ANCHORS = 2_000;
/** Brackets in quotes count as well, and need not be closed there. */
const MAX_OPEN_BRACKETS = 10_000;
const DOCUMENT_START = /^---(?:\s|$)/gm;
const ANCHOR = /(?:^|[\s,[{])&[^\s,[\]{}]/gm;
const OPENING = /[[{]/g;

/**
 * Rejects texts that take far longer to parse than ordinary ones of their length.
 *
 * @throws RangeError
 */
export function assertParsable(text: string): void {
  if (count(text, DOCUMENT_START, MAX_DOCUMENTS) > MAX_DOCUMENTS) throw new RangeError('too many YAML documents');
  if (count(text, ANCHOR, MAX_ANCHORS) > MAX_ANCHORS) throw new RangeError('too many YAML anchors');
  if (count(text, OPENING, MAX_OPEN_BRACKETS) > MAX_OPEN_BRACKETS && isDeep(text))
    throw new RangeError('YAML nests too deep');
}

/** Counts matches, at most one more than a limit. */
function count(text: string, pattern: RegExp, limit: number): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (found <= limit && pattern.test(text)) found += 1;
  return found;
}

function isDeep(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === '[' || character === '{') open += 1;
    else if (character === ']' || character === '}') open -= 1;
    if (open > MAX_OPEN_BRACKETS) return true;
  }
  return false;
}
