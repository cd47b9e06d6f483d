import { buildTable, writeBody } from './markdown.ts';
import { USAGE } from './usage.ts';

const COMMANDS: readonly (readonly [string, string])[] = [
  [USAGE.explain, 'Why a change has its level, what forces a replacement, which attributes change'],
  [USAGE.noise, 'Recurring noise in these plans: how often, since when'],
  [USAGE.suppress, 'What a suppression would hide, and how an owner or admin creates it'],
  [USAGE.fix, 'Ways to fix a pattern'],
  [USAGE.rescan, 'Analyzes the plans again'],
  [USAGE.quiet, 'Turns off comments on this pull request. `/drift quiet off` turns them on'],
];

/** Lists the commands. */
export function describeCommands(): string {
  const rows = COMMANDS.map(([command, says]) => [`\`${command}\``, says]);
  return writeBody([
    buildTable(['Command', 'Answer'], rows, 'commands'),
    'Write the command in the first line of a new comment. You need write access to this repository. A suppression lasts 7d, 30d, 90d or forever.',
  ]);
}
