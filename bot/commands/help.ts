import { buildTable, writeBody } from './markdown.ts';

const COMMANDS: readonly (readonly [string, string])[] = [
  ['/drift explain <address>', 'Why a change has its level, what forces it, which attributes change'],
  ['/drift noise', 'The known noise of these plans: how often, since when'],
  ['/drift suppress <fingerprint> 30d <reason>', 'What a suppression would hide, and how an owner or admin makes it'],
  ['/drift fix <fingerprint>', 'Ways to be rid of a pattern'],
  ['/drift rescan', 'Judge the plans again'],
  ['/drift quiet', 'Write no comments here; the check goes on. `/drift quiet off` ends it'],
];

/** The commands, a line each. */
export function describeCommands(): string {
  const rows = COMMANDS.map(([command, says]) => [`\`${command}\``, says]);
  return writeBody([
    buildTable(['Command', 'Answers'], rows, 'commands'),
    'In the first line of a new comment, by people who may write to this repository. Suppressions hold 7d, 30d, 90d or forever.',
  ]);
}
