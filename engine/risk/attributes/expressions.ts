/** Splits boolean expressions of filters and conditions at their outermost operator. */

/** Longer expressions than any provider accepts are not split. */
const CHARS_MAX = 20_000;
const PAIRS_MAX = 50;

/**
 * Returns the operands of the outermost `operator`, trimmed and without parentheses around a whole operand. Returns the
 * whole expression when the operator does not occur outside quotes and parentheses.
 *
 * @param operator in lower case: `&&`, `||` or a word; a word must not be part of a longer word in the expression
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

/** Yields every position outside quotes, with the number of brackets that are open after it. */
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

/** Trims, collapses whitespace, and removes parentheses around the whole expression. */
function unwrap(expression: string): string {
  let text = expression.trim().replace(/\s+/g, ' ');
  for (let i = 0; i < PAIRS_MAX && isOnePair(text); i++) text = text.slice(1, -1).trim();
  return text;
}

/** Returns true when the parenthesis at the start is closed by the one at the end. */
function isOnePair(text: string): boolean {
  if (!text.startsWith('(') || !text.endsWith(')') || text.length > CHARS_MAX) return false;
  for (const { index, depth } of scanPositions(text)) if (depth === 0) return index === text.length - 1;
  return false;
}
