import { dropLeading, dropTrailing } from '../../engine/index.ts';
import { nearest } from './nearest.ts';
import type { Command, Duration, Unknown } from './types.ts';

type Verb = Command['verb'];

const MAX_LINE = 500;
const MAX_ECHO = 40;
const DURATIONS: readonly Duration[] = ['7d', '30d', '90d', 'forever'];
/** As git abbreviates commits: so many digits are one of few. */
const FINGERPRINT = /^[0-9a-f]{8,32}$/;
const LIST = 'Comment /drift help for a list.';

const READERS: { [V in Verb]: (rest: string) => Extract<Command, { verb: V }> | Unknown } = {
  help: () => ({ verb: 'help' }),
  explain: readExplain,
  noise: () => ({ verb: 'noise' }),
  suppress: readSuppress,
  fix: readFix,
  rescan: () => ({ verb: 'rescan' }),
  quiet: readQuiet,
};

/**
 * Reads the first line of a comment. Verbs are read in any case, blanks between words do not count.
 *
 * @returns the command, or what is wrong with it
 */
export function readCommand(line: string): Command | Unknown {
  if (line.length > MAX_LINE) return { unknown: `A command has at most ${MAX_LINE} characters. ${LIST}` };
  const [, asked = '', rest = ''] = /^\s*\/drift(?:\s+(\S+)(?:\s+(.*))?)?\s*$/isu.exec(line) ?? [];
  const verb = asked.toLowerCase();
  if (verb === '') return { verb: 'help' };
  return isVerb(verb) ? READERS[verb](rest.trim()) : suggest(asked, verb);
}

function isVerb(text: string): text is Verb {
  return Object.hasOwn(READERS, text);
}

function suggest(asked: string, verb: string): Unknown {
  const [meant] = nearest(verb, Object.keys(READERS), 1);
  const hint = meant === undefined ? LIST : `Did you mean /drift ${meant}? ${LIST}`;
  return { unknown: `"${echo(asked)}" is no command. ${hint}` };
}

function readExplain(rest: string): Extract<Command, { verb: 'explain' }> | Unknown {
  const address = withoutTicks(rest);
  if (address === '') return { unknown: 'Which change? Write /drift explain <address>, as the table shows it.' };
  return { verb: 'explain', address };
}

function readFix(rest: string): Extract<Command, { verb: 'fix' }> | Unknown {
  const fingerprint = readFingerprint(rest);
  if (fingerprint === null) return { unknown: `${notAFingerprint(rest)} Write /drift fix <fingerprint>.` };
  return { verb: 'fix', fingerprint };
}

function readSuppress(rest: string): Extract<Command, { verb: 'suppress' }> | Unknown {
  const [print = '', length = '', ...words] = rest.split(/\s+/u);
  const reason = words.join(' ');
  const fingerprint = readFingerprint(print);
  const form = 'Write /drift suppress <fingerprint> 30d <reason>.';
  if (fingerprint === null) return { unknown: `${notAFingerprint(print)} ${form}` };
  const duration = DURATIONS.find((one) => one === length.toLowerCase());
  if (duration === undefined) {
    return { unknown: `"${echo(length)}" is no length of a suppression: use ${DURATIONS.join(', ')}. ${form}` };
  }
  if (reason === '') return { unknown: `A suppression needs a reason, for those who find it later. ${form}` };
  return { verb: 'suppress', fingerprint, duration, reason };
}

function readQuiet(rest: string): Extract<Command, { verb: 'quiet' }> | Unknown {
  const word = rest.toLowerCase();
  if (word === '' || word === 'on' || word === 'off') return { verb: 'quiet', on: word !== 'off' };
  return { unknown: `"${echo(rest)}" says nothing to /drift quiet. Write /drift quiet or /drift quiet off.` };
}

function readFingerprint(text: string): string | null {
  const digits = withoutTicks(text).toLowerCase();
  return FINGERPRINT.test(digits) ? digits : null;
}

function notAFingerprint(text: string): string {
  return `"${echo(text)}" is no fingerprint: /drift noise lists them, and their first 8 digits are enough.`;
}

/** Names are copied out of comments together with the backticks around them. */
function withoutTicks(text: string): string {
  return dropLeading(dropTrailing(text, '`'), '`').trim();
}

function echo(text: string): string {
  return text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text;
}
