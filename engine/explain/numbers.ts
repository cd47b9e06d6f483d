import { dropTrailing } from '../lib/trim.ts';

/** Technical terms with digits that are not quantities. */
const TERMS: ReadonlySet<string> = new Set(
  `s3 ec2 ec2s route53 k8s ipv4 ipv6 http2 oauth2 md5 sha1 sha256 sha512 x86_64 arm64 l4 l7 gp2 gp3 io1 io2 db2 p2p b2b
  aes-256 aes-128 aes256 rs256 x509 x.509 base64 utf-8 0-day r53 v4 v6 i/o log4j d2 athena2 neo4j windows-1252`.split(
    /\s+/,
  ),
);

const WORDS = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen twenty`.split(/\s+/);
const TENS = 'thirty forty fifty sixty seventy eighty ninety hundred'.split(' ');
const VALUES: ReadonlyMap<string, string> = new Map([
  ...WORDS.map((word, i) => [word, String(i)] as const),
  ...TENS.map((word, i) => [word, String(30 + i * 10)] as const),
]);

/** Vague quantities that cannot be verified. */
const VAGUE =
  /\b(?:dozens?|scores of|hundreds|thousands?|millions?|billions?|half|thirds?|quarters?|twice|thrice|percent|majority|twenty-\w+|(?:thir|for|fif|six|seven|eigh|nine)ty-\w+)\b/i;
const SPELLED = new RegExp(`\\b(?:${[...VALUES.keys()].filter((word) => word !== 'one').join('|')})\\b`, 'gi');
const WITH_DIGITS = /[A-Za-z0-9][A-Za-z0-9.,/-]*/g;
const DIGITS = /\d+(?:\.\d+)*/g;
/** References such as ticket ids, which hosts turn into links. */
const REFERENCE = /^[A-Za-z]{1,20}-\d/;

/**
 * Whether every number in a text is known. Spelled-out numbers from two are checked too; `one` is usually a pronoun,
 * and ordinals are not quantities.
 */
export function holdsKnownNumbers(text: string, numbers: ReadonlySet<string>): boolean {
  if (VAGUE.test(text)) return false;
  for (const [word] of text.matchAll(SPELLED)) if (!numbers.has(inDigits(word))) return false;
  for (const [token] of text.matchAll(WITH_DIGITS)) if (/\d/.test(token) && !isKnown(token, numbers)) return false;
  return true;
}

/** Converts a number word to digits. */
export function inDigits(word: string): string {
  return VALUES.get(word.toLowerCase()) ?? word;
}

export const NUMBER_WORD = `(?:\\d+|${[...VALUES.keys()].join('|')})`;

function isKnown(token: string, numbers: ReadonlySet<string>): boolean {
  const word = dropTrailing(token, '.,/-').toLowerCase();
  if (TERMS.has(word)) return true;
  if (numbers.has(word)) return true;
  if (REFERENCE.test(word)) return false;
  const plain = word.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  return [...plain.matchAll(DIGITS)].every(([digits]) => numbers.has(digits));
}
