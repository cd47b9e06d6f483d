import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { assertKey } from './key.ts';
import type { BlobStore } from './types.ts';

/** Half-written files; no key begins with a dot, so that none can be read through one. */
const DRAFTS = '.drafts';

/** Blobs as files below a folder that only we may enter. */
export function createFolderStore(folder: string): BlobStore {
  const pathOf = (key: string) => join(folder, ...assertKey(key).split('/'));

  async function put(key: string, bytes: Uint8Array): Promise<void> {
    const path = pathOf(key);
    const draft = join(folder, DRAFTS, randomUUID());
    await Promise.all([mkdir(dirname(path), PRIVATE), mkdir(dirname(draft), PRIVATE)]);
    try {
      await writeDurably(draft, bytes);
      await rename(draft, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async function get(key: string): Promise<Buffer | undefined> {
    return readFile(pathOf(key)).catch(undefinedWhenAbsent);
  }

  async function* list(prefix: string): AsyncIterable<{ key: string; modified_at: Date }> {
    const start = prefix.includes('/') ? join(folder, dirname(`${prefix}x`)) : folder;
    for await (const path of walk(start)) {
      const key = relative(folder, path).split(sep).join('/');
      if (!key.startsWith(prefix)) continue;
      const found = await stat(path).catch(undefinedWhenAbsent);
      if (found !== undefined) yield { key, modified_at: found.mtime };
    }
  }

  return {
    put,
    get,
    list,
    delete: (key) => rm(pathOf(key), { force: true }),
    async check() {
      await mkdir(folder, PRIVATE);
      await access(folder, constants.R_OK | constants.W_OK);
    },
  };
}

const PRIVATE = { recursive: true, mode: 0o700 } as const;

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is durable once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function* walk(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch(undefinedWhenAbsent);
  if (entries === undefined) return;
  for await (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else yield path;
  }
}

function undefinedWhenAbsent(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}
