/** Without the characters at its end that are among `characters`; one pass, where `/[…]+$/` tries every run of them. */
export function dropTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Without the characters at its beginning that are among `characters`. */
export function dropLeading(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}
