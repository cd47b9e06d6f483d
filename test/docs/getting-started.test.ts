import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../server/lib/package-root.ts';
import { findFreePort } from '../fakes/ports.ts';

const DOCUMENT = readFileSync(join(packageRoot(), 'docs/getting-started.md'), 'utf8');
const BLOCKS = [...DOCUMENT.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands ?? '');
const OUTPUT_FILES = ['dpa.log', 'verdict.txt', 'comment.md', 'check.txt'];

let folder: string;
let outputs: string[];
let stderr = '';
let url: string;

/** Runs all blocks in one shell, in order, in a folder where `npx dpa` is this build. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dpa-getting-started-'));
  url = `http://127.0.0.1:${await findFreePort()}`;
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    DPA_URL: url,
    DATA_DIR: join(folder, 'data'),
  };
  const steps = BLOCKS.map((commands, index) => `printf '\\n== block ${index}\\n'\n${commands}`);
  // Stops the service of the first block even if a later block fails.
  const script = ['trap \'kill "$SERVICE" 2> /dev/null || true\' EXIT\n', ...steps].join('');
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: packageRoot(), env });
  let stdout = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise((resolve) => shell.on('close', resolve));
  outputs = stdout.split(/^\n?== block \d+\n/m).slice(1);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const findOutput = (command: string): string => {
  const index = BLOCKS.findIndex((commands) => commands.includes(command));
  expect(index).not.toBe(-1);
  return outputs[index] ?? '';
};

test('every block of the document runs to its end', () => {
  expect(BLOCKS.length).toBeGreaterThan(8);
  expect(outputs).toHaveLength(BLOCKS.length);
});

test('an organization and a key are created', () => {
  expect(findOutput('org create')).toMatch(/^created the organization acme \(.{36}\)[\s\S]*^acme +owner /m);
  expect(findOutput('keys create')).toMatch(/ active .*analysis:write.* ci$/m);
});

test('the first verdict is critical, is listed with its level, and fails a job', () => {
  const verdict = findOutput('--wait');

  expect(verdict).toMatch(/^CRITICAL RISK/);
  expect(verdict).toMatch(/^[0-9a-f-]{36} +done +critical .* acme\/infra#7 /m);
  expect(findOutput('--fail-on high >')).toContain('exit code 2\n');
  expect(JSON.parse(findOutput('npx dpa token'))).toMatchObject({ user: { email: 'you@example.com' } });
});

test('the settings have the documented defaults, and change with the documented command', () => {
  expect(findOutput('pr-preview')).toMatch(
    /pr_fail_on +never [\s\S]*fork_pr_policy +comment [\s\S]*pr_comment_mode +upsert /,
  );
  expect(findOutput('--pr-fail-on high')).toMatch(/pr_fail_on +high [\s\S]*fork_pr_policy +analyze_only /);
});

test('a critical plan is critical in the comment and neutral in the check', () => {
  const [comment, check] = ['comment.md', 'check.txt'].map((name) => readFileSync(join(packageRoot(), name), 'utf8'));

  expect(comment).toMatch(/critical risk/i);
  expect(check).toMatch(/neutral/);
});

test('the last block stops the service', async () => {
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('the files that the commands write are ignored by Git', () => {
  const ignored = readFileSync(join(packageRoot(), '.gitignore'), 'utf8').split('\n');

  for (const name of OUTPUT_FILES) {
    expect(ignored).toContain(`/${name}`);
    rmSync(join(packageRoot(), name));
  }
});
