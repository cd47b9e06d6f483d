import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packageRoot } from '../../server/lib/package-root.ts';
import { runCli } from '../cli/run.ts';

const README = readFileSync(join(packageRoot(), 'README.md'), 'utf8');

/** The lines of the sample below a line, between its `…` lines. */
function readSample(line: string): string[] {
  const below = README.slice(README.indexOf(line));
  const [, sample] = /\n\n```\n([\s\S]*?)^```$/m.exec(below) ?? [];
  return (sample ?? '').split(/^ *…\n/m);
}

test('the sample in the README is the output of the command below it, except for the omitted lines', async () => {
  const [, command] = /This is the output of `npx dpa ([^`]+)`/.exec(README) ?? [];
  const parts = readSample('In a terminal:');

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

test('the sample of drift is the output of its demo, except for the omitted lines', async () => {
  const { scripts } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const parts = readSample('(`npm run demo:drift`):');

  const { stdout, stderr } = await runCli((scripts['demo:drift'] ?? '').split(' ').slice(2));

  let rest = stdout;
  for (const part of parts) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
  expect(parts.length).toBeGreaterThan(2);
  expect(stderr).toBe('');
});
