/** Judges the last branch of a CASE expression, which decides for everybody whom no other branch names. */

const ELSE = /\belse\s/gi;
const END = /\bend\b/i;
const MAX_CHARS = 200;
const COLUMN = /^[a-z_][\w.]{0,80}$/i;
const NOT_COLUMN = /^(?:null|false|current_\w{1,40})$/i;

/** Whether the default of an expression changes from a masked value or a denial to the value itself or to true. */
export function opensDefault(before: string, after: string): boolean {
  const [was, is] = [readDefault(before), readDefault(after)];
  return was !== null && is !== null && !isOpen(was) && isOpen(is);
}

function readDefault(sql: string): string | null {
  const start = [...sql.matchAll(ELSE)].at(-1);
  if (start === undefined) return null;
  const rest = sql.slice(start.index + start[0].length, start.index + MAX_CHARS);
  const end = END.exec(rest);
  return end === null ? null : rest.slice(0, end.index).trim();
}

function isOpen(expression: string): boolean {
  return COLUMN.test(expression) && !NOT_COLUMN.test(expression);
}
