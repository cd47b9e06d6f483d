/** Judges the last branch of a CASE expression, which decides for everybody whom no other branch names. */

const LAST_ELSE = /\belse\s+([^\n;]{1,200}?)\s{0,5}end\b/gi;
const COLUMN = /^[a-z_][\w.]{0,80}$/i;
const NOT_COLUMN = /^(?:null|false|current_\w{1,40})$/i;

/** Whether the default of an expression changes from a masked value or a denial to the value itself or to true. */
export function opensDefault(before: string, after: string): boolean {
  const [was, is] = [readDefault(before), readDefault(after)];
  return was !== null && is !== null && !isOpen(was) && isOpen(is);
}

function readDefault(sql: string): string | null {
  return [...sql.matchAll(LAST_ELSE)].at(-1)?.[1]?.trim() ?? null;
}

function isOpen(expression: string): boolean {
  return COLUMN.test(expression) && !NOT_COLUMN.test(expression);
}
