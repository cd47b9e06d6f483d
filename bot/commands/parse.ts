import { dropLeading, dropTrailing } from '../../engine/index.ts';
import { rankNearest } from './nearest.ts';
import type { Command, Duration, InvalidCommand } from './types.ts';
import { USAGE } from './usage.ts';

type Verb = Command['verb'];

const MAX_LINE = 500;
const MAX_ECHO = 40;
const DURATIONS: readonly Duration[] = ['7d', '30d', '90d', 'forever'];
/** 8 digits identify a fingerprint almost always, as with abbreviated git commits. */
const FINGERPRINT = /^[0-9a-f]{8,32}$/;
const HELP_HINT = `Comment ${USAGE.help} for a list.`;

const PARSERS: { [V in Verb]: (rest: string) => Extract<Command, { verb: V }> | InvalidCommand } = {
  help: () => ({ verb: 'help' }),
  explain: readExplain,
  noise: () => ({ verb: 'noise' }),
  suppress: readSuppress,
  fix: readFix,
  rescan: () => ({ verb: 'rescan' }),
  quiet: readQuiet,
};

/**
 * Parses the first line of a comment. Verbs are case-insensitive, and extra whitespace is ignored.
 *
 * @returns the command, or an explanation of what is wrong with it
 */
export function readCommand(line: string): Command | InvalidCommand {
  if (line.length > MAX_LINE) return { unknown: `A command has at most ${MAX_LINE} characters. ${HELP_HINT}` };
  const [, typed_verb = '', rest = ''] = /^\s*\/drift(?:\s+(\S+)(?:\s+(.*))?)?\s*$/isu.exec(line) ?? [];
  const verb = typed_verb.toLowerCase();
  if (verb === '') return { verb: 'help' };
  return isVerb(verb) ? PARSERS[verb](rest.trim()) : suggest(typed_verb, verb);
}

function isVerb(text: string): text is Verb {
  return Object.hasOwn(PARSERS, text);
}

function suggest(typed_verb: string, verb: string): InvalidCommand {
  const [closest] = rankNearest(verb, Object.keys(PARSERS), 1);
  const hint = closest === undefined ? HELP_HINT : `Did you mean /drift ${closest}? ${HELP_HINT}`;
  return { unknown: `"${echo(typed_verb)}" is not a command. ${hint}` };
}

function readExplain(rest: string): Extract<Command, { verb: 'explain' }> | InvalidCommand {
  const address = stripBackticks(rest);
  if (address === '')
    return { unknown: `The address is missing. Write ${USAGE.explain} with an address from the table.` };
  return { verb: 'explain', address };
}

function readFix(rest: string): Extract<Command, { verb: 'fix' }> | InvalidCommand {
  const fingerprint = readFingerprint(rest);
  if (fingerprint === null) return { unknown: `${describeInvalidFingerprint(rest)} Write ${USAGE.fix}.` };
  return { verb: 'fix', fingerprint };
}

function readSuppress(rest: string): Extract<Command, { verb: 'suppress' }> | InvalidCommand {
  const [fingerprint_text = '', duration_text = '', ...words] = rest.split(/\s+/u);
  const reason = words.join(' ');
  const fingerprint = readFingerprint(fingerprint_text);
  const form = `Write ${USAGE.suppress}.`;
  if (fingerprint === null) return { unknown: `${describeInvalidFingerprint(fingerprint_text)} ${form}` };
  const duration = DURATIONS.find((one) => one === duration_text.toLowerCase());
  if (duration === undefined) {
    return { unknown: `"${echo(duration_text)}" is not a valid duration: use ${DURATIONS.join(', ')}. ${form}` };
  }
  if (reason === '') return { unknown: `A suppression needs a reason. ${form}` };
  return { verb: 'suppress', fingerprint, duration, reason };
}

function readQuiet(rest: string): Extract<Command, { verb: 'quiet' }> | InvalidCommand {
  const argument = rest.toLowerCase();
  if (argument === '' || argument === 'on' || argument === 'off') return { verb: 'quiet', on: argument !== 'off' };
  return {
    unknown: `"${echo(rest)}" is not an argument of ${USAGE.quiet}. Write ${USAGE.quiet} or ${USAGE.quiet} off.`,
  };
}

function readFingerprint(text: string): string | null {
  const digits = stripBackticks(text).toLowerCase();
  return FINGERPRINT.test(digits) ? digits : null;
}

function describeInvalidFingerprint(text: string): string {
  return `"${echo(text)}" is not a fingerprint: use at least 8 digits of a fingerprint that ${USAGE.noise} lists.`;
}

/** Removes backticks that were copied from a comment together with a name. */
function stripBackticks(text: string): string {
  return dropLeading(dropTrailing(text, '`'), '`').trim();
}

function echo(text: string): string {
  return text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text;
}
