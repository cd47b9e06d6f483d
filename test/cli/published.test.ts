/** The published command: the contents of the tarball, without the repository. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packCommand, ROOT } from './ci-files.ts';
import { BUNDLED_PLAN, runProgram } from './run.ts';

let folder: string;
let root: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpa-published-'));
  execFileSync('tar', ['-xzf', packCommand(folder), '-C', folder]);
  root = join(folder, 'package');
});
afterAll(() => rm(folder, { recursive: true }));

const dpa = (...args: string[]) => runProgram(join(root, 'bin/dpa.js'), args, { cwd: folder });

test('the published package analyzes a plan without any dependency', async () => {
  const { code, stdout, stderr } = await dpa('analyze', BUNDLED_PLAN);

  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^CRITICAL RISK /), stderr: '' });
});

test.each([
  ['serve', []],
  ['demo', []],
  ['migrate', []],
  ['dev-token', ['--email', 'ada@example.com']],
  ['audit dump', []],
  ['keys rotate', []],
  ['trace replay', [`trc-${'0'.repeat(24)}`]],
])('dpa %s in the published package says where service commands run', async (name, args) => {
  const { code, stdout, stderr } = await dpa(...name.split(' '), ...args);

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^dpa: this command needs the service, .* Run it in a clone of https:.*npm ci.* container image/,
  );
  expect(stderr).not.toContain('    at ');
});

test('the published package has no dependencies, and contains the licenses of bundled packages', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const notices = await readFile(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');

  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).toMatchObject({ license: 'Apache-2.0', publishConfig: { provenance: true } });
  for (const name of ['commander', 'micromark', 'openid-client', 'oauth4webapi', 're2js', 'yaml', 'zod']) {
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  }
});

test('the published package contains the project license and no part of the service', async () => {
  expect(readdirSync(join(root, 'dist'))).not.toContain('service');
  expect(await readFile(join(root, 'LICENSE'), 'utf8')).toBe(await readFile(join(ROOT, 'LICENSE'), 'utf8'));
});
