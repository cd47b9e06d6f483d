/** Capitalizes the first letter, so that a clause begins a sentence. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
