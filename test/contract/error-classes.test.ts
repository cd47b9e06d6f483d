import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ERROR_CLASSES } from '../../server/lib/error-classes.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import { document } from '../http/harness.ts';

const listed = Object.keys(ERROR_CLASSES);
const in_contract = document.api.components.schemas['ErrorClass']?.['x-extensible-enum'] ?? [];

test('the contract lists exactly the error classes of the code', () => {
  expect([...in_contract].sort()).toEqual([...listed].sort());
});

test('every error class is used by code or rejects a header of the contract', async () => {
  const code = (await sourceText('server')) + (await sourceText('engine')) + JSON.stringify(document.api.paths);
  const sent = (name: string) => [`'${name}'`, `"${name}"`].some((quoted) => code.includes(quoted));

  // Computed from a status: `api_token_${status}`.
  const composed = ['expired', 'invalid', 'insufficient_scope'].map((status) => `api_token_${status}`);
  expect(listed.filter((name) => !sent(name))).toEqual(composed.filter((name) => !sent(name)));
});

test('every error class has an error status and a meaning in whole sentences', () => {
  for (const [name, { statuses, meaning }] of Object.entries(ERROR_CLASSES)) {
    expect([name, statuses.every((status) => status >= 400 && status < 600)]).toEqual([name, true]);
    expect([name, meaning]).toEqual([name, expect.stringMatching(/^[A-Z`].*\.$/)]);
  }
});

async function sourceText(folder: string): Promise<string> {
  const root = join(packageRoot(), folder);
  const names = await readdir(root, { recursive: true });
  const sources = names.filter((name) => /(?<!\.d)\.ts$/.test(name) && !name.endsWith('error-classes.ts'));
  return (await Promise.all(sources.map((name) => readFile(join(root, name), 'utf8')))).join('\n');
}
