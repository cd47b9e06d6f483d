/** Boolean expressions of filters and conditions, read no deeper than their outermost operator. */

/** Longer ones than any provider accepts are not taken apart. */
const CHARS_MAX = 20_000;
const PAIRS_MAX = 50;

/**
 * The operands of the outermost `operator`, trimmed, without parentheses around a whole operand; the whole expression
 * when the operator does not stand outside of quotes and parentheses.
 *
 * @param operator in lower case: `&&`, `||`, or a word, which letters around it make part of another word
 */
export function splitTop(expression: string, operator: string): string[] {
  const whole = unwrap(expression);
  if (whole.length > CHARS_MAX) return [whole];
  const parts: string[] = [];
  let start = 0;
  for (const { index, depth } of scanPositions(whole)) {
    if (depth !== 0 || index < start || !isOperatorAt(whole, index, operator)) continue;
    parts.push(unwrap(whole.slice(start, index)));
    start = index + operator.length;
  }
  parts.push(unwrap(whole.slice(start)));
  return parts;
}

function isOperatorAt(text: string, index: number, operator: string): boolean {
  if (text.slice(index, index + operator.length).toLowerCase() !== operator) return false;
  if (!/^[a-z]/.test(operator)) return true;
  return !/[\w.:"/-]/.test(text[index - 1] ?? ' ') && !/[\w.:"/-]/.test(text[index + operator.length] ?? ' ');
}

/** Every place outside of quotes, and how many brackets are open behind it. */
function* scanPositions(text: string): Generator<{ index: number; depth: number }> {
  let depth = 0;
  let quote = '';
  for (let index = 0; index < text.length; index++) {
    const char = text[index] as string;
    if (quote !== '') {
      if (char === '\\') index++;
      else if (char === quote) quote = '';
      continue;
    }
    if (char === '"' || char === "'") quote = char;
    else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    yield { index, depth };
  }
}

/** Without blanks around, runs of blanks within, and parentheses around the whole. */
function unwrap(expression: string): string {
  let text = expression.trim().replace(/\s+/g, ' ');
  for (let i = 0; i < PAIRS_MAX && isOnePair(text); i++) text = text.slice(1, -1).trim();
  return text;
}

/** True when the parenthesis that begins a text is closed at its end. */
function isOnePair(text: string): boolean {
  if (!text.startsWith('(') || !text.endsWith(')') || text.length > CHARS_MAX) return false;
  for (const { index, depth } of scanPositions(text)) if (depth === 0) return index === text.length - 1;
  return false;
}
