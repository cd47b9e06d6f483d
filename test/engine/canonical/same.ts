/** Whether two texts have one form; what has none is the same as nothing. */
export function same(form: (text: string) => string | null): (before: string, after: string) => boolean {
  return (before, after) => form(before) !== null && form(before) === form(after);
}
