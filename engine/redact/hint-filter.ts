/** The first letters of words that stand near a secret; `HINT` in concealed.ts decides whether a whole word is there. */
const BEGINNINGS =
  `pas pwd sec tok cre key con psk dsn aut bea bas coo cur ide sha net vau std sud d_u sig ver com`.split(' ');
/** Two letters that count with any third one: `pw=`, `mc alias`. */
const PAIRS = ['pw', 'mc'];
const SYMBOL = /[@$<]|:(?:\d{1,5}|\*):/;
const LOW_BITS = 31;

/** One entry for each three characters, of which the low five bits are the same in both letter cases. */
const TABLE = new Uint8Array(1 << 15);
for (const word of BEGINNINGS) TABLE[computeIndex(word)] = 1;
for (const pair of PAIRS) TABLE.fill(1, computeIndex(pair) << 5, (computeIndex(pair) + 1) << 5);

function computeIndex(text: string): number {
  let index = 0;
  for (const character of text) index = (index << 5) | (character.charCodeAt(0) & LOW_BITS);
  return index;
}

/**
 * Whether a text may contain a word that stands near a secret. Several times faster than a regular expression with all
 * these words, and false for most texts of a plan.
 */
export function mayHoldHint(text: string): boolean {
  let index = 0;
  for (let i = 0; i < text.length; i++) {
    index = ((index << 5) | (text.charCodeAt(i) & LOW_BITS)) & 0x7fff;
    if (TABLE[index] === 1) return true;
  }
  return SYMBOL.test(text);
}
