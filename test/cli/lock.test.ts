import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withLock } from '../../cli/src/login/lock.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpa-lock-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('lock holders run one after the other, also if one fails', async () => {
  const path = join(folder, 'turns');
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`${name} ends`);
    if (name === 'first') throw new Error('it failed');
  };

  await Promise.allSettled([withLock(path, work('first')), withLock(path, work('second'))]);

  expect([steps.slice(0, 2), steps.slice(2)].map(([begins, ends]) => `${begins}, ${ends}`).sort()).toEqual([
    'first begins, first ends',
    'second begins, second ends',
  ]);
});

test('a held lock is waited for, and then reported with its path', async () => {
  const path = join(folder, 'held');
  await writeFile(path, '');

  await expect(withLock(path, async () => undefined, 0)).rejects.toThrow(`delete ${path} and try again`);
});

test('the stale lock of a killed process is taken over', async () => {
  const path = join(folder, 'left');
  await writeFile(path, '');
  await utimes(path, new Date(), new Date(Date.now() - 61_000));

  expect(await withLock(path, async () => 'done', 0)).toBe('done');
});
