/** Returns a test for whether two texts have the same form. A text without a form never matches. */
export function same(form: (text: string) => string | null): (before: string, after: string) => boolean {
  return (before, after) => form(before) !== null && form(before) === form(after);
}
