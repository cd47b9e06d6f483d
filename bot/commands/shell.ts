const PLAIN = /^[A-Za-z0-9_./:=@%+,-]+$/;

/**
 * A command line that a POSIX shell splits into exactly these words. Words of plain letters stand as they are.
 *
 * @see POSIX.1-2024, Shell Command Language, 2.2.2 Single-Quotes
 */
export function shellLine(words: readonly string[]): string {
  return words.map(quote).join(' ');
}

function quote(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
