import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { createCloudError } from '../rest/fault.ts';
import { ACCOUNT_FILE, accountFile, pageFile, type RecordedAccount, type RecordedPage } from './format.ts';

/** @throws CloudError `credential_error` if there is no such folder; `parse_error` if it has another format */
export function readAccount(folder: string): Promise<RecordedAccount> {
  return readChecked(join(folder, ACCOUNT_FILE), accountFile);
}

/** @throws CloudError */
export function readPage(folder: string, name: string): Promise<RecordedPage> {
  return readChecked(join(folder, name), pageFile);
}

async function readChecked<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const message =
      'There is no recorded account of this name and cloud. Check the name after fixture:// and the folder of recorded accounts.';
    throw createCloudError({ code: 'credential_error', message }, { cause });
  });
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    const message =
      'A file of the recorded account cannot be read: it is damaged, or has another version of the format. Record the account again.';
    throw createCloudError({ code: 'parse_error', message }, { cause });
  }
}

/** Writes a recording. `account.json` comes last, so that a folder without it is known to be incomplete. */
export interface RecordingFolder {
  /** @returns the name of the page's file */
  addPage(page: RecordedPage): Promise<string>;
  removePages(names: readonly string[]): Promise<void>;
  finish(account: RecordedAccount): Promise<void>;
}

/** Only its owner can read it. @throws Error `EEXIST` if the folder already exists */
export async function createRecordingFolder(folder: string): Promise<RecordingFolder> {
  await mkdir(folder, { mode: 0o700 });
  await mkdir(join(folder, 'pages'), { mode: 0o700 });
  let count = 0;
  return {
    async addPage(page) {
      count += 1;
      const name = `pages/${String(count).padStart(4, '0')}.json`;
      await writeJson(join(folder, name), page);
      return name;
    },
    removePages: async (names) => void (await Promise.all(names.map((name) => rm(join(folder, name))))),
    finish: (account) => writeJson(join(folder, ACCOUNT_FILE), account),
  };
}

function writeJson(path: string, value: unknown): Promise<void> {
  return writeFile(path, `${JSON.stringify(value, null, 1)}\n`, { mode: 0o600, flag: 'wx' });
}
