import { randomBytes } from 'node:crypto';
import { copyFile, type FileHandle, mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from '../../lib/error-code.ts';
import { writeDurably } from '../../lib/private-file.ts';
import { storageFault } from './fault.ts';
import { assertKey, CHECK_KEY } from './key.ts';
import type { BlobStore, FileStore } from './types.ts';

/** Folder of files that are being written. A crash can leave files here; they are never listed. */
const DRAFTS = '.drafts';

/**
 * Stores blobs as files below `root`, readable only by their owner. A file appears under its key by a rename, so it is
 * always complete.
 */
export function createFolderStore(root: string): BlobStore & FileStore {
  const files = createFiles(root);
  return {
    put: (key, bytes) => wrapFault(() => files.put(key, bytes)),
    putFile: (key, path) => wrapFault(() => files.putFile(key, path)),
    get: (key) => wrapFault(() => files.get(key)),
    size: (key) => wrapFault(() => files.size(key)),
    open: (key) => wrapFault(() => files.open(key)),
    presign: async () => null,
    delete: (key) => wrapFault(() => files.delete(key)),
    async *list(prefix) {
      try {
        yield* files.list(prefix);
      } catch (error) {
        throw toStorageFault(error);
      }
    },
    async check() {
      await wrapFault(() => files.put(CHECK_KEY, Buffer.from('ok')));
      await wrapFault(() => files.delete(CHECK_KEY));
    },
  };
}

async function wrapFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageFault(error);
  }
}

/** Errors of the operating system have a code. An error about an invalid key has none and is a bug of the caller. */
function toStorageFault(error: unknown): unknown {
  return errorCode(error) === undefined ? error : storageFault(error);
}

function createFiles(root: string): Omit<BlobStore, 'check'> & Omit<FileStore, 'presign'> {
  const resolvePath = (key: string) => {
    assertKey(key);
    return join(root, ...key.split('/'));
  };

  const put = (key: string, bytes: Uint8Array) => place(key, (draft) => writeDurably(draft, bytes));
  const putFile = (key: string, from: string) => place(key, (draft) => copyDurably(from, draft));

  async function place(key: string, writeDraft: (draft: string) => Promise<void>): Promise<void> {
    const path = resolvePath(key);
    const draft = join(root, DRAFTS, randomBytes(12).toString('hex'));
    await Promise.all([makeFolder(dirname(path)), makeFolder(dirname(draft))]);
    try {
      await writeDraft(draft);
      await rename(draft, path);
    } catch (error) {
      // If this also fails, the draft stays. The first error is more useful.
      await rm(draft, { force: true }).catch(() => {});
      throw error;
    }
    await syncFolder(dirname(path));
  }

  const get = (key: string) => ifPresent(() => readFile(resolvePath(key)));

  const openFile = (key: string) =>
    ifPresent(async () => (await open(resolvePath(key), 'r')).createReadStream() as Readable);
  const size = (key: string) => ifPresent(async () => (await stat(resolvePath(key))).size);

  async function* list(prefix: string): AsyncIterable<{ key: string; modified_at: Date }> {
    for await (const path of walk(root)) {
      const key = relative(root, path).split(sep).join('/');
      if (!key.startsWith(prefix)) continue;
      const found = await stat(path).catch(() => undefined); // deleted meanwhile
      if (found !== undefined) yield { key, modified_at: found.mtime };
    }
  }

  return {
    put,
    putFile,
    get,
    size,
    open: openFile,
    list,
    async delete(key) {
      await rm(resolvePath(key), { force: true });
    },
  };
}

async function ifPresent<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function* walk(folder: string): AsyncIterable<string> {
  let entries: Awaited<ReturnType<typeof opendir>>;
  try {
    entries = await opendir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  for await (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else yield path;
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const file = await open(to, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the rename itself durable. Windows cannot open a folder for this. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder: FileHandle = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
