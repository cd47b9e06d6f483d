/** Tells sentences for people from lines that a program reads. */

/** Elements of XML and HTML stand before their text. */
const ELEMENT = / = /;
/** Signs that sentences do not have inside. */
const CODE = /[={};$|\\<>`@#[\]_]|:\/\/|--|\(\)/;
const SENTENCE = /^[A-Z"'*-]{0,3}\s{0,2}[A-Z]?[a-z'’]{0,30}[ ,.!?:]/;
const MIN_WORDS = 4;
/** A sentence that ends with a full stop can be shorter. */
const MIN_ENDED = 3;
const MAX_CHARS = 400;

/** Whether a line is a sentence, such as one of a mail or a runbook: what it says restricts nothing. */
export function isProse(line: string): boolean {
  const text = line.slice(0, MAX_CHARS).split(ELEMENT).at(-1)!.trim();
  if (CODE.test(text) || !SENTENCE.test(text) || !/^[^a-z]{0,3}[A-Z]/.test(text)) return false;
  const words = text.split(/\s+/);
  const plain = words.filter((word) => /^["'(]{0,2}[A-Za-z’'-]{1,40}["').,:;!?]{0,3}$/.test(word)).length;
  const shouted = words.filter((word) => word.length > 2 && word === word.toUpperCase()).length;
  return words.length >= (/[.!?]$/.test(text) ? MIN_ENDED : MIN_WORDS) && plain >= words.length * 0.7 && shouted < 2;
}
