import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packageRoot } from '../../server/lib/package-root.ts';
import { runCli } from '../cli/run.ts';

const README = readFileSync(join(packageRoot(), 'README.md'), 'utf8');

/** The lines of the sample between its `…` lines. */
function readSample(): string[] {
  const [, sample] = /In a terminal:\n\n```\n([\s\S]*?)^```$/m.exec(README) ?? [];
  return (sample ?? '').split(/^ *…\n/m);
}

test('the sample in the README is the output of the command below it, except for the omitted lines', async () => {
  const [, command] = /This is the output of `npx dpa ([^`]+)`/.exec(README) ?? [];
  const parts = readSample();

  const { stdout } = await runCli((command ?? '').split(' '));

  let rest = stdout;
  for (const part of parts) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
  expect(parts.length).toBeGreaterThan(3);
  expect(stdout.startsWith(parts[0] ?? '')).toBe(true);
  expect(rest).toBe('');
});
