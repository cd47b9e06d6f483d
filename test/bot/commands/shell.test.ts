import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { formatShellCommand } from '../../../bot/commands/shell.ts';
import { PAYLOADS } from '../../engine/review/payloads.ts';

const TRICKS = ["it's", "'", "''", '$(id)', '`id`', '$HOME', '!!', '\\', "\\'", '*', '~', '-n', '--', '', 'a b', ';'];

test('a shell splits the command line into the original words', () => {
  // Arguments of commands cannot contain NUL, and lone surrogates are not valid text.
  const words = [...TRICKS, ...PAYLOADS].filter((word) => !word.includes('\0') && word.isWellFormed());

  const read = execFileSync('sh', ['-c', `printf '%s\\0' ${formatShellCommand(words)}`], { encoding: 'utf8' });

  expect(read.split('\0').slice(0, -1)).toEqual(words);
});

test('words of safe characters are not quoted', () => {
  expect(formatShellCommand(['dpa', 'noise', '--for', '30d', 'module.a.aws_x.y'])).toBe(
    'dpa noise --for 30d module.a.aws_x.y',
  );
});
